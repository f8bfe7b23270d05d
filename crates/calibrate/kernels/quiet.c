/* How quiet the machine is, and the clock. */
#define _GNU_SOURCE
#include "inside.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
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

/* The first line of /proc/stat: ticks of user, nice, system, idle, iowait, irq, softirq, steal. */
static void machine_time(double *busy, double *steal) {
    *busy = *steal = NAN;
    static int file = -1;
    if (file < 0) file = open("/proc/stat", O_RDONLY | O_CLOEXEC);
    char line[256];
    ssize_t length = file < 0 ? -1 : pread(file, line, sizeof line - 1, 0);
    if (length <= 0) return;
    line[length] = '\0';
    long long user, nice, system, irq, softirq, stolen;
    if (sscanf(line, "cpu %lld %lld %lld %*d %*d %lld %lld %lld", &user, &nice, &system, &irq, &softirq, &stolen) != 6)
        return;
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    *busy = tick * (double)(user + nice + system + irq + softirq);
    *steal = tick * (double)stolen;
}

void quiet_now(struct moment *moment) {
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    machine_time(&moment->busy, &moment->steal);
    moment->own = seconds_of(own.ru_utime) + seconds_of(own.ru_stime);
    moment->at = now();
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
