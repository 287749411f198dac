// The files of Vectors/ inside the program, so that an installed one has them wherever it lies.
#pragma once
#include <stddef.h>

struct vector_file {
    // The file's name in Vectors/.
    const char *name;
    const unsigned char *bytes;
    size_t byte_count;
};

extern const size_t vector_file_count;

// The file at an index below `vector_file_count`, in the order of names.
const struct vector_file *vector_file_at(size_t index);
