/* A program whose regions, chunks and tasks do nothing: what they take is the cost of recording them, and of the
 * runtime's part of them. It calls LLVM's OpenMP runtime by the names that clang uses, so that any C compiler builds
 * it. The runtime must be preloaded. Argument: number of regions of each kind.
 *
 * Prints the bytes a second that one thread streams. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int32_t number;
/* The runtime's description of a place in the source. */
typedef struct {
    number reserved, flags, more, size;
    const char *source;
} place;
typedef void (*body)(number *thread, number *bound, ...);

enum { CHUNKS = 8, TASKS = 64, TASK_BYTES = 40, IS_LOOP = 0x200, STATIC = 34, DYNAMIC = 35 };

static place here = {0, 2, 0, 22, ";null;null;1;1;;"}, loop = {0, 2 | IS_LOOP, 0, 22, ";null;null;1;1;;"};
static void (*fork_call)(place *, number, body, ...);
static void (*static_init)(place *, number, number, number *, number *, number *, number *, number, number);
static void (*static_fini)(place *, number);
static void (*dispatch_init)(place *, number, number, number, number, number, number);
static number (*dispatch_next)(place *, number, number *, number *, number *, number *);
static number (*single)(place *, number);
static void (*end_single)(place *, number);
static void *(*task_alloc)(place *, number, number, size_t, size_t, number (*)(number, void *));
static number (*task)(place *, number, void *);
static number (*taskwait)(place *, number);
static number members;

static void nothing(number *thread, number *bound, ...) {
    (void)thread, (void)bound;
}

static void static_loop(number *thread, number *bound, ...) {
    (void)bound;
    number last = 0, lower = 0, upper = members - 1, stride = 1;
    static_init(&loop, *thread, STATIC, &last, &lower, &upper, &stride, 1, 1);
    static_fini(&loop, *thread);
}

static void dynamic_loop(number *thread, number *bound, ...) {
    (void)bound;
    number last, lower, upper, stride;
    dispatch_init(&loop, *thread, DYNAMIC, 0, CHUNKS * members - 1, 1, 1);
    while (dispatch_next(&loop, *thread, &last, &lower, &upper, &stride)) {
    }
}

static number no_work(number thread, void *work) {
    (void)thread, (void)work;
    return 0;
}

static void tasks(number *thread, number *bound, ...) {
    (void)bound;
    if (!single(&here, *thread))
        return;
    for (int at = 0; at < TASKS; at++)
        task(&here, *thread, task_alloc(&here, *thread, 1, TASK_BYTES, 0, no_work));
    taskwait(&here, *thread);
    end_single(&here, *thread);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The best of some sums of an array beyond the caches. */
static double bandwidth(void) {
    size_t words = (size_t)48 << 17;
    volatile uint64_t result;
    uint64_t *list = malloc(words * sizeof *list);
    double best = 0;
    if (list == NULL)
        return 0;
    for (size_t at = 0; at < words; at++)
        list[at] = at;
    for (int round = 0; round < 5; round++) {
        uint64_t sums[8] = {0};
        double start = now();
        for (size_t at = 0; at < words; at += 8)
            for (size_t lane = 0; lane < 8; lane++)
                sums[lane] += list[at + lane];
        double rate = (double)(words * sizeof *list) / (now() - start);
        best = rate > best ? rate : best;
        for (int lane = 0; lane < 8; lane++)
            result = sums[lane];
    }
    (void)result;
    free(list);
    return best;
}

static int find(void *to, const char *name) {
    *(void **)to = dlsym(RTLD_DEFAULT, name);
    return *(void **)to != NULL;
}

int main(int count, char **words) {
    int regions = count > 1 ? atoi(words[1]) : 8;
    const char *team = getenv("OMP_NUM_THREADS");
    members = team == NULL ? 2 : atoi(team);
    if (!find(&fork_call, "__kmpc_fork_call") || !find(&static_init, "__kmpc_for_static_init_4") ||
        !find(&static_fini, "__kmpc_for_static_fini") || !find(&dispatch_init, "__kmpc_dispatch_init_4") ||
        !find(&dispatch_next, "__kmpc_dispatch_next_4") || !find(&single, "__kmpc_single") ||
        !find(&end_single, "__kmpc_end_single") || !find(&task_alloc, "__kmpc_omp_task_alloc") ||
        !find(&task, "__kmpc_omp_task") || !find(&taskwait, "__kmpc_omp_taskwait"))
        return 1;
    for (int region = 0; region < regions; region++)
        fork_call(&here, 0, nothing);
    for (int region = 0; region < regions; region++)
        fork_call(&here, 0, static_loop);
    for (int region = 0; region < regions; region++)
        fork_call(&here, 0, dynamic_loop);
    for (int region = 0; region < regions; region++)
        fork_call(&here, 0, tasks);
    printf("%.0f\n", bandwidth());
    return 0;
}
