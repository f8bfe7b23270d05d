/* Arrays of words that a kernel reads as fast as the core can. */
#ifndef NUMALAB_WORDS_H
#define NUMALAB_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Writes 0, 1, 2, ... into an array. */
void words_number(uint64_t *array, size_t count);
/* What they add up to. */
uint64_t words_sum(size_t count);
/* Reads the array so many times, and adds up. */
uint64_t words_read(const uint64_t *array, size_t count, int64_t passes);
/* The same of whole lines of eight words, with so many eights of other additions beside each. */
uint64_t words_read_beside(const uint64_t *array, size_t count, int64_t passes, int64_t eights);

#endif
