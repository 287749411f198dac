#include "card_art.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Card pictures have a tenth of this. */
static const uint64_t maximum_pixels = 16u << 20;

struct source {
    const uint8_t *next;
    size_t left;
};

static void read_bytes(png_structp png, png_bytep to, png_size_t count) {
    struct source *source = png_get_io_ptr(png);
    if (count > source->left) png_error(png, "the file ends too early");
    memcpy(to, source->next, count);
    source->next += count;
    source->left -= count;
}

static void keep_message(png_structp png, png_const_charp message) {
    struct card_art *art = png_get_error_ptr(png);
    strncpy(art->message, message, sizeof art->message - 1);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* What has to be freed however reading ends; out of reach of the registers that a jump restores. */
struct reading {
    png_structp png;
    png_infop info;
    png_bytep pixels;
    png_bytepp rows;
};

static const uint32_t corner_size = 8, inside = 64;

/* A pixel so far from a corner. */
static png_bytep pixel(const struct card_art *art, png_bytepp rows, int corner, uint32_t x, uint32_t y) {
    uint32_t column = corner & 1 ? art->width - 1 - x : x;
    uint32_t row = corner & 2 ? art->height - 1 - y : y;
    return rows[row] + (size_t)column * 4;
}

static int is_white(const png_byte *pixel) {
    return pixel[0] >= 250 && pixel[1] >= 250 && pixel[2] >= 250;
}

static void look_at(struct card_art *art, png_bytepp rows, int corner) {
    uint8_t least = 255;
    for (uint32_t y = 0; y < corner_size && y < art->height; y++)
        for (uint32_t x = 0; x < corner_size && x < art->width; x++) {
            uint8_t alpha = pixel(art, rows, corner, x, y)[3];
            if (alpha < least) least = alpha;
        }
    art->corner_alpha[corner] = least;
    if (art->width <= inside || art->height <= inside) return;
    if (is_white(pixel(art, rows, corner, 0, 0)) &&
        !is_white(pixel(art, rows, corner, inside, inside)))
        art->white_corners++;
}

static enum card_art_outcome decode(struct reading *reading, struct card_art *art) {
    png_structp png = reading->png;
    if (setjmp(png_jmpbuf(png))) return CARD_ART_DAMAGED;
    /* The size is judged here, in pixels; a few chunks beside the picture are enough. */
    png_set_user_limits(png, 0x7FFFFFFF, 0x7FFFFFFF);
    png_set_chunk_cache_max(png, 64);
    png_set_chunk_malloc_max(png, 4u << 20);
    png_read_info(png, reading->info);
    art->width = png_get_image_width(png, reading->info);
    art->height = png_get_image_height(png, reading->info);
    if ((uint64_t)art->width * art->height > maximum_pixels) return CARD_ART_HUGE;

    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, reading->info);
    size_t row_bytes = png_get_rowbytes(png, reading->info);
    if (row_bytes != (size_t)art->width * 4) png_error(png, "unexpected pixel format");
    reading->pixels = calloc(art->height, row_bytes);
    reading->rows = calloc(art->height, sizeof *reading->rows);
    if (!reading->pixels || !reading->rows) png_error(png, "out of memory");
    for (uint32_t row = 0; row < art->height; row++)
        reading->rows[row] = reading->pixels + row * row_bytes;
    png_read_image(png, reading->rows);
    png_read_end(png, NULL);
    for (int corner = 0; corner < 4; corner++) look_at(art, reading->rows, corner);
    return CARD_ART_READ;
}

enum card_art_outcome card_art_read(const uint8_t *bytes, size_t count, struct card_art *art) {
    memset(art, 0, sizeof *art);
    struct source source = {bytes, count};
    struct reading reading = {0};
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, art, keep_message, ignore);
    reading.info = reading.png ? png_create_info_struct(reading.png) : NULL;
    enum card_art_outcome outcome = CARD_ART_DAMAGED;
    if (reading.info) {
        png_set_read_fn(reading.png, &source, read_bytes);
        outcome = decode(&reading, art);
    }
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    free(reading.pixels);
    free(reading.rows);
    return outcome;
}
