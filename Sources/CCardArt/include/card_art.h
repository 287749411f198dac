#ifndef CARD_ART_H
#define CARD_ART_H

#include <stddef.h>
#include <stdint.h>

/* What became of reading a PNG. */
enum card_art_outcome {
    CARD_ART_READ = 0,
    /* libpng gave up; the message says why. */
    CARD_ART_DAMAGED = 1,
    /* The header was read, and says more pixels than are decoded here. */
    CARD_ART_HUGE = 2
};

/* What is asked of a picture. */
struct card_art {
    uint32_t width;
    uint32_t height;
    /* The least opacity within 8 pixels of each corner, 255 for opaque: top left, top right, bottom left, bottom right. */
    uint8_t corner_alpha[4];
    /* Corners that are white where the picture 64 pixels further in is not. */
    uint8_t white_corners;
    /* libpng's message, ended by zero; empty where nothing was wrong. */
    char message[96];
};

/* Decodes a whole PNG with libpng. libpng's errors jump no further than in here; nothing is printed. */
enum card_art_outcome card_art_read(const uint8_t *bytes, size_t count, struct card_art *art);

#endif
