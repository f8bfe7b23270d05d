/* What this machine is: how the program was built and runs, the system's own description, hwloc's. Names of the
   host and of users stay out. */
#define _GNU_SOURCE
#include "inside.h"
#include "sys.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#ifndef NUMALAB_CFLAGS
#define NUMALAB_CFLAGS ""
#endif
#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

enum { MOST_CPUS = 8192, MOST_NODES = 1024, MOST_CACHES = 16 };

/* The first runtime that was loaded is the one that answers; one that was preloaded comes first. */
static int find_runtime(struct dl_phdr_info *library, size_t size, void *found) {
    static const char *const RUNTIMES[] = {"libgomp", "libomp", "libiomp5", "libnvomp", NULL};
    (void)size;
    const char *slash = strrchr(library->dlpi_name, '/'), *file = slash ? slash + 1 : library->dlpi_name;
    for (const char *const *name = RUNTIMES; *name; name++)
        if (strncmp(file, *name, strlen(*name)) == 0 && file[strlen(*name)] == '.') {
            *(const char **)found = *name;
            return 1;
        }
    return 0;
}

static void member(const char *key, const char *text) {
    printf(",\"%s\":", key);
    json_string(stdout, text);
}

/* The word in brackets: always [madvise] never. */
static const char *huge_pages(char *text, size_t room) {
    if (!sys_text("/sys/kernel/mm/transparent_hugepage/enabled", text, room)) return "none";
    char *from = strchr(text, '['), *to = from ? strchr(from, ']') : NULL;
    if (!to) return "none";
    *to = '\0';
    return from + 1;
}

static void print_host(void) {
    struct utsname system;
    char text[256];
    const char *runtime = "unknown";
    dl_iterate_phdr(find_runtime, &runtime);
    printf("{\"record\":\"host\"");
    member("compiler", COMPILER);
    member("cflags", NUMALAB_CFLAGS);
    printf(",\"openmp\":%d", _OPENMP);
    member("openmp_runtime", runtime);
    if (uname(&system) == 0) {
        member("kernel", system.release);
        member("architecture", system.machine);
    }
    printf(",\"page_size\":%zu", page_size());
    printf(",\"huge_page_size\":%d", sys_integer("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", 0));
    member("transparent_huge_pages", huge_pages(text, sizeof text));
    printf(",\"processors\":[");
    bool *allowed = array_of(MOST_CPUS, sizeof *allowed);
    sys_allowed_cpus(allowed, MOST_CPUS);
    for (int cpu = 0, any = 0; cpu < MOST_CPUS; cpu++)
        if (allowed[cpu]) printf("%s%d", any++ ? "," : "", cpu);
    free(allowed);
    puts("]}");
}

static void print_text(const char *path, const char *text) {
    printf("{\"record\":\"file\"");
    member("path", path);
    member("text", text);
    puts("}");
}

static void print_file(const char *path) {
    char text[8192];
    if (sys_text(path, text, sizeof text)) print_text(path, text);
}

static void print_files(const char *folder, const char *const *names) {
    char path[256];
    for (; *names; names++) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        print_file(path);
    }
}

static void print_cpu(int cpu) {
    static const char *const TOPOLOGY[] = {"topology/physical_package_id", "topology/die_id", "topology/cluster_id",
                                           "topology/core_id", "topology/core_cpus_list", NULL};
    static const char *const CACHE[] = {"level", "type", "size", "shared_cpu_list", "coherency_line_size", NULL};
    char folder[128];
    snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%d", cpu);
    print_files(folder, TOPOLOGY);
    for (int i = 0; i < MOST_CACHES; i++) {
        snprintf(folder, sizeof folder, "/sys/devices/system/cpu/cpu%d/cache/index%d", cpu, i);
        print_files(folder, CACHE);
    }
}

static void print_model(void) {
    static char text[8192];
    if (!sys_text("/proc/cpuinfo", text, sizeof text)) return;
    char *line = strstr(text, "model name"), *end = line ? strchr(line, '\n') : NULL;
    if (!end) return;
    end[1] = '\0';
    print_text("/proc/cpuinfo", line);
}

static void print_files_of_system(void) {
    static const char *const CPUS[] = {"online", NULL};
    static const char *const NODES[] = {"online", "has_memory", NULL}, *const NODE[] = {"cpulist", "distance", "meminfo", NULL};
    bool *there = array_of(MOST_CPUS, sizeof *there);
    print_files("/sys/devices/system/cpu", CPUS);
    sys_list("/sys/devices/system/cpu/online", there, MOST_CPUS);
    for (int cpu = 0; cpu < MOST_CPUS; cpu++)
        if (there[cpu]) print_cpu(cpu);
    memset(there, 0, MOST_CPUS * sizeof *there);
    print_files("/sys/devices/system/node", NODES);
    sys_list("/sys/devices/system/node/online", there, MOST_NODES);
    for (int node = 0; node < MOST_NODES; node++) {
        char folder[128];
        snprintf(folder, sizeof folder, "/sys/devices/system/node/node%d", node);
        if (there[node]) print_files(folder, NODE);
    }
    free(there);
    print_model();
}

/* Lines that tell whose machine it is. */
static bool is_private(const char *line) {
    static const char *const NAMES[] = {"\"HostName\"", "\"LinuxCgroup\"", "\"DMI", NULL};
    for (const char *const *name = NAMES; *name; name++)
        if (strstr(line, "<info name=") && strstr(line, *name)) return true;
    return false;
}

static void print_hwloc(void) {
    FILE *from = popen("lstopo-no-graphics --of xml --no-io 2>/dev/null", "r");
    if (!from) return;
    char *line = NULL, *xml = NULL;
    size_t room = 0, length = 0;
    FILE *all = open_memstream(&xml, &length);
    while (all && getline(&line, &room, from) > 0)
        if (!is_private(line)) fputs(line, all);
    if (all) fclose(all);
    if (pclose(from) == 0 && length > 0) {
        printf("{\"record\":\"hwloc\"");
        member("xml", xml);
        puts("}");
    }
    free(xml);
    free(line);
}

int host_print(void) {
    print_host();
    print_files_of_system();
    print_hwloc();
    return fflush(stdout) == 0 ? 0 : 1;
}
