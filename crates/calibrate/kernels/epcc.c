/* What an OpenMP construct costs: it is executed many times around a delay, and what one execution takes longer than
   the delay alone is its overhead (the method of EPCC's syncbench). */
#include "bench.h"
#include "delay.h"

#include <omp.h>

/* Counts without protection what only one thread at a time may do. A line more to hand over, so not while the clock
   runs. */
static bool watched;
static bool disordered;
static int64_t inside;

/* What the atomic updates and the reductions yield. */
static _Alignas(256) int64_t sum;

static void body(int64_t steps) {
    counted_delay(steps);
    if (watched)
        inside++;
}

static void test_parallel(int64_t times, int64_t steps) {
    for (int64_t i = 0; i < times; i++) {
#pragma omp parallel
        body(steps);
    }
}

static void test_for(int64_t times, int64_t steps) {
#pragma omp parallel
    for (int64_t i = 0; i < times; i++) {
#pragma omp for schedule(static)
        for (int j = 0; j < omp_get_num_threads(); j++)
            body(steps);
    }
}

static void test_parallel_for(int64_t times, int64_t steps) {
    int threads = omp_get_max_threads();
    for (int64_t i = 0; i < times; i++) {
#pragma omp parallel for schedule(static)
        for (int j = 0; j < threads; j++)
            body(steps);
    }
}

static void test_barrier(int64_t times, int64_t steps) {
#pragma omp parallel
    for (int64_t i = 0; i < times; i++) {
        body(steps);
#pragma omp barrier
    }
}

static void test_single(int64_t times, int64_t steps) {
#pragma omp parallel
    for (int64_t i = 0; i < times; i++) {
#pragma omp single
        body(steps);
    }
}

static void test_critical(int64_t times, int64_t steps) {
#pragma omp parallel
    for (int64_t i = 0; i < times; i++) {
#pragma omp critical
        body(steps);
    }
}

static void test_lock(int64_t times, int64_t steps) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    for (int64_t i = 0; i < times; i++) {
        omp_set_lock(&lock);
        body(steps);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

static void test_atomic(int64_t times, int64_t steps) {
    (void)steps;
#pragma omp parallel
    for (int64_t i = 0; i < times; i++) {
#pragma omp atomic
        sum += 1;
    }
}

static void test_reduction(int64_t times, int64_t steps) {
    for (int64_t i = 0; i < times; i++) {
        int64_t bodies = 0;
#pragma omp parallel reduction(+ : bodies)
        {
            body(steps);
            bodies += 1;
        }
        sum += bodies;
    }
}

/* The turn goes round: iteration i is thread i mod threads's. */
static void test_ordered(int64_t times, int64_t steps) {
    int64_t iterations = times * omp_get_max_threads();
#pragma omp parallel for ordered schedule(static, 1)
    for (int64_t i = 0; i < iterations; i++) {
#pragma omp ordered
        {
            if (watched && inside != i)
                disordered = true;
            body(steps);
        }
    }
}

/* What the time of a test is compared with: the delays, or what an atomic addition would be if it were plain. */
static double reference(bool atomic, int64_t times, int64_t steps) {
    if (!atomic)
        return delays_take(times, steps);
    double start = now();
    int64_t plain = 0;
    for (int64_t i = 0; i < times; i++) {
        plain += 1;
        __asm__ volatile("" : "+r"(plain));
    }
    return now() - start;
}

/* Who takes part in an execution. `SHARED`: executions are divided over the threads. */
enum taking_part { EVERYBODY, ONE, SHARED };

static const struct construct {
    const char *name;
    void (*test)(int64_t times, int64_t steps);
    enum taking_part who;
} constructs[] = {
    {"parallel", test_parallel, EVERYBODY},
    {"for", test_for, EVERYBODY},
    {"parallel-for", test_parallel_for, EVERYBODY},
    {"barrier", test_barrier, EVERYBODY},
    {"single", test_single, ONE},
    {"critical", test_critical, SHARED},
    {"lock", test_lock, SHARED},
    {"atomic", test_atomic, SHARED},
    {"reduction", test_reduction, EVERYBODY},
    {"ordered", test_ordered, SHARED},
};

enum { CONSTRUCTS = sizeof constructs / sizeof constructs[0] };

/* Bodies where there are any, additions where there are any. */
static void check_counts(struct bench *b, const struct construct *c, int64_t expected) {
    bool atomic = c->test == test_atomic, adds = atomic || c->test == test_reduction;
    bench_check(b, delays_of_team() == (atomic ? 0 : expected), "every body is executed once");
    bench_check(b, sum == (adds ? expected : 0), "every addition arrives");
    sum = 0;
}

void epcc(struct bench *b) {
    const char *words[CONSTRUCTS + 1] = {NULL};
    for (int i = 0; i < CONSTRUCTS; i++)
        words[i] = constructs[i].name;
    const struct construct *c = &constructs[bench_choice(b, "construct", words)];
    int64_t executions = bench_integer(b, "executions", 1000, 1);
    int64_t delay_ns = bench_integer(b, "delay_ns", 100, 0);
    int64_t threads = bench_threads(b, 0);
    bench_start(b, "overhead", "us");

    bool atomic = c->test == test_atomic;
    int64_t times = executions, executed = executions, warm = 10;
    if (c->who == SHARED) {
        times = executions / threads > 0 ? executions / threads : 1;
        executed = times * threads;
        warm = 1;
    }
    int64_t bodies = c->who == ONE ? 1 : threads;
    int64_t steps = delay_steps((double)delay_ns * 1e-9);

    while (bench_more(b)) {
        /* First, or the team would fall asleep before the test. */
        double alone = reference(atomic, executed, steps);
        c->test(warm, steps);
        double start = now();
        c->test(times, steps);
        double together = now() - start;
        bench_sample(b, (together - alone) / (double)executed * 1e6);
        check_counts(b, c, (warm + times) * bodies);
    }

    if (c->who == EVERYBODY || atomic)
        return;
    watched = true;
    inside = 0;
    c->test(times, steps);
    watched = false;
    bench_check(b, inside == times * bodies, "one thread at a time");
    bench_check(b, !disordered, "in the order of the iterations");
}
