#pragma once
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's driver; linked in by -sanitize=fuzzer only. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));
