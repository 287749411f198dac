/* The ACR122U's own commands and, behind FF 00 00 00, those of its PN532 that make it a target. */
#include "simulated.h"

#include <pthread.h>
#include <string.h>

enum {
    READ_REGISTER = 0x06,
    WRITE_REGISTER = 0x08,
    GET_FIRMWARE_VERSION = 0x02,
    SET_PARAMETERS = 0x12,
    RF_CONFIGURATION = 0x32,
    INIT_AS_TARGET = 0x8C,
    GET_DATA = 0x86,
    SET_DATA = 0x8E,
    SET_META_DATA = 0x94,
};

/* Bytes of TgInitAsTarget up to and with the count of historical bytes. */
enum { SHORTEST_INIT = 37 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t injected[256];
static size_t frame_limit;
static int driver_patience;
/* The chip time-out, in units of 5 s; 0 and 0xFF for none. */
static uint8_t chip_timeout;
static uint8_t polling;
static uint8_t parameters;
static uint8_t registers[65536];

void escape_reset(void) {
    pthread_mutex_lock(&lock);
    memset(injected, 0, sizeof injected);
    memset(registers, 0, sizeof registers);
    frame_limit = 252;
    driver_patience = 30000;
    chip_timeout = 0;
    polling = 0xFF;
    parameters = 0;
    pthread_mutex_unlock(&lock);
}

void escape_inject(uint8_t code, uint8_t status) {
    pthread_mutex_lock(&lock);
    injected[code] = status;
    pthread_mutex_unlock(&lock);
}

void escape_limit(size_t frame, int patience) {
    pthread_mutex_lock(&lock);
    if (frame > 0) frame_limit = frame;
    if (patience > 0) driver_patience = patience;
    pthread_mutex_unlock(&lock);
}

static bool has_timeout(void) { return chip_timeout != 0 && chip_timeout != 0xFF; }

static int patience(void) {
    int chip = chip_timeout * 5000;
    return !has_timeout() || chip > driver_patience ? driver_patience : chip;
}

uint8_t escape_polling(void) {
    pthread_mutex_lock(&lock);
    uint8_t setting = polling;
    pthread_mutex_unlock(&lock);
    return setting;
}

/* Whether the registers, the parameters and the time-out are as a target needs them. */
static bool is_prepared(void) {
    bool is_field_set = (registers[0x6305] & 0x04) != 0 && (registers[0x630D] & 0x10) == 0;
    return is_field_set && (registers[0x6338] & 0x08) == 0 && parameters == 0x30 && has_timeout() && polling == 0;
}

static bool answer_status(struct buffer *answer, uint8_t code, uint8_t status) {
    uint8_t bytes[] = {0xD5, (uint8_t)(code + 1), status};
    return append(answer, bytes, sizeof bytes);
}

/* Answers a command of the PN532; false where the chip gives no answer. */
static bool pn532_answer(const uint8_t *command, size_t count, struct buffer *answer) {
    if (count < 2 || command[0] != 0xD4) return false;
    uint8_t code = command[1];
    const uint8_t *rest = command + 2;
    size_t rest_count = count - 2;

    pthread_mutex_lock(&lock);
    uint8_t status = injected[code];
    injected[code] = 0;
    int wait = patience();
    size_t limit = frame_limit;
    bool is_target = is_prepared();
    if (code == SET_PARAMETERS && rest_count == 1) parameters = rest[0];
    for (size_t at = 0; code == WRITE_REGISTER && at + 2 < rest_count; at += 3)
        registers[rest[at] << 8 | rest[at + 1]] = rest[at + 2];
    pthread_mutex_unlock(&lock);
    if (status != 0) {
        radio_reset();
        return answer_status(answer, code, status);
    }

    uint8_t head[] = {0xD5, (uint8_t)(code + 1)};
    struct buffer data;
    uint8_t bytes[LONGEST_APDU];
    switch (code) {
    case GET_FIRMWARE_VERSION:
        return append(answer, head, 2) && append(answer, "\x32\x01\x06\x07", 4);
    case READ_REGISTER:
        append(answer, head, 2);
        for (size_t at = 0; at + 1 < rest_count; at += 2)
            append(answer, &registers[rest[at] << 8 | rest[at + 1]], 1);
        return true;
    case WRITE_REGISTER:
    case SET_PARAMETERS:
    case RF_CONFIGURATION:
        return append(answer, head, 2);
    case INIT_AS_TARGET:
        if (rest_count < SHORTEST_INIT || rest[0] != 0x05 || rest[6] != 0x20 || !is_target)
            return answer_status(answer, code, STATUS_NOT_ACCEPTABLE);
        /* 106 kbit/s, ISO/IEC 14443-4 PICC, and the reader's RATS. */
        return radio_arm(rest + 3, wait) && append(answer, head, 2) && append(answer, "\x08\xE0\x80", 3);
    case GET_DATA:
        data = (struct buffer){bytes, 0, sizeof bytes};
        status = radio_receive(&data, limit, wait);
        return answer_status(answer, code, status) && append(answer, bytes, data.count);
    case SET_DATA:
    case SET_META_DATA:
        return answer_status(answer, code, radio_send(rest, rest_count, code == SET_META_DATA));
    default:
        return false;
    }
}

bool escape_answer(const uint8_t *command, size_t count, struct buffer *answer) {
    if (count < 5 || command[0] != 0xFF || command[1] != 0x00) return append(answer, "\x63\x00", 2);
    switch (command[2]) {
    case 0x48: return append(answer, "ACR122U215", 10);
    case 0x41:
        pthread_mutex_lock(&lock);
        chip_timeout = command[3];
        pthread_mutex_unlock(&lock);
        return append(answer, "\x90\x00", 2);
    case 0x51:
        pthread_mutex_lock(&lock);
        polling = command[3];
        pthread_mutex_unlock(&lock);
        /* What looks for cards is none. */
        if (command[3] != 0) radio_reset();
        return append(answer, (uint8_t[]){0x90, command[3]}, 2);
    case 0x00:
        if (command[4] == count - 5 && pn532_answer(command + 5, count - 5, answer))
            return append(answer, "\x90\x00", 2);
        answer->count = 0;
        /* Without a time-out of its own the reader says nothing, until the driver waits no longer. */
        return has_timeout() && append(answer, "\x63\x01", 2);
    default: return append(answer, "\x63\x00", 2);
    }
}
