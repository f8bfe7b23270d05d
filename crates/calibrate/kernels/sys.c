/* Files of /sys and /proc. */
#define _GNU_SOURCE
#include "sys.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sys_exists(const char *path) { return access(path, F_OK) == 0; }

bool sys_text(const char *path, char *text, size_t room) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    size_t length = fread(text, 1, room - 1, file);
    bool read = !ferror(file);
    fclose(file);
    text[length] = '\0';
    return read;
}

int sys_integer(const char *path, int otherwise) {
    char text[64], *end;
    if (!sys_text(path, text, sizeof text)) return otherwise;
    long value = strtol(text, &end, 10);
    return end == text ? otherwise : (int)value;
}

static bool parse(const char *at, bool *members, int most) {
    bool any = false;
    while (*at) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (end == at) break;
        if (*end == '-') last = strtol(end + 1, &end, 10);
        for (long i = first; i >= 0 && i <= last && i < most; i++) any = members[i] = true;
        if (*end != ',') break;
        at = end + 1;
    }
    return any;
}

bool sys_list(const char *path, bool *members, int most) {
    static char text[65536];
    return sys_text(path, text, sizeof text) && parse(text, members, most);
}

/* The mask has to be as large as the system's. */
void sys_allowed_cpus(bool *members, int most) {
    size_t bytes = CPU_ALLOC_SIZE(most);
    cpu_set_t *set = CPU_ALLOC(most);
    members[0] = true;
    if (set && sched_getaffinity(0, bytes, set) == 0)
        for (int cpu = 0; cpu < most; cpu++) members[cpu] = CPU_ISSET_S((size_t)cpu, bytes, set);
    if (set) CPU_FREE(set);
}

bool sys_allowed_memory(bool *members, int most) {
    static char text[65536];
    if (!sys_text("/proc/self/status", text, sizeof text)) return false;
    const char *key = "Mems_allowed_list:", *at = strstr(text, key);
    return at && parse(at + strlen(key), members, most);
}
