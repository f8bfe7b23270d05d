/* Numbers for kernels. */
#include "bench.h"

/* xorshift64*; the state must not be 0. */
uint64_t random_next(uint64_t *state) {
    uint64_t x = *state ? *state : 0x9e3779b97f4a7c15u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1du;
}

void keep(double value) {
    static volatile double kept;
    kept = value;
    (void)kept;
}
