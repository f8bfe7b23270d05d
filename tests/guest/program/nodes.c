/* What the kernel says about its nodes, and running on one of them. */
#define _GNU_SOURCE
#include "guest.h"
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char text[1 << 16];

static char *read_of_node(int node, const char *what) {
    char path[80];
    snprintf(path, sizeof path, "/sys/devices/system/node/node%d/%s", node, what);
    text[read_file(path, text, sizeof text) - 1] = 0; /* without the end of the line */
    return text;
}

int node_count(void) {
    int count = 0;
    char path[60];
    do snprintf(path, sizeof path, "/sys/devices/system/node/node%d", count);
    while (access(path, F_OK) == 0 && ++count < MOST_NODES);
    return count;
}

void run_on(int node) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(atoi(read_of_node(node, "cpulist")), &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) fail("sched_setaffinity");
}

/* The order in which the kernel looks for room, as it logged it while it started. */
static void print_fallback(FILE *out, int node) {
    char start[40];
    int length = snprintf(start, sizeof start, "Fallback order for Node %d: ", node);
    int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
    if (log < 0) fail("/dev/kmsg");
    for (ssize_t got; (got = read(log, text, sizeof text - 1)) > 0;) { /* one message a read */
        text[got] = 0;
        char *found = strstr(text, start);
        if (found == NULL) continue;
        found[strcspn(found, "\n")] = 0;
        for (char *end = found + strlen(found); end[-1] == ' ';) *--end = 0;
        fprintf(out, ", falls back to %s", found + length);
        break;
    }
    close(log);
}

void describe(FILE *out, int node) {
    /* The kernel keeps a few MiB of each node for itself: rounded up, the sizes are the machine's. */
    char *total = strstr(read_of_node(node, "meminfo"), "MemTotal:");
    if (total == NULL) fail("MemTotal");
    fprintf(out, "= %ld MiB", (strtol(total + 9, NULL, 10) / 1024 + 63) / 64 * 64);
    fprintf(out, ", distances %s", read_of_node(node, "distance"));
    print_fallback(out, node);
    fputc('\n', out);
}

/* Pages that a program may still take from a node before the kernel looks elsewhere: what is free in its
   zones above the low watermark and above what is kept for allocations that can use nothing else. */
long free_pages(int node) {
    enum { ZONE_MOVABLE = 3 };
    read_file("/proc/zoneinfo", text, sizeof text);
    char head[20];
    int length = snprintf(head, sizeof head, "Node %d, zone", node);
    long sum = 0;
    for (char *zone = text; (zone = strstr(zone, head)) != NULL;) {
        zone += length;
        char *free = strstr(zone, "pages free"), *low = strstr(zone, "low "), *kept = strstr(zone, "protection: (");
        if (free == NULL || low == NULL || kept == NULL) fail("/proc/zoneinfo");
        kept += strlen("protection: (");
        for (int i = 0; i < ZONE_MOVABLE; i++) kept = strchr(kept, ',') + 1;
        long usable = strtol(free + 10, NULL, 10) - strtol(low + 4, NULL, 10) - strtol(kept, NULL, 10);
        if (usable > 0) sum += usable;
    }
    return sum;
}
