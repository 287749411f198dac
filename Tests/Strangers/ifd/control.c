/* A Unix socket over which a test says what shall go wrong. One line is one wish; each is answered with a line. */
#include "simulated.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const path = "/run/pcscd/simulated-reader";
static const char *const names[CALL_COUNT] = {"transmit", "escape", "power", "presence"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t resumed = PTHREAD_COND_INITIALIZER;

static unsigned long calls[CALL_COUNT];
static struct {
    enum { NOTHING, HANG, CRASH, FAIL } kind;
    /* How many calls go well before. */
    unsigned long after;
    long code;
} wishes[CALL_COUNT];
static unsigned long resumptions;
static unsigned hanging;
static int delay_milliseconds;
static bool permits_escape = true, is_plugged = true;

/* A card by its answers. */
struct line {
    uint8_t *command, *response;
    size_t command_count, response_count;
    struct line *next;
};
static struct line *lines;
static uint8_t card_atr[33];
static size_t card_atr_count;

long control_enter(enum call call) {
    pthread_mutex_lock(&lock);
    calls[call] += 1;
    int delay = call == CALL_PRESENCE ? 0 : delay_milliseconds;
    int kind = NOTHING;
    long code = wishes[call].code;
    if (wishes[call].kind != NOTHING && wishes[call].after-- == 0) {
        kind = wishes[call].kind;
        wishes[call].kind = NOTHING;
    }
    if (kind == CRASH) abort();
    if (kind == HANG) {
        unsigned long now = resumptions;
        hanging += 1;
        while (resumptions == now) pthread_cond_wait(&resumed, &lock);
        hanging -= 1;
    }
    pthread_mutex_unlock(&lock);
    if (delay > 0) usleep((useconds_t)delay * 1000);
    return kind == FAIL ? code : 0;
}

bool control_permits_escape(void) {
    pthread_mutex_lock(&lock);
    bool permits = permits_escape;
    pthread_mutex_unlock(&lock);
    return permits;
}

bool control_is_plugged(void) {
    pthread_mutex_lock(&lock);
    bool plugged = is_plugged;
    pthread_mutex_unlock(&lock);
    return plugged;
}

bool control_card(struct buffer *answer_to_reset) {
    pthread_mutex_lock(&lock);
    bool is_there = card_atr_count > 0;
    if (is_there) append(answer_to_reset, card_atr, card_atr_count);
    pthread_mutex_unlock(&lock);
    return is_there;
}

void control_respond(const uint8_t *command, size_t count, struct buffer *response) {
    pthread_mutex_lock(&lock);
    const struct line *line = lines;
    while (line && (line->command_count != count || memcmp(line->command, command, count) != 0)) line = line->next;
    if (line) append(response, line->response, line->response_count);
    else append(response, "\x6D\x00", 2);
    pthread_mutex_unlock(&lock);
}

static void forget_card(void) {
    card_atr_count = 0;
    while (lines) {
        struct line *next = lines->next;
        free(lines->command);
        free(lines->response);
        free(lines);
        lines = next;
    }
}

/* Reads hexadecimal digits; the bytes are to be freed. */
static uint8_t *bytes_of(const char *text, size_t *count) {
    size_t length = strlen(text);
    uint8_t *bytes = malloc(length / 2 + 1);
    if (bytes == NULL) abort();
    for (*count = 0; *count < length / 2; *count += 1) {
        unsigned value = 0;
        sscanf(text + *count * 2, "%2x", &value);
        bytes[*count] = (uint8_t)value;
    }
    return bytes;
}

static enum call call_named(const char *name) {
    enum call call = 0;
    while (call < CALL_COUNT && (name == NULL || strcmp(names[call], name) != 0)) call += 1;
    return call;
}

static void wish(FILE *out, int kind, char **rest) {
    enum call call = call_named(strtok_r(NULL, " ", rest));
    const char *after = strtok_r(NULL, " ", rest);
    const char *code = strtok_r(NULL, " ", rest);
    if (call == CALL_COUNT) {
        fputs("no such call\n", out);
        return;
    }
    pthread_mutex_lock(&lock);
    wishes[call].kind = kind;
    wishes[call].after = after ? strtoul(after, NULL, 10) : 0;
    wishes[call].code = code ? strtol(code, NULL, 10) : 612;
    pthread_mutex_unlock(&lock);
    fputs("ok\n", out);
}

static void report(FILE *out) {
    const char *radio = radio_state();
    pthread_mutex_lock(&lock);
    for (int call = 0; call < CALL_COUNT; call += 1) fprintf(out, "%s %lu ", names[call], calls[call]);
    fprintf(out, "hanging %u radio %s polling %02X\n", hanging, radio, escape_polling());
    pthread_mutex_unlock(&lock);
}

/*   state                        how many calls there were, how many hang, the target's state, and polling
 *   hang|crash|fail CALL [AFTER [CODE]]   what becomes of the next call, or of the one after AFTER others
 *   resume                       lets what hangs go on
 *   delay MS                     how much longer each call takes
 *   permit yes|no                whether the driver lets escape commands through
 *   status CODE STATUS           what the PN532 answers to its next command CODE, both hexadecimal
 *   limit FRAME PATIENCE         bytes of a PN532 frame's data, and milliseconds the driver waits for an escape
 *   move away|back               takes the target out of the counter's field, or puts it back
 *   unplug, plug                 the counter's reader
 *   card ATR                     puts another card into the counter's reader; card alone takes it out
 *   answer COMMAND RESPONSE      what that card answers
 */
static void obey(char *text, FILE *out) {
    char *rest = NULL;
    const char *word = strtok_r(text, " ", &rest);
    if (word == NULL) word = "";
    if (strcmp(word, "state") == 0) return report(out);
    if (strcmp(word, "hang") == 0) return wish(out, HANG, &rest);
    if (strcmp(word, "crash") == 0) return wish(out, CRASH, &rest);
    if (strcmp(word, "fail") == 0) return wish(out, FAIL, &rest);

    const char *first = strtok_r(NULL, " ", &rest);
    const char *second = strtok_r(NULL, " ", &rest);
    if (strcmp(word, "status") == 0 && second) {
        escape_inject((uint8_t)strtoul(first, NULL, 16), (uint8_t)strtoul(second, NULL, 16));
    } else if (strcmp(word, "limit") == 0 && second) {
        escape_limit(strtoul(first, NULL, 10), atoi(second));
    } else if (strcmp(word, "move") == 0 && first) {
        radio_move(strcmp(first, "away") == 0);
    } else {
        pthread_mutex_lock(&lock);
        if (strcmp(word, "resume") == 0) {
            resumptions += 1;
            pthread_cond_broadcast(&resumed);
        } else if (strcmp(word, "delay") == 0 && first) {
            delay_milliseconds = atoi(first);
        } else if (strcmp(word, "permit") == 0 && first) {
            permits_escape = strcmp(first, "yes") == 0;
        } else if (strcmp(word, "unplug") == 0 || strcmp(word, "plug") == 0) {
            is_plugged = word[0] == 'p';
        } else if (strcmp(word, "card") == 0) {
            forget_card();
            size_t count = 0;
            uint8_t *atr = bytes_of(first ? first : "", &count);
            card_atr_count = count > sizeof card_atr ? sizeof card_atr : count;
            memcpy(card_atr, atr, card_atr_count);
            free(atr);
        } else if (strcmp(word, "answer") == 0 && second) {
            struct line *line = calloc(1, sizeof *line);
            if (line == NULL) abort();
            line->command = bytes_of(first, &line->command_count);
            line->response = bytes_of(second, &line->response_count);
            line->next = lines;
            lines = line;
        } else {
            pthread_mutex_unlock(&lock);
            fputs("not understood\n", out);
            return;
        }
        pthread_mutex_unlock(&lock);
    }
    fputs("ok\n", out);
}

static void *serve(void *unused) {
    (void)unused;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    unlink(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4) != 0) abort();
    char *text = NULL;
    size_t room = 0;
    while (true) {
        int link = accept(listener, NULL, NULL);
        if (link < 0) continue;
        FILE *in = fdopen(link, "r");
        FILE *out = fdopen(dup(link), "w");
        if (in == NULL || out == NULL) abort();
        while (getline(&text, &room, in) > 0) {
            text[strcspn(text, "\n")] = 0;
            obey(text, out);
            fflush(out);
        }
        fclose(in);
        fclose(out);
    }
    return NULL;
}

void control_start(void) {
    static bool is_started;
    if (is_started) return;
    is_started = true;
    escape_reset();
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL) != 0) abort();
    pthread_detach(thread);
}
