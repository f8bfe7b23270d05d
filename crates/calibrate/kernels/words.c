#include "words.h"

enum { WORDS = sizeof(words) / sizeof(uint64_t) };

void words_number(words *array, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < WORDS; j++) array[i][j] = i * WORDS + j;
}

uint64_t words_sum(size_t count) {
    uint64_t all = count * WORDS;
    return all % 2 ? (all - 1) / 2 * all : all / 2 * (all - 1);
}

/* A pass must not become a multiplication: after the barrier memory may hold something else. */
uint64_t words_read(const words *array, size_t count, int64_t passes) {
    words sum = {0};
    for (int64_t pass = 0; pass < passes; pass++) {
        __asm__ volatile("" : : : "memory");
        for (size_t i = 0; i < count; i++) sum += array[i];
    }
    uint64_t total = 0;
    for (size_t j = 0; j < WORDS; j++) total += sum[j];
    return total;
}
