/* Lines of eight words, which compilers read with the widest registers that the flags allow. */
#ifndef NUMALAB_WORDS_H
#define NUMALAB_WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t words __attribute__((vector_size(64), may_alias));

/* Writes 0, 1, 2, ... into the words, `count` lines of them. */
void words_number(words *array, size_t count);
/* What they add up to. */
uint64_t words_sum(size_t count);
/* Reads the array so many times, and adds up. */
uint64_t words_read(const words *array, size_t count, int64_t passes);

#endif
