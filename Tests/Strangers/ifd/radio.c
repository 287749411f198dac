/* The field: a target on one side, a reader on the other, one command at a time between them. */
#include "simulated.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static enum { IDLE, ARMED, ACTIVE, RELEASED } state;
static bool is_away;
static uint8_t identifier[4];
static struct timespec last_seen;

static uint8_t command[LONGEST_APDU];
static size_t command_count, command_taken;
static bool has_command, is_taken;
static uint8_t response[LONGEST_APDU];
static size_t response_count;
static bool has_response;

/* How long a reader sees a card that is being armed anew. */
enum { GRACE = 300 };
/* How long the reader waits for a target that asks for more time again and again. */
enum { LONGEST_ANSWER = 60000 };

static struct timespec in(int milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += milliseconds / 1000;
    end.tv_nsec += milliseconds % 1000 * 1000000L;
    if (end.tv_nsec >= 1000000000L) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000L;
    }
    return end;
}

/* Waits for a change; false when the time is over. */
static bool wait_until(const struct timespec *end) {
    if (end == NULL) return pthread_cond_wait(&change, &lock) == 0;
    return pthread_cond_timedwait(&change, &lock, end) == 0;
}

static void become(int new_state) {
    if (!is_away && (state == ARMED || state == ACTIVE)) clock_gettime(CLOCK_MONOTONIC, &last_seen);
    state = new_state;
    has_command = is_taken = has_response = false;
    command_count = command_taken = response_count = 0;
    pthread_cond_broadcast(&change);
}

bool append(struct buffer *buffer, const void *bytes, size_t count) {
    if (count > buffer->room - buffer->count) return false;
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

bool radio_arm(const uint8_t nfcid[3], int patience) {
    struct timespec end = in(patience == FOREVER ? 0 : patience);
    pthread_mutex_lock(&lock);
    identifier[0] = 0x08;
    memcpy(identifier + 1, nfcid, 3);
    become(ARMED);
    bool in_time = true;
    while (state == ARMED && in_time) in_time = wait_until(patience == FOREVER ? NULL : &end);
    bool is_active = state != ARMED;
    if (!is_active) become(IDLE);
    pthread_mutex_unlock(&lock);
    return is_active;
}

uint8_t radio_receive(struct buffer *data, size_t limit, int patience) {
    struct timespec end = in(patience == FOREVER ? 0 : patience);
    uint8_t status = STATUS_OK;
    pthread_mutex_lock(&lock);
    bool in_time = true;
    while (state == ACTIVE && (!has_command || is_taken) && in_time)
        in_time = wait_until(patience == FOREVER ? NULL : &end);
    if (state == RELEASED) {
        status = STATUS_RELEASED;
        become(IDLE);
    } else if (state != ACTIVE) {
        status = STATUS_INVALID_STATE;
    } else if (!has_command || is_taken) {
        status = STATUS_TIMEOUT;
    } else {
        size_t count = command_count - command_taken;
        if (count > limit) count = limit;
        append(data, command + command_taken, count);
        command_taken += count;
        is_taken = command_taken == command_count;
        if (!is_taken) status = STATUS_MORE;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

uint8_t radio_send(const uint8_t *data, size_t count, bool more) {
    uint8_t status = STATUS_OK;
    pthread_mutex_lock(&lock);
    if (state == RELEASED) {
        status = STATUS_RELEASED;
        become(IDLE);
    } else if (state != ACTIVE) {
        status = STATUS_INVALID_STATE;
    } else if (!is_taken || has_response || count > sizeof response - response_count) {
        status = STATUS_NOT_ACCEPTABLE;
    } else {
        memcpy(response + response_count, data, count);
        response_count += count;
        has_response = !more;
        pthread_cond_broadcast(&change);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

void radio_reset(void) {
    pthread_mutex_lock(&lock);
    become(IDLE);
    pthread_mutex_unlock(&lock);
}

bool radio_has_card(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_mutex_lock(&lock);
    long age = (now.tv_sec - last_seen.tv_sec) * 1000 + (now.tv_nsec - last_seen.tv_nsec) / 1000000;
    bool is_known = last_seen.tv_sec != 0 && age < GRACE;
    bool is_there = !is_away && (state == ARMED || state == ACTIVE || is_known);
    pthread_mutex_unlock(&lock);
    return is_there;
}

bool radio_activate(uint8_t target[4]) {
    struct timespec end = in(GRACE);
    pthread_mutex_lock(&lock);
    if (state == ACTIVE) become(RELEASED);
    bool in_time = true;
    while ((state != ARMED || is_away) && in_time) in_time = wait_until(&end);
    bool is_active = state == ARMED && !is_away;
    if (is_active) become(ACTIVE);
    memcpy(target, identifier, sizeof identifier);
    pthread_mutex_unlock(&lock);
    return is_active;
}

void radio_drop(void) {
    pthread_mutex_lock(&lock);
    if (state == ACTIVE) become(RELEASED);
    pthread_mutex_unlock(&lock);
}

bool radio_exchange(const uint8_t *bytes, size_t count, struct buffer *answer) {
    struct timespec end = in(LONGEST_ANSWER);
    pthread_mutex_lock(&lock);
    bool in_time = state == ACTIVE && !is_away && count <= sizeof command;
    if (in_time) {
        memcpy(command, bytes, count);
        command_count = count;
        command_taken = response_count = 0;
        has_command = true;
        is_taken = has_response = false;
        pthread_cond_broadcast(&change);
    }
    while (state == ACTIVE && !has_response && in_time) in_time = wait_until(&end);
    bool is_answered = state == ACTIVE && has_response && append(answer, response, response_count);
    has_command = has_response = false;
    pthread_mutex_unlock(&lock);
    return is_answered;
}

void radio_move(bool away) {
    pthread_mutex_lock(&lock);
    is_away = away;
    if (away && state == ACTIVE) become(RELEASED);
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
}

const char *radio_state(void) {
    static const char *const names[] = {"idle", "armed", "active", "released"};
    pthread_mutex_lock(&lock);
    const char *name = names[state];
    pthread_mutex_unlock(&lock);
    return name;
}
