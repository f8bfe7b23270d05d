/* A chain of dependent multiplications and additions, so that neither a wide core nor a compiler can shorten it. */
#include "delay.h"

#include "bench.h"

/* A delay goes on where the thread's last one ended: otherwise a core would begin the next one before. Through memory,
   so that it begins no sooner than what was waited for before it. */
static uint64_t last = 1;
#pragma omp threadprivate(last)

void delay(int64_t steps) { delay_from(steps, 0); }

void delay_from(int64_t steps, uint64_t value) {
    uint64_t x = last + value;
    for (int64_t i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    *(volatile uint64_t *)&last = x;
}

static double once(int64_t times, int64_t steps) {
    double start = now();
    for (int64_t i = 0; i < times; i++)
        delay(steps);
    return now() - start;
}

/* The fastest of a few: who is interrupted is slower, nothing makes a chain faster. */
static double fastest(int tries, int64_t times, int64_t steps) {
    double best = once(times, steps);
    for (int i = 1; i < tries; i++) {
        double seconds = once(times, steps);
        best = seconds < best ? seconds : best;
    }
    return best;
}

double delays_take(int64_t times, int64_t steps) { return fastest(3, times, steps); }

int64_t delay_steps(double seconds) {
    enum { STEPS = 100000, TRIES = 10 };
    static double step;
    if (seconds <= 0)
        return 0;
    if (step <= 0)
        step = fastest(TRIES, 1, STEPS) / STEPS;
    int64_t steps = (int64_t)(seconds / step + 0.5);
    return steps < 1 ? 1 : steps;
}

static int64_t done;
#pragma omp threadprivate(done)

void counted_delay(int64_t steps) {
    delay(steps);
    done++;
}

int64_t delays_of_team(void) {
    int64_t all = 0;
#pragma omp parallel reduction(+ : all)
    {
        all += done;
        done = 0;
    }
    return all;
}
