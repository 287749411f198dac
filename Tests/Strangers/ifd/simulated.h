/* A pair of readers that exist only as a driver: an ACR122U that acts as the card, and the counter's reader in whose
 * field it lies. Test only; pcscd loads it from a reader.conf of its own. */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_APDU = 65544 };

/* What a response APDU or an escape answer is written into. */
struct buffer {
    uint8_t *bytes;
    size_t count;
    size_t room;
};

bool append(struct buffer *buffer, const void *bytes, size_t count);

/* radio.c: the field between the two. The statuses are the PN532's (user manual, 7.1). */

enum {
    STATUS_OK = 0x00,
    STATUS_TIMEOUT = 0x01,
    STATUS_INVALID_STATE = 0x25,
    STATUS_NOT_ACCEPTABLE = 0x27,
    STATUS_RELEASED = 0x29,
    STATUS_MORE = 0x40,
};

enum { FOREVER = -1 };

/* The target's side; the times are in milliseconds. */
bool radio_arm(const uint8_t identifier[3], int patience);
uint8_t radio_receive(struct buffer *data, size_t limit, int patience);
uint8_t radio_send(const uint8_t *data, size_t count, bool more);
void radio_reset(void);

/* The reader's side. */
bool radio_has_card(void);
bool radio_activate(uint8_t identifier[4]);
void radio_drop(void);
bool radio_exchange(const uint8_t *command, size_t count, struct buffer *response);

/* Takes the target out of the field, or puts it back. */
void radio_move(bool away);
const char *radio_state(void);

/* acr122u.c: the commands of the ACR122U and of the PN532 behind it. */

void escape_reset(void);
/* False where the reader gives no answer. */
bool escape_answer(const uint8_t *command, size_t count, struct buffer *answer);
/* The next time the PN532 gets this command, its answer has this status. */
void escape_inject(uint8_t code, uint8_t status);
void escape_limit(size_t frame, int patience);
/* What the reader looks for by itself; 0 for nothing. */
uint8_t escape_polling(void);

/* control.c: what a test wishes, over a socket, one line for each wish. */

enum call { CALL_TRANSMIT, CALL_ESCAPE, CALL_POWER, CALL_PRESENCE, CALL_COUNT };

void control_start(void);
/* Counts a call and does what a test wished for it: delays, never returns, or ends the process.
 * Gives the code to answer with, or 0 to go on. */
long control_enter(enum call call);
bool control_permits_escape(void);
bool control_is_plugged(void);

/* The card that a test put into the counter's reader in place of the target; false where there is none. */
bool control_card(struct buffer *answer_to_reset);
void control_respond(const uint8_t *command, size_t count, struct buffer *response);

#endif
