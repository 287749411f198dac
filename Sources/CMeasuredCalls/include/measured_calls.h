#pragma once

/* Each calls body(context) and does nothing else. valgrind's callgrind counts the instructions below each by its name,
   so that one run tells what each kind of command takes. */
void measured_select_ppse(void (*body)(void *), void *context);
void measured_select_aid(void (*body)(void *), void *context);
void measured_processing_options(void (*body)(void *), void *context);
void measured_signed_processing_options(void (*body)(void *), void *context);
void measured_read_record(void (*body)(void *), void *context);
void measured_signed_cryptogram(void (*body)(void *), void *context);
void measured_others(void (*body)(void *), void *context);

/* Allocates once and frees it again, to see that it is counted. */
void measured_allocation(void);
