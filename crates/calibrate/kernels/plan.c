/* Which measurements make sense on this machine, one command line each. */
#include "inside.h"
#include "plan.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

enum { MOST_LINES = 1024, MOST_LENGTH = 160, MOST_PAIRS = 8, NEAR_NODES = 8 };

static const int64_t KIB = 1 << 10, MIB = 1 << 20;

/* Measurements that say what the machine is, and those that a simulation of it should predict. */
struct lines {
    int count;
    char lines[MOST_LINES][MOST_LENGTH];
};
static struct lines characterise, predict;
static bool tiny;

static void add(struct lines *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct lines *to, const char *format, ...) {
    if (to->count == MOST_LINES) return;
    va_list rest;
    va_start(rest, format);
    vsnprintf(to->lines[to->count++], MOST_LENGTH, format, rest);
    va_end(rest);
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* 1, 2, 4, ... and all. */
static int next_team(int threads) { return threads == cpus() ? cpus() + 1 : (int)least(2 * threads, cpus()); }

/* The largest footprint: beyond the caches that are claimed, and far enough where a guest is told less than it gets. */
static int64_t far(void) {
    int64_t largest = most(4 * last_level(cpu_at(0)), 256 * MIB), size = 4 * KIB;
    largest = tiny ? 256 * KIB : least(least(largest, 512 * MIB), free_memory() / 8);
    while (size * (tiny ? 8 : 2) <= largest) size *= tiny ? 8 : 2;
    return size;
}

/* What each thread of a team streams: so much that memory matters, as far as there is memory. */
static int64_t share_of(int threads) {
    int64_t share = most(least(4 * all_last_levels() / threads, 256 * MIB), 16 * MIB);
    return tiny ? 64 * KIB : most(least(share, free_memory() / 4 / threads), MIB);
}

/* Buffers for lines in random order, and how far the core sees: well inside a core's own caches, whatever is claimed; in those
   around them, beside a stream too; and in memory. */
static void in_random_order(int64_t memory) {
    int64_t own = inner_level(cpu_at(0)), inside[] = {own / 4, 2 * own};
    for (int i = 0; i < 2 && 2 * own < memory; i++) {
        for (int adds = 0; adds <= 64; adds += 32)
            add(&characterise, "random_reads footprint=%lld adds=%d threads=1", (long long)inside[i], adds);
        add(&characterise, "random_reads footprint=%lld beside=1 stream=%lld threads=1", (long long)inside[i], (long long)memory);
    }
    for (int adds = 0; adds <= 64; adds += 32)
        add(&characterise, "random_reads footprint=%lld adds=%d threads=1", (long long)memory, adds);
}

/* From the first-level cache to far beyond the last; then the farther nodes. */
static void by_footprint(void) {
    int64_t last = far();
    for (int64_t size = 4 * KIB; size <= last; size *= tiny ? 8 : 2)
        add(&characterise, "pointer_chase footprint=%lld threads=1", (long long)size);
    /* Beside those on huge pages: what translations take. */
    for (int64_t size = tiny ? last : 4 * MIB; size <= last; size *= 8)
        add(&characterise, "pointer_chase quantity=latency_on_small_pages footprint=%lld threads=1", (long long)size);
    for (int64_t size = 4 * KIB; size <= last; size *= tiny ? 8 : 4)
        add(&characterise, "serial_bandwidth footprint=%lld threads=1", (long long)size);
    /* How much of computing passes while memory is waited for. */
    for (int adds = 32; adds <= 96; adds += 32)
        add(&characterise, "serial_bandwidth footprint=%lld adds=%d threads=1", (long long)last, adds);
    in_random_order(last);
    int here = memory_of_cpu(cpu_at(0)), from = node_of_cpu(cpu_at(0));
    for (int i = 0; i < nodes(); i++) {
        /* All nodes of a small machine: its distances may be wrong. One of each distance of a large one. */
        bool known = i == here;
        for (int j = 0; j < i && nodes() > NEAR_NODES; j++) known |= node_distance(from, node_at(j)) == node_distance(from, node_at(i));
        if (known) continue;
        add(&characterise, "pointer_chase footprint=%lld threads=1 node=%d", (long long)last, node_at(i));
        add(&characterise, "serial_bandwidth footprint=%lld threads=1 node=%d", (long long)last, node_at(i));
    }
}

/* How long a load takes while the others of its node stream: hardly, and as fast as they can. */
static void under_load(void) {
    static const int LOADS[] = {5, 50, 85, 100};
    int of_node = 0;
    while (of_node < cpus() && node_of_cpu(cpu_at(of_node)) == node_of_cpu(cpu_at(0))) of_node++;
    long long footprint = far(), share = share_of((int)most(of_node - 1, 1));
    for (int i = 0; i < 4; i++)
        add(&characterise, "loaded_latency footprint=%lld share=%lld load=%d threads=%d", footprint, share, LOADS[i], of_node);
}

static void by_threads(void) {
    static const char *const KINDS[] = {"read", "write", "copy", "triad"};
    long long touched = tiny ? 256 * KIB : 64 * MIB;
    for (int threads = 1; threads <= cpus(); threads = next_team(threads)) {
        int64_t share = share_of(threads);
        for (int kind = 0; kind < 4; kind++)
            add(&characterise, "parallel_bandwidth quantity=%s_bandwidth share=%lld threads=%d", KINDS[kind], (long long)share, threads);
        add(&characterise, "first_touch_init size=%lld threads=%d", touched, threads);
        add(&characterise, "malloc block=1000000 threads=%d", threads);
    }
}

static void between_nodes(void) {
    long long chunk = tiny ? 64 * KIB : 16 * MIB;
    if (nodes() < 2) return;
    for (int step = 0; step < cpus(); step = step ? 2 * step : 1)
        add(&characterise, "memory_go_around chunk=%lld step=%d threads=%d", chunk, step, cpus());
    add(&characterise, "page_migration size=%lld node=%d threads=1", tiny ? 64LL * KIB : 16LL * MIB, node_at(nodes() - 1));
}

/* How near two processors are: the same for all pairs of a kind. */
static int kind_of_pair(int a, int b) {
    int node = node_of_cpu(a), other = node_of_cpu(b);
    bool cache = cache_of_cpu(a) == cache_of_cpu(b), package = package_of_cpu(a) == package_of_cpu(b);
    return 4 * node_distance(node, other) + 2 * package + cache;
}

/* Two processors hand a line to and fro; and both compute, to see whether they share what computes. */
static void of_pair(int a, int b) {
    add(&characterise, "core_to_core procs=%d,%d", a, b);
    add(&characterise, "compute quantity=instructions_per_ns procs=%d,%d", a, b);
}

/* What passes beside the wait for the line of an atomic operation, and how fast a line goes round that is waited for. */
static void of_atomics(int a, int b) {
    static const char *const ORDERS[] = {"none", "chained", "before", "after"};
    for (int i = 0; i < 4; i++) add(&characterise, "atomic_order order=%s procs=%d,%d", ORDERS[i], a, b);
    add(&characterise, "contended_word procs=%d,%d", a, b);
}

static void between_cores(void) {
    int kinds[MOST_PAIRS], pairs = 0, first = cpu_at(0), sibling = sibling_of_cpu(first);
    if (sibling >= 0) {
        of_pair(first, sibling);
        kinds[pairs++] = -1;
    }
    for (int i = 1; i < cpus() && pairs < MOST_PAIRS; i++) {
        int kind = kind_of_pair(first, cpu_at(i)), known = 0;
        while (known < pairs && kinds[known] != kind) known++;
        if (known < pairs) continue;
        of_pair(first, cpu_at(i));
        if (i == 1) of_atomics(first, cpu_at(i));
        kinds[pairs++] = kind;
    }
}

/* So many that runtimes whose queues are full execute most of them at once, and so few that all are queued. */
static void of_tasks(int threads, const char *less) {
    enum { QUEUED = 60 };
    add(&characterise, "epcc_task %sthreads=%d", less, threads);
    add(&characterise, "epcc_task executions=%d threads=%d", QUEUED * threads, threads);
}

static void of_openmp(void) {
    static const char *const CONSTRUCTS[] = {"for", "barrier", "single", "critical", "atomic", "reduction"};
    static const char *const ALONE[] = {"for", "barrier", "single", "critical", "atomic"};
    static const char *const LOCKS[] = {"mcs", "ticket", "test-and-set", "test-and-test-and-set", "backoff"};
    const char *less = tiny ? "executions=20 " : "";
    for (int threads = 1; threads <= cpus(); threads = next_team(threads))
        add(&characterise, "epcc construct=parallel %sthreads=%d", less, threads);
    /* What a thread does by itself shows best where it is alone. */
    for (int i = 0; i < 5; i++) add(&characterise, "epcc construct=%s %sthreads=1", ALONE[i], less);
    for (int i = 0; i < 6; i++) add(&characterise, "epcc construct=%s %sthreads=%d", CONSTRUCTS[i], less, cpus());
    of_tasks(1, less);
    if (cpus() == 1) return;
    of_tasks(cpus(), less);
    for (int i = 0; i < 5; i++) add(&predict, "locks kind=%s %sthreads=%d", LOCKS[i], less, cpus());
}

/* What the loops of the programs cost: one thread, with data that the second level of any core holds. */
static void of_loops(void) {
    add(&characterise, "loadbal schedule=static packages=1 footprint=196608 threads=1");
    add(&characterise, "matvec init=parallel n=152 products=20 threads=1");
    add(&characterise, "cg variant=nnz_balanced n=600 band=100000 steps=2 threads=1");
    add(&characterise, "heat rows=64 columns=192 leaves=1 steps=20 threads=1");
    /* What a chunk costs. A team of one may take all of them at once. */
    if (cpus() > 1) add(&characterise, "loadbal schedule=dynamic packages=3840 footprint=196608 threads=2");
}

/* Programs whose data exceed the caches, so that memory matters. */
static void of_programs(void) {
    static const char *const SCHEDULES[] = {"static", "dynamic", "guided", "tasks"};
    static const char *const VARIANTS[] = {"nnz_balanced", "serial_init", "parallel_init"};
    static const char *const INITS[] = {"serial", "parallel"}, *const ARRAYS[] = {"packed", "padded"};
    int64_t data = tiny ? MIB : most(least(2 * all_last_levels(), free_memory() / 8), 256 * MIB);
    int team = cpus();
    for (int i = 0; i < 4; i++)
        add(&predict, "loadbal schedule=%s footprint=%lld packages=%d threads=%d", SCHEDULES[i], (long long)data, tiny ? 64 : 3840, team);
    /* The vector stays in the first-level cache. */
    int side = (int)least((int64_t)sqrt((double)data / 8) / 64 * 64, 4096);
    for (int i = 0; i < 2; i++) add(&predict, "matvec init=%s n=%d threads=%d", INITS[i], side, team);
    /* 140 non-zeros in a row, of 12 bytes each. */
    int rows = (int)(data / (140 * 12)) / 100 * 100;
    /* Of the vector a row reads what a core's own caches keep; and once more than that, beside all that streams. */
    for (int i = 0; i < 3; i++) add(&predict, "cg variant=%s n=%d band=100000 steps=1 threads=%d", VARIANTS[i], rows, team);
    add(&predict, "cg variant=nnz_balanced n=%d band=1000000 steps=1 threads=%d", rows, team);
    /* Two plates; rows that 512 pieces divide. */
    int plate = tiny ? 128 : (int)sqrt((double)data / 16) / 512 * 512;
    add(&predict, "heat rows=%d columns=%d leaves=%d threads=%d", plate, plate, tiny ? 8 : 512, team);
    if (team == 1) return;
    for (int i = 0; i < 2; i++) add(&predict, "false_sharing array=%s stores=%d threads=%d", ARRAYS[i], tiny ? 100 : 10000, team);
    if (tiny) return;
    add(&characterise, "false_sharing array=padded stores=10000 threads=1");
    /* What of waiting passes beside the computing of each loop: one thread, the same data. */
    add(&characterise, "loadbal schedule=static footprint=%lld packages=3840 threads=1", (long long)data);
    add(&characterise, "matvec init=parallel n=%d threads=1", side);
    add(&characterise, "cg variant=nnz_balanced n=%d band=100000 steps=1 threads=1", rows);
    add(&characterise, "heat rows=%d columns=%d leaves=512 threads=1", plate, plate);
}

/* The two kinds take turns: what drifts during a round does so for both. */
int plan_print(bool small) {
    tiny = small;
    by_footprint();
    under_load();
    by_threads();
    between_nodes();
    between_cores();
    add(&characterise, "compute quantity=instructions_per_ns threads=1");
    add(&characterise, "compute quantity=frequency threads=1");
    add(&characterise, "compute quantity=pause threads=1");
    of_loops();
    of_openmp();
    of_programs();
    for (int i = 0, j = 0; i < characterise.count || j < predict.count;) {
        bool first = j == predict.count || (i < characterise.count && i * predict.count <= j * characterise.count);
        const char *line = first ? characterise.lines[i++] : predict.lines[j++];
        printf("%s%s\n", line, tiny ? " seconds=0.01" : "");
    }
    return 0;
}
