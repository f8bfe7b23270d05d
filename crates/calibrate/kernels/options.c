/* Options of a kernel: key=value. */
#include "inside.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void usage(const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    fputs("numalab-kernels: ", stderr);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    va_end(rest);
    exit(2);
}

/* Of a key that is given twice the last counts, so that a script can append. */
const char *option_given(struct bench *b, const char *key) {
    const char *value = NULL;
    size_t length = strlen(key);
    for (int i = 0; i < b->option_count; i++)
        if (strncmp(b->options[i], key, length) == 0 && b->options[i][length] == '=') {
            b->asked[i] = true;
            value = b->options[i] + length + 1;
        }
    return value;
}

void options_all_asked(struct bench *b) {
    char known[MOST_OPTIONS * 24] = "quantity, seconds";
    for (int i = 0; i < b->param_count; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, ", %s", b->params[i].key);
    }
    for (int i = 0; i < b->option_count; i++)
        if (!b->asked[i])
            usage("%s: expected key=value with one of the keys %s, found '%s'", b->experiment, known, b->options[i]);
}

/* The parameter becomes part of the record, unless it only says how to measure. */
static void record(struct bench *b, const char *key, const char *value) {
    if (strcmp(key, "seconds") == 0 || strcmp(key, "quantity") == 0) return;
    if (b->param_count == MOST_OPTIONS) usage("%s: more than %d parameters", b->experiment, MOST_OPTIONS);
    struct param *param = &b->params[b->param_count++];
    param->key = key;
    snprintf(param->value, sizeof param->value, "%s", value);
}

static int64_t unit_of(const char *suffix) {
    static const struct {
        const char *name;
        int64_t factor;
    } units[] = {{"", 1},
                 {"B", 1},
                 {"kB", 1000},
                 {"MB", 1000000},
                 {"GB", 1000000000},
                 {"KiB", 1 << 10},
                 {"MiB", 1 << 20},
                 {"GiB", 1 << 30}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(suffix, units[i].name) == 0) return units[i].factor;
    return 0;
}

int64_t bench_integer(struct bench *b, const char *key, int64_t otherwise, int64_t least) {
    const char *given = option_given(b, key);
    int64_t value = otherwise;
    if (given) {
        char *end;
        errno = 0;
        long long number = strtoll(given, &end, 10);
        int64_t factor = unit_of(end);
        if (errno || end == given || factor == 0 || number < 0 || number > INT64_MAX / factor)
            usage("%s: %s: expected a whole number, with kB, MB, GB, KiB, MiB or GiB where it is bytes, found '%s'",
                  b->experiment, key, given);
        value = (int64_t)number * factor;
    }
    if (value < least) usage("%s: %s: expected at least %lld, found %lld", b->experiment, key, (long long)least, (long long)value);
    char text[MOST_VALUE];
    snprintf(text, sizeof text, "%lld", (long long)value);
    record(b, key, text);
    return value;
}

int bench_choice(struct bench *b, const char *key, const char *const *words) {
    const char *given = option_given(b, key);
    int chosen = 0;
    if (given) {
        char all[512] = "";
        for (chosen = 0; words[chosen] && strcmp(words[chosen], given) != 0; chosen++) {
            size_t used = strlen(all);
            snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", words[chosen]);
        }
        if (!words[chosen]) usage("%s: %s: expected one of %s, found '%s'", b->experiment, key, all, given);
    }
    record(b, key, words[chosen]);
    return chosen;
}

/* The processors of `procs`, one of each thread. */
static int listed(struct bench *b, const char *procs) {
    int count = 1;
    for (const char *at = procs; *at; at++) count += *at == ',';
    b->team = array_of((size_t)count, sizeof *b->team);
    const char *at = procs;
    for (int i = 0; i < count; i++) {
        char *end;
        long cpu = strtol(at, &end, 10);
        if (end == at || cpu < 0 || cpu > INT_MAX || *end != (i + 1 < count ? ',' : '\0'))
            usage("%s: procs: expected processors like 0,4, found '%s'", b->experiment, procs);
        b->team[i] = (int)cpu;
        at = end + 1;
    }
    return count;
}

int bench_threads(struct bench *b, int otherwise) {
    const char *procs = option_given(b, "procs");
    if (procs) {
        otherwise = listed(b, procs);
        record(b, "procs", procs);
    }
    int64_t threads = bench_integer(b, "threads", otherwise > 0 ? otherwise : cpus(), 1);
    if (procs && threads != otherwise) usage("%s: threads=%lld, but procs has %d", b->experiment, (long long)threads, otherwise);
    char reason[80];
    snprintf(reason, sizeof reason, "needs %lld cores, and we may use %d", (long long)threads, cpus());
    if (!procs && threads > cpus()) bench_skip(b, reason);
    b->threads = (int)threads;
    if (procs) return b->threads;
    b->team = array_of((size_t)threads, sizeof *b->team);
    for (int i = 0; i < b->threads; i++) b->team[i] = cpu_at(i);
    return b->threads;
}

int bench_cpu(const struct bench *b, int thread) { return b->team ? b->team[thread] : cpu_at(thread); }
