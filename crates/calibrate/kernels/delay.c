/* A chain of dependent multiplications and additions, so that neither a wide core nor a compiler can shorten it. */
#include "delay.h"

#include "bench.h"

void delay(int64_t steps) {
    uint64_t x = 1;
    for (int64_t i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    /* Never true for as few steps as anybody waits, but the compiler does not know. */
    if (x == 0)
        keep((double)x);
}

double delays_take(int64_t times, int64_t steps) {
    double start = now();
    for (int64_t i = 0; i < times; i++)
        delay(steps);
    return now() - start;
}

/* The fastest of a few: who is interrupted is slower, nothing makes a chain faster. */
static double seconds_of_a_step(void) {
    enum { STEPS = 100000, TRIES = 10 };
    double best = delays_take(1, STEPS);
    for (int i = 1; i < TRIES; i++) {
        double seconds = delays_take(1, STEPS);
        best = seconds < best ? seconds : best;
    }
    return best / STEPS;
}

int64_t delay_steps(double seconds) {
    static double step;
    if (seconds <= 0)
        return 0;
    if (step <= 0)
        step = seconds_of_a_step();
    int64_t steps = (int64_t)(seconds / step + 0.5);
    return steps < 1 ? 1 : steps;
}
