/* What options.c, bench.c and quiet.c share; kernels do not see it. */
#ifndef NUMALAB_INSIDE_H
#define NUMALAB_INSIDE_H

#include "bench.h"

#include <stdio.h>

enum { MOST_OPTIONS = 32, MOST_VALUE = 64 };

/* A parameter of the record. */
struct param {
    const char *key;
    char value[MOST_VALUE];
};

/* Counters of the whole machine and of this program, in seconds. */
struct moment {
    double at;    /* monotonic clock */
    double busy;  /* of all processors together; NAN where the system does not say */
    double steal; /* the same of the hypervisor's other guests */
    double own;   /* processor time of this program */
};

struct sample {
    double value, beside, others, steal, waited, pace, apart;
};

struct bench {
    const char *experiment, *quantity, *unit;
    const char *beside, *beside_unit; /* a second quantity, or NULL */
    char *const *options; /* key=value */
    int option_count;
    bool asked[MOST_OPTIONS];
    struct param params[MOST_OPTIONS];
    int param_count;
    double seconds;
    int threads;
    int *team; /* processor of each thread */

    struct sample *samples;
    size_t count, room;
    size_t next_look;      /* number of samples at which to look for stability again */
    double began;          /* the first sample */
    struct moment opened;  /* the current window */
    size_t first, earlier; /* first sample of the current window, and of the one before */
    struct moment before;  /* start of the window before */
    double pace, apart;    /* before the current sample */
    double sampling;       /* start of the current sample */
    long preempted;        /* and preemptions until then */
    bool checked;
};

/* The value given for a key, or NULL. */
const char *option_given(struct bench *b, const char *key);
/* Ends the program where an option was given that the kernel did not ask for. */
void options_all_asked(struct bench *b);
/* Ends the program with status 2. */
_Noreturn void usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

void quiet_now(struct moment *moment);
/* Processors that others kept busy, and that were stolen, between two moments. */
double quiet_others(const struct moment *from, const struct moment *to);
double quiet_steal(const struct moment *from, const struct moment *to);
long quiet_preempted(void);
/* Nanoseconds of a step of a chain of dependent additions, of the best of three tries. */
double quiet_pace(void);
/* Nanoseconds in which the first and the last thread of a team hand each other a line, of the best of three tries: how far apart
   they are, which a hypervisor changes. NAN for a team of one, or whose ends are one processor. */
double quiet_apart(const struct bench *b);

/* A JSON string with its quotes, and a number (null where it is not finite). */
void json_string(FILE *to, const char *text);
void json_number(FILE *to, double value, int digits);

/* Runs an experiment with options key=value; the exit status. */
int bench_run(const char *name, void (*kernel)(struct bench *), char *const *options, int count);

/* The list in main.c. */
struct experiment {
    const char *name;
    void (*run)(struct bench *b);
};
extern const struct experiment experiments[];

int host_print(void);
int plan_print(bool tiny);

#endif
