/* The loop over samples, and the record. */
#include "inside.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Windows of /proc/stat, which counts in 10 ms: as long as this, but the only one of a short measurement may be
   shorter. */
static const double WINDOW = 0.1, SHORTEST_WINDOW = 0.05;
enum { LEAST_SAMPLES = 3, STABLE_SAMPLES = 15 };

static void print_series(const struct bench *b, const char *name, size_t offset, int digits) {
    printf(",\"%s\":[", name);
    for (size_t i = 0; i < b->count; i++) {
        if (i) putchar(',');
        json_number(stdout, *(const double *)((const char *)&b->samples[i] + offset), digits);
    }
    putchar(']');
}

static void print_head(const struct bench *b, const char *record, const char *quantity) {
    printf("{\"record\":\"%s\",\"experiment\":", record);
    json_string(stdout, b->experiment);
    if (quantity) {
        printf(",\"quantity\":");
        json_string(stdout, quantity);
    }
    printf(",\"params\":{");
    for (int i = 0; i < b->param_count; i++) {
        if (i) putchar(',');
        json_string(stdout, b->params[i].key);
        putchar(':');
        json_string(stdout, b->params[i].value);
    }
    putchar('}');
}

static void print_measurement(const struct bench *b, const char *quantity, const char *unit, size_t values) {
    print_head(b, "measurement", quantity);
    printf(",\"unit\":");
    json_string(stdout, unit);
    printf(",\"checked\":%s", b->checked ? "true" : "false");
    print_series(b, "values", values, 6);
    print_series(b, "others", offsetof(struct sample, others), 3);
    print_series(b, "steal", offsetof(struct sample, steal), 3);
    print_series(b, "waited", offsetof(struct sample, waited), 4);
    print_series(b, "pace", offsetof(struct sample, pace), 4);
    if (b->threads > 1) {
        printf(",\"ends\":[%d,%d]", b->team[0], b->team[b->threads - 1]);
        print_series(b, "apart", offsetof(struct sample, apart), 4);
    }
    puts("}");
}

static _Noreturn void broken(const struct bench *b, const char *what) {
    fprintf(stderr, "numalab-kernels: %s: %s\n", b->experiment, what);
    exit(1);
}

void bench_check(struct bench *b, bool right, const char *what) {
    char text[256];
    snprintf(text, sizeof text, "wrong result: %s", what);
    if (!right) broken(b, text);
    b->checked = true;
}

void bench_skip(struct bench *b, const char *reason) {
    print_head(b, "skipped", b->quantity);
    printf(",\"reason\":");
    json_string(stdout, reason);
    puts("}");
    exit(0);
}

int bench_run(const char *name, void (*kernel)(struct bench *), char *const *options, int count) {
    if (count > MOST_OPTIONS) usage("%s: more than %d options", name, MOST_OPTIONS);
    struct bench b = {.experiment = name, .options = options, .option_count = count, .seconds = 0.5};
    const char *seconds = option_given(&b, "seconds");
    if (seconds) {
        char *end;
        b.seconds = strtod(seconds, &end);
        if (end == seconds || *end || !(b.seconds >= 0 && b.seconds <= 1e6))
            usage("%s: seconds: expected a number, found '%s'", name, seconds);
    }
    kernel(&b);
    if (b.count == 0 || !b.checked) broken(&b, "measured or checked nothing");
    print_measurement(&b, b.quantity, b.unit, offsetof(struct sample, value));
    if (b.beside) print_measurement(&b, b.beside, b.beside_unit, offsetof(struct sample, beside));
    free(b.samples);
    free(b.team);
    return 0;
}

void bench_start(struct bench *b, const char *quantity, const char *unit) {
    const char *wanted = option_given(b, "quantity");
    if (wanted && strcmp(wanted, quantity) != 0)
        usage("%s: quantity: expected %s, found '%s'", b->experiment, quantity, wanted);
    options_all_asked(b);
    b->quantity = quantity;
    b->unit = unit;
    if (b->threads == 0) bench_skip(b, "the kernel did not ask for its threads");
    omp_set_dynamic(0);
    omp_set_num_threads(b->threads);
    int here = 0, pinned = 0;
#pragma omp parallel reduction(+ : here, pinned)
    {
        here = 1;
        int thread = omp_get_thread_num();
        pinned = thread < b->threads && pin(b->team[thread]);
    }
    if (here < b->threads) bench_skip(b, "the OpenMP runtime gives fewer threads");
    if (pinned < here) bench_skip(b, "threads cannot be pinned to these processors");
}

void bench_beside(struct bench *b, const char *quantity, const char *unit) {
    b->beside = quantity;
    b->beside_unit = unit;
}

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, ascending);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Whether the standard error of the median is below half a per cent. The spread is that of the median
   distance from it, so that a few disturbed samples do not count. */
static bool stable(const struct bench *b) {
    double *values = array_of(b->count, sizeof *values);
    for (size_t i = 0; i < b->count; i++) values[i] = b->samples[i].value;
    double middle = median(values, b->count);
    for (size_t i = 0; i < b->count; i++) values[i] = fabs(b->samples[i].value - middle);
    double spread = 1.4826 * median(values, b->count);
    free(values);
    return 1.2533 * spread / sqrt((double)b->count) < 0.005 * fabs(middle);
}

/* Closes the window: what it saw holds for all its samples. */
static void close_window(struct bench *b) {
    struct moment end;
    quiet_now(&end);
    for (size_t i = b->first; i < b->count; i++) {
        b->samples[i].others = quiet_others(&b->opened, &end);
        b->samples[i].steal = quiet_steal(&b->opened, &end);
    }
    b->before = b->opened;
    b->earlier = b->first;
    b->opened = end;
    b->first = b->count;
}

/* The last window may be too short: it becomes one with that before it, or waits. */
static void close_last_window(struct bench *b) {
    if (b->first == b->count) return;
    if (b->first > 0) {
        b->opened = b->before;
        b->first = b->earlier;
    }
    while (now() - b->opened.at < SHORTEST_WINDOW) continue;
    close_window(b);
}

/* Stable, and long enough to say how quiet it was; or no time left. */
static bool enough(struct bench *b) {
    if (b->count < LEAST_SAMPLES) return false;
    double taken = now() - b->began;
    if (taken >= b->seconds) return true;
    if (b->count < STABLE_SAMPLES || b->count < b->next_look || taken < WINDOW) return false;
    b->next_look = b->count + b->count / 8 + 1;
    return stable(b);
}

bool bench_more(struct bench *b) {
    if (b->count == 0) {
        b->began = now();
        quiet_now(&b->opened);
    }
    if (enough(b)) {
        close_last_window(b);
        /* The kernel still checks its last result; whoever fails then prints nothing. */
        return false;
    }
    b->pace = quiet_pace();
    b->apart = quiet_apart(b);
    b->preempted = quiet_preempted();
    b->sampling = now();
    return true;
}

void bench_sample(struct bench *b, double value) { bench_sample_beside(b, value, NAN); }

void bench_sample_beside(struct bench *b, double value, double beside) {
    double end = now();
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 64;
        struct sample *more = realloc(b->samples, b->room * sizeof *more);
        if (!more) broken(b, "no memory");
        b->samples = more;
    }
    double rate = (double)(quiet_preempted() - b->preempted) / (end - b->sampling);
    b->samples[b->count++] = (struct sample){.value = value, .beside = beside, .waited = rate, .pace = b->pace, .apart = b->apart};
    if (end - b->opened.at >= WINDOW) close_window(b);
}
