/* How quiet the machine is, and the clock. */
#define _GNU_SOURCE
#include "inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int64_t repeats_for(double seconds) {
    double repeats = seconds > 0 ? 1e-3 / seconds : 1e6;
    return repeats > 1e6 ? 1000000 : repeats > 1 ? (int64_t)ceil(repeats) : 1;
}

static double seconds_of(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

/* Lines of single processors: those whose name goes on after "cpu". */
static int count_processors(FILE *file) {
    char line[512];
    int count = 0;
    rewind(file);
    while (fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0) count += line[3] != ' ';
    return count;
}

/* Time in which processors were not idle, and that was stolen, from the first line of /proc/stat: ticks of user, nice,
   system, idle, iowait, irq, softirq, steal. Idle time is measured, while busy time is often only what was seen at the
   ticks; so busy is what is not idle. */
static void machine_time(double at, double *busy, double *steal) {
    static FILE *file;
    static int processors;
    *busy = *steal = NAN;
    if (!file) file = fopen("/proc/stat", "re");
    if (!file) return;
    if (processors == 0) processors = count_processors(file);
    long long idle, waiting, stolen;
    rewind(file);
    if (fscanf(file, "cpu %*d %*d %*d %lld %lld %*d %*d %lld", &idle, &waiting, &stolen) != 3) return;
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    *steal = tick * (double)stolen;
    *busy = processors * at - tick * (double)(idle + waiting) - *steal;
}

void quiet_now(struct moment *moment) {
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    moment->own = seconds_of(own.ru_utime) + seconds_of(own.ru_stime);
    moment->at = now();
    machine_time(moment->at, &moment->busy, &moment->steal);
}

/* Ticks are coarse: less than nobody is nobody. */
double quiet_others(const struct moment *from, const struct moment *to) {
    double others = (to->busy - from->busy) - (to->own - from->own);
    return others < 0 ? 0 : others / (to->at - from->at);
}

double quiet_steal(const struct moment *from, const struct moment *to) {
    return (to->steal - from->steal) / (to->at - from->at);
}

long quiet_preempted(void) {
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    return own.ru_nivcsw;
}

/* Registers are added, since cores fold additions of small constants into one. The barriers keep the compiler
   from doing the same. */
double chain(int64_t steps) {
    uint64_t sum = 0, one = 1;
    __asm__ volatile("" : "+r"(one));
#define ADD                                  \
    sum += one;                              \
    __asm__ volatile("" : "+r"(sum))
    double start = now();
    for (int64_t i = 0; i < steps; i += 8) {
        ADD; ADD; ADD; ADD; ADD; ADD; ADD; ADD;
    }
    double taken = now() - start;
    return sum >= (uint64_t)steps ? taken : NAN;
}

double quiet_pace(void) {
    enum { STEPS = 24000, TRIES = 3 };
    double best = INFINITY;
    for (int i = 0; i < TRIES; i++) best = fmin(best, chain(STEPS));
    return best * 1e9 / STEPS;
}
