/* Processors and nodes that we may use. */
#define _GNU_SOURCE
#include "bench.h"
#include "sys.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More processors than any kernel is built for. */
enum { MOST_CPUS = 8192, MOST_NODES = 1024 };

struct core {
    int package, node, core, cpu;
};

static struct core found[MOST_CPUS];
static int cores;
static int memory_nodes[MOST_NODES];
static int memories;

static int compare(const void *a, const void *b) {
    const struct core *left = a, *right = b;
    if (left->package != right->package) return left->package < right->package ? -1 : 1;
    if (left->node != right->node) return left->node < right->node ? -1 : 1;
    if (left->core != right->core) return left->core < right->core ? -1 : 1;
    return left->cpu - right->cpu;
}

static int topology(int cpu, const char *what) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
    return sys_integer(path, 0);
}

int node_of_cpu(int cpu) {
    static signed short known[MOST_CPUS]; /* 0: not looked up, else node + 1 */
    if (cpu < 0 || cpu >= MOST_CPUS) return 0;
    for (int node = 0; known[cpu] == 0 && node < MOST_NODES; node++) {
        char path[128];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
        if (sys_exists(path)) known[cpu] = (signed short)(node + 1);
    }
    if (known[cpu] == 0) known[cpu] = 1;
    return known[cpu] - 1;
}

static void look_up_cores(void) {
    static bool allowed[MOST_CPUS], taken[MOST_CPUS], siblings[MOST_CPUS];
    sys_allowed_cpus(allowed, MOST_CPUS);
    for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
        if (!allowed[cpu] || taken[cpu]) continue;
        char path[128];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
        memset(siblings, 0, sizeof siblings);
        sys_list(path, siblings, MOST_CPUS);
        for (int other = 0; other < MOST_CPUS; other++) taken[other] |= siblings[other];
        found[cores++] = (struct core){topology(cpu, "physical_package_id"), node_of_cpu(cpu), topology(cpu, "core_id"), cpu};
    }
    qsort(found, (size_t)cores, sizeof found[0], compare);
}

/* The team may ask, so that the first to ask must not be in it: bench_start asks. */
int cpus(void) {
    if (cores == 0) look_up_cores();
    return cores;
}

int cpu_at(int i) { return i >= 0 && i < cpus() ? found[i].cpu : found[0].cpu; }

int nodes(void) {
    if (memories) return memories;
    static bool have[MOST_NODES], may[MOST_NODES];
    bool any = sys_list("/sys/devices/system/node/has_memory", have, MOST_NODES);
    bool all = !sys_allowed_memory(may, MOST_NODES);
    for (int node = 0; any && node < MOST_NODES; node++)
        if (have[node] && (all || may[node])) memory_nodes[memories++] = node;
    if (memories == 0) memory_nodes[memories++] = 0;
    return memories;
}

int node_at(int i) { return i >= 0 && i < nodes() ? memory_nodes[i] : memory_nodes[0]; }

int memory_of_cpu(int cpu) {
    int node = node_of_cpu(cpu), near = 0;
    for (int i = 0; i < nodes(); i++)
        if (node_distance(node, node_at(i)) < node_distance(node, node_at(near))) near = i;
    return near;
}

int node_distance(int from, int to) {
    char path[128], text[8192];
    snprintf(path, sizeof path, "/sys/devices/system/node/node%d/distance", from);
    char *at = sys_text(path, text, sizeof text) ? text : NULL;
    for (int i = 0; at && i < MOST_NODES; i++) {
        /* One number of each node that is there. */
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d", i);
        if (!sys_exists(path)) continue;
        char *end;
        long distance = strtol(at, &end, 10);
        if (end == at) break;
        if (i == to) return (int)distance;
        at = end;
    }
    return from == to ? 10 : 20;
}

bool pin(int cpu) {
    if (cpu < 0 || cpu >= MOST_CPUS) return false;
    size_t bytes = CPU_ALLOC_SIZE(MOST_CPUS);
    cpu_set_t *set = CPU_ALLOC(MOST_CPUS);
    if (!set) return false;
    CPU_ZERO_S(bytes, set);
    CPU_SET_S((size_t)cpu, bytes, set);
    bool done = sched_setaffinity(0, bytes, set) == 0;
    CPU_FREE(set);
    return done;
}
