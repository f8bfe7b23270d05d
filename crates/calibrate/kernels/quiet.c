/* How quiet the machine is, and the clock. */
#define _GNU_SOURCE
#include "inside.h"
#include "team.h"

#include <math.h>
#include <stdio.h>
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

/* Time in which processors were busy, and that was stolen, from the first line of /proc/stat: ticks of user, nice,
   system, idle, iowait, irq, softirq, steal. What is not idle would not do: a processor that sleeps for long may not
   have been counted as idle yet. */
static void machine_time(double *busy, double *steal) {
    static FILE *file;
    *busy = *steal = NAN;
    if (!file) file = fopen("/proc/stat", "re");
    if (!file) return;
    long long user, nice, system, irq, softirq, stolen;
    rewind(file);
    if (fscanf(file, "cpu %lld %lld %lld %*d %*d %lld %lld %lld", &user, &nice, &system, &irq, &softirq, &stolen) != 6) return;
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    *steal = tick * (double)stolen;
    *busy = tick * (double)(user + nice + system + irq + softirq);
}

void quiet_now(struct moment *moment) {
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    moment->own = seconds_of(own.ru_utime) + seconds_of(own.ru_stime);
    moment->at = now();
    machine_time(&moment->busy, &moment->steal);
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

double quiet_apart(const struct bench *b) {
    enum { TRIPS = 25, TRIES = 3 };
    double best = NAN;
    if (b->threads < 2 || b->team[0] == b->team[b->threads - 1]) return best;
    for (int i = 0; i < TRIES; i++) best = fmin(best, team_hand_over(b->threads, TRIPS));
    return best * 1e9;
}
