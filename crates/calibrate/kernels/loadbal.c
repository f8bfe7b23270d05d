/* Load balancing of unequal packages of work: package i is a vector addition c = a + b as long as i + 1 parts. Pages
   lie where a static loop has touched them first; the measured loop has the schedule that is asked for, or is tasks. */
#include "bench.h"
#include "simd.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct work {
    int64_t packages, length;
    double *a, *b, *c;
};

/* The element at which package i begins. */
static int64_t begin(const struct work *w, int64_t i) {
    double packages = (double)w->packages;
    return (int64_t)((double)w->length * ((double)i / packages) * ((double)(i + 1) / (packages + 1)));
}

/* Small integers, so that sums are exact. */
static double left(int64_t k) { return (double)(k % 1021); }
static double right(int64_t k) { return (double)(k % 2039); }

static void touch(const struct work *w, int64_t i) {
    for (int64_t k = begin(w, i); k < begin(w, i + 1); k++) {
        w->a[k] = left(k);
        w->b[k] = right(k);
        w->c[k] = -1;
    }
}

static void add(const struct work *w, int64_t i) {
    int64_t first = begin(w, i), count = begin(w, i + 1) - first;
    const double *restrict a = w->a + first, *restrict b = w->b + first;
    double *restrict c = w->c + first;
#pragma omp simd
    for (int64_t k = 0; k < count; k++)
        c[k] = a[k] + b[k];
}

static void initialise(const struct work *w) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < w->packages; i++)
        touch(w, i);
}

static void work_in_loop(const struct work *w) {
#pragma omp parallel for schedule(runtime)
    for (int64_t i = 0; i < w->packages; i++)
        add(w, i);
}

/* A thread creates a task for each package that it has touched. */
static void work_in_tasks(const struct work *w) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < w->packages; i++) {
#pragma omp task
        add(w, i);
    }
}

static bool sums_are_right(const struct work *w) {
    int64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
    for (int64_t k = 0; k < w->length; k++) {
        wrong += w->c[k] != left(k) + right(k);
        w->c[k] = -1;
    }
    return wrong == 0;
}

/* kind[,chunk] */
static void set_schedule(const char *word) {
    const char *comma = strchr(word, ',');
    omp_sched_t kind = *word == 's' ? omp_sched_static : *word == 'd' ? omp_sched_dynamic : omp_sched_guided;
    omp_set_schedule(kind, comma ? atoi(comma + 1) : 0);
}

void loadbal(struct bench *b) {
    static const char *const schedules[] = {"static",    "dynamic",   "guided",     "tasks",    "static,1",  "static,4",
                                            "static,16", "dynamic,4", "dynamic,16", "guided,4", "guided,16", NULL};
    const char *schedule = schedules[bench_choice(b, "schedule", schedules)];
    int64_t packages = bench_integer(b, "packages", 3840, 1);
    int64_t footprint = bench_integer(b, "footprint", 384 << 20, 3 * sizeof(double));
    bench_threads(b, 0);
    bench_start(b, "makespan", "ms");

    int64_t length = footprint / 3 / (int64_t)sizeof(double);
    size_t bytes = (size_t)length * sizeof(double);
    struct work w = {packages, length, map_pages(bytes, false), map_pages(bytes, false), map_pages(bytes, false)};
    initialise(&w);
    bool tasks = strcmp(schedule, "tasks") == 0;
    if (!tasks)
        set_schedule(schedule);

    while (bench_more(b)) {
        double start = now();
        if (tasks)
            work_in_tasks(&w);
        else
            work_in_loop(&w);
        bench_sample(b, (now() - start) * 1e3);
    }
    bench_check(b, sums_are_right(&w), "every element of c is the sum of those of a and b");
    unmap_pages(w.a, bytes);
    unmap_pages(w.b, bytes);
    unmap_pages(w.c, bytes);
}
