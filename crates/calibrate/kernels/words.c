/* Arrays of words that a kernel reads as fast as the core can. */
#include "words.h"
#include "bench.h"

/* The widest register that the flags allow. */
typedef uint64_t vector __attribute__((vector_size(__BIGGEST_ALIGNMENT__), may_alias));

enum { LANES = sizeof(vector) / sizeof(uint64_t), LINE = 64 / sizeof(uint64_t) };

void words_number(uint64_t *array, size_t count) {
    for (size_t i = 0; i < count; i++) array[i] = i;
}

uint64_t words_sum(size_t count) { return count % 2 ? (count - 1) / 2 * count : count / 2 * (count - 1); }

/* Four sums, since one addition has to wait for the last; and no pass is the same as the one before it, since
   after the barrier memory may hold something else. */
uint64_t words_read(const uint64_t *array, size_t count, int64_t passes) {
    const vector *vectors = (const vector *)array;
    size_t whole = count / (4 * LANES) * 4;
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    uint64_t sum = 0;
    for (int64_t pass = 0; pass < passes; pass++) {
        __asm__ volatile("" : : : "memory");
        for (size_t i = 0; i < whole; i += 4) {
            s0 += vectors[i];
            s1 += vectors[i + 1];
            s2 += vectors[i + 2];
            s3 += vectors[i + 3];
        }
        for (size_t i = whole * LANES; i < count; i++) sum += array[i];
    }
    s0 += s1 + s2 + s3;
    for (size_t lane = 0; lane < LANES; lane++) sum += s0[lane];
    return sum;
}

/* Four registers, so that an addition waits for none of the three before it. The barrier keeps the compiler from
   folding additions into one. */
#define ADD(register) register += one; __asm__ volatile("" : "+r"(register))

uint64_t words_read_beside(const uint64_t *array, size_t count, int64_t passes, int64_t eights) {
    uint64_t sum = 0, one = 1, a = 0, b = 0, c = 0, d = 0;
    __asm__ volatile("" : "+r"(one));
    for (int64_t pass = 0; pass < passes; pass++)
        for (size_t i = 0; i + LINE <= count; i += LINE) {
            const uint64_t *line = array + i;
            sum += line[0] + line[1] + line[2] + line[3] + line[4] + line[5] + line[6] + line[7];
            for (int64_t k = 0; k < eights; k++) {
                ADD(a); ADD(b); ADD(c); ADD(d); ADD(a); ADD(b); ADD(c); ADD(d);
            }
        }
    keep((double)(a + b + c + d));
    return sum;
}
