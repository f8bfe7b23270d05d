/* Work of a known length that touches no memory. */
#ifndef NUMALAB_DELAY_H
#define NUMALAB_DELAY_H

#include <stdint.h>

/* How many steps of the delay loop take so long; measured when first asked. None for no time, otherwise
   at least one. */
int64_t delay_steps(double seconds);
/* Executes so many steps. */
void delay(int64_t steps);
/* The same, but begins no sooner than a value is known. */
void delay_from(int64_t steps, uint64_t value);
/* The same as the first, and counts it: in a line of the thread's own, so that counting moves nothing. */
void counted_delay(int64_t steps);
/* Counted delays that the team has executed since it was last asked. */
int64_t delays_of_team(void);
/* Seconds that so many delays, one after the other, take on the calling thread. */
double delays_take(int64_t times, int64_t steps);

/* What a waiting thread does between two looks. */
static inline void rest(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

#endif
