/* What a task costs: all threads of a team create tasks with a delay each and wait for them ("parallel task
   generation" of EPCC's taskbench).

   overhead = (time - delays of one thread's share) / share,  share = max(1, executions / threads) */
#include "bench.h"
#include "delay.h"

static void generate(int64_t share, int64_t steps) {
#pragma omp parallel
    {
        for (int64_t i = 0; i < share; i++) {
#pragma omp task
            counted_delay(steps);
        }
#pragma omp taskwait
    }
}

void epcc_task(struct bench *b) {
    enum { WARM = 10 };
    int64_t executions = bench_integer(b, "executions", 1000, 1);
    int64_t delay_ns = bench_integer(b, "delay_ns", 100, 0);
    int64_t threads = bench_threads(b, 0);
    bench_start(b, "overhead", "us");

    int64_t share = executions / threads > 0 ? executions / threads : 1;
    int64_t steps = delay_steps((double)delay_ns * 1e-9);

    while (bench_more(b)) {
        /* First, or the team would fall asleep before the test. */
        double alone = delays_take(share, steps);
        generate(WARM, steps);
        double start = now();
        generate(share, steps);
        double together = now() - start;
        bench_sample(b, (together - alone) / (double)share * 1e6);
        bench_check(b, delays_of_team() == (WARM + share) * threads, "every task is executed once");
    }
}
