#include "measured_calls.h"

#include <stdlib.h>

/* The barrier behind the call keeps it from becoming a jump, and the functions from becoming one. */
#define MEASURED(name)                                                                                                 \
  __attribute__((noinline)) void measured_##name(void (*body)(void *), void *context) {                                \
    body(context);                                                                                                     \
    __asm__ volatile("" ::"r"(#name) : "memory");                                                                      \
  }

MEASURED(select_ppse)
MEASURED(select_aid)
MEASURED(processing_options)
MEASURED(signed_processing_options)
MEASURED(read_record)
MEASURED(signed_cryptogram)
MEASURED(others)

void measured_allocation(void) {
  void *memory = malloc(64);
  /* Without it the compiler would see that nobody needs the memory. */
  __asm__ volatile("" ::"r"(memory) : "memory");
  free(memory);
}
