/* What the plan knows about the machine. */
#include "plan.h"
#include "bench.h"
#include "sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CPUS = 8192, MOST_CACHES = 16, MOST_LEVELS = 16 };

/* Where the system does not describe its caches. */
static const int64_t USUAL = 32 << 20, USUAL_INNER = 1 << 20;

/* A file of the cache of the highest level below this one, and that level; 0 if there is none. */
static int of_level_below(int cpu, int below, const char *file, char *path, size_t room) {
    int best = -1, best_level = 0;
    for (int i = 0; i < MOST_CACHES; i++) {
        snprintf(path, room, "/sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, i);
        int level = sys_integer(path, 0);
        if (level > best_level && level < below) best = i, best_level = level;
    }
    snprintf(path, room, "/sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, best, file);
    return best_level;
}

static int64_t size_below(int cpu, int level, int64_t usual) {
    char path[128], text[64];
    if (!of_level_below(cpu, level, "size", path, sizeof path) || !sys_text(path, text, sizeof text)) return usual;
    char *unit;
    int64_t size = strtoll(text, &unit, 10);
    size <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
    return size > 0 ? size : usual;
}

int64_t last_level(int cpu) { return size_below(cpu, MOST_LEVELS, USUAL); }

int64_t inner_level(int cpu) {
    char path[128];
    return size_below(cpu, of_level_below(cpu, MOST_LEVELS, "level", path, sizeof path), USUAL_INNER);
}

static int first_of(const char *path, int except, int otherwise) {
    bool *members = array_of(MOST_CPUS, sizeof *members);
    sys_list(path, members, MOST_CPUS);
    int cpu = 0;
    while (cpu < MOST_CPUS && (!members[cpu] || cpu == except)) cpu++;
    free(members);
    return cpu < MOST_CPUS ? cpu : otherwise;
}

int cache_of_cpu(int cpu) {
    char path[128];
    return of_level_below(cpu, MOST_LEVELS, "shared_cpu_list", path, sizeof path) ? first_of(path, -1, cpu) : package_of_cpu(cpu);
}

int64_t all_last_levels(void) {
    int64_t all = 0;
    bool *seen = array_of(MOST_CPUS, sizeof *seen);
    for (int i = 0; i < cpus(); i++) {
        int cache = cache_of_cpu(cpu_at(i));
        if (!seen[cache]) all += last_level(cpu_at(i));
        seen[cache] = true;
    }
    free(seen);
    return all;
}

int sibling_of_cpu(int cpu) {
    char path[128];
    bool *allowed = array_of(MOST_CPUS, sizeof *allowed);
    sys_allowed_cpus(allowed, MOST_CPUS);
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    int sibling = first_of(path, cpu, -1);
    if (sibling >= 0 && !allowed[sibling]) sibling = -1;
    free(allowed);
    return sibling;
}

int package_of_cpu(int cpu) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
    return sys_integer(path, 0);
}

/* What is available, or what the control group allows. */
int64_t free_memory(void) {
    char text[4096];
    int64_t available = (int64_t)sysconf(_SC_PHYS_PAGES) * (int64_t)page_size() / 2;
    if (sys_text("/proc/meminfo", text, sizeof text)) {
        const char *line = strstr(text, "MemAvailable:");
        if (line) available = strtoll(line + strlen("MemAvailable:"), NULL, 10) * 1024;
    }
    if (sys_text("/sys/fs/cgroup/memory.max", text, sizeof text)) {
        int64_t most = strtoll(text, NULL, 10);
        if (most > 0 && most < available) available = most;
    }
    return available;
}
