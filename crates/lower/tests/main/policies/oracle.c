/* Prints the chunks that the OpenMP runtime hands out under OMP_SCHEDULE, one a line: thread, first iteration, end.
   Threads ask in turn, each for one chunk; with a second argument each asks until it gets none. */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef GNU
_Bool GOMP_loop_runtime_start(long, long, long, long *, long *);
_Bool GOMP_loop_runtime_next(long *, long *);
void GOMP_loop_end_nowait(void);

static int ask(int first, long n, long *from, long *to)
{
    return first ? GOMP_loop_runtime_start(0, n, 1, from, to) : GOMP_loop_runtime_next(from, to);
}
#else
typedef struct {
    int reserved_1, flags, reserved_2, reserved_3;
    const char *source;
} place;
void __kmpc_dispatch_init_4(place *, int, int, int, int, int, int);
int __kmpc_dispatch_next_4(place *, int, int *, int *, int *, int *);
int __kmpc_global_thread_num(place *);
static place here = {0, 2, 0, 0, ";oracle;main;1;1;;"};

static int ask(int thread, long *from, long *to)
{
    int last, lower, upper, step;
    int has = __kmpc_dispatch_next_4(&here, thread, &last, &lower, &upper, &step);
    *from = lower;
    *to = upper + 1L;
    return has;
}
#endif

static volatile int turn, left;

int main(int count, char **words)
{
    long n = count > 1 ? atol(words[1]) : 0;
    int alone = count > 2;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads(), first = 1, over = 0;
        long from, to;
#pragma omp single
        left = all;
#ifndef GNU
        int number = __kmpc_global_thread_num(&here);
        __kmpc_dispatch_init_4(&here, number, KIND, 0, (int)n - 1, 1, 1);
#endif
#pragma omp barrier
        for (;;) {
            while (turn != me)
                sched_yield();
            if (!over) {
#ifdef GNU
                int has = ask(first, n, &from, &to);
#else
                int has = ask(number, &from, &to);
#endif
                first = 0;
                if (has)
                    printf("%d %ld %ld\n", me, from, to);
                else {
                    over = 1;
                    left--;
                }
            }
            int none = left == 0;
            __sync_synchronize();
            turn = alone && !over ? me : (me + 1) % all;
            if (none)
                break;
        }
#ifdef GNU
        GOMP_loop_end_nowait();
#endif
    }
    return 0;
}
