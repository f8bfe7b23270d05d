/* Work that a team begins together. */
#include "team.h"
#include "bench.h"

#include <math.h>
#include <omp.h>

double team_time(int threads, void (*work)(int thread, void *what), void *what) {
    double first = INFINITY, last = -INFINITY;
#pragma omp parallel num_threads(threads) reduction(min : first) reduction(max : last)
    {
        int thread = omp_get_thread_num();
        /* The runtime's barrier may put threads to sleep: the second one they leave awake. */
#pragma omp barrier
#pragma omp barrier
        first = now();
        work(thread, what);
        last = now();
    }
    return last - first;
}
