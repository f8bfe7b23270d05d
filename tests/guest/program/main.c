/* The only program of the guest: does what the transcript's operations say and writes down where Linux put
   the pages. It is the guest's init, linked statically, and uses nothing but the kernel.

   A transcript is a list of operations; a line that starts with "=" is the answer to the one before it.

       node K: …                                        what the kernel says about a node
       room M MiB                                       from here on, every node has so much left
       scenario TEXT                                    all regions before are gone
       region NAME N pages POLICY [on NODES]            first touch, bind, preferred, interleave; "thp pages"
                                                        become transparent huge pages where they fit
       policy NAME POLICY [on NODES]                    for pages still to come
       touch NAME A-B from K                            a thread on node K writes to every page
       migrate NAME A-B to K                            move_pages
       fetch NAME A-B from K                            move_pages by a thread on node K to where it is
       mark NAME A-B                                    to be moved by the next touch; until then homes cannot see them
       fill NAME from K until N nodes                   touch in order until pages are on so many nodes
       release NAME                                     its pages are gone, but not the region
       homes NAME                                       the node of every page
       most NAME of K                                   the node of most pages k, k + K, k + 2K, ..., for every k < K */
#define _GNU_SOURCE
#include "guest.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static FILE *out;

_Noreturn void fail(const char *what) {
    if (out != NULL) fprintf(out, "= failed: expected %s (%m)\n", what), fflush(out);
    perror(what);
    sync();
    tcdrain(out == NULL ? 1 : fileno(out));
    reboot(RB_AUTOBOOT);
    abort();
}

static unsigned long nodes_in(const char *list) {
    unsigned long nodes = 0;
    for (char *end; *list != 0; list = end + (*end == ',')) {
        nodes |= 1UL << strtoul(list, &end, 10);
        if (end == list) fail("nodes such as 0,2");
    }
    return nodes;
}

static bool policy_in(const char *words, enum policy *policy, unsigned long *nodes) {
    static const struct { const char *words; enum policy policy; } policies[] = {
        {"first touch", FIRST_TOUCH}, {"bind on ", BIND}, {"preferred on ", PREFERRED}, {"interleave on ", INTERLEAVE},
    };
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        size_t length = strlen(policies[i].words);
        if (strncmp(words, policies[i].words, length) != 0) continue;
        *policy = policies[i].policy;
        *nodes = nodes_in(words + length);
        return true;
    }
    return false;
}

static bool operation(const char *line) {
    char name;
    int first, last, node, count, end = 0;
    enum policy policy;
    unsigned long nodes;
    if (*line == 0 || *line == '#') return true;
    if (sscanf(line, "node %d:", &node) == 1) return describe(out, node), true;
    if (sscanf(line, "room %d MiB", &count) == 1) return leave_room(count), true;
    if (strncmp(line, "scenario ", 9) == 0) return drop_regions(), true;
    if (sscanf(line, "region %c %d pages %n", &name, &count, &end) == 2 && end > 0)
        return policy_in(line + end, &policy, &nodes) && (add_region(name, count, false, policy, nodes), true);
    if (sscanf(line, "region %c %d thp pages %n", &name, &count, &end) == 2 && end > 0)
        return policy_in(line + end, &policy, &nodes) && (add_region(name, count, true, policy, nodes), true);
    if (sscanf(line, "policy %c %n", &name, &end) == 1 && end > 0)
        return policy_in(line + end, &policy, &nodes) && (change_policy(name, policy, nodes), true);
    if (sscanf(line, "release %c", &name) == 1) return release(name), true;
    if (sscanf(line, "touch %c %d-%d from %d", &name, &first, &last, &node) == 4)
        return touch(name, first, last, node), true;
    if (sscanf(line, "migrate %c %d-%d to %d", &name, &first, &last, &node) == 4)
        return migrate(name, first, last, node), true;
    if (sscanf(line, "fetch %c %d-%d from %d", &name, &first, &last, &node) == 4)
        return run_on(node), migrate(name, first, last, node), true;
    if (sscanf(line, "mark %c %d-%d", &name, &first, &last) == 3) return mark(name, first, last), true;
    if (sscanf(line, "fill %c from %d until %d nodes", &name, &node, &count) == 3)
        return fill(out, name, node, count), true;
    if (sscanf(line, "most %c of %d", &name, &count) == 2) return print_most(out, name, count), true;
    if (sscanf(line, "homes %c", &name) == 1) return print_homes(out, name), true;
    return false;
}

/* A port that passes bytes as they are. */
static FILE *open_port(const char *path) {
    int port = open(path, O_RDWR | O_NOCTTY);
    struct termios raw;
    if (port < 0 || tcgetattr(port, &raw) != 0) fail(path);
    cfmakeraw(&raw);
    tcsetattr(port, TCSANOW, &raw);
    return fdopen(port, "w");
}

int main(void) {
    mkdir("/proc", 0755), mkdir("/sys", 0755), mkdir("/dev", 0755);
    if (mount("none", "/proc", "proc", 0, NULL) || mount("none", "/sys", "sysfs", 0, NULL)) fail("mount");
    if (mount("none", "/dev", "devtmpfs", 0, NULL)) fail("mount of devices");
    out = open_port("/dev/ttyS1");
    catch_marked();
    write_file("/proc/sys/debug/exception-trace", "0"); /* the log need not tell of marked pages */
    FILE *operations = fopen("/operations", "r");
    if (operations == NULL) fail("/operations");
    static char line[1024];
    while (fgets(line, sizeof line, operations) != NULL) {
        fputs(line, out);
        line[strcspn(line, "\n")] = 0;
        if (!operation(line)) fail("an operation that main.c names");
        fflush(out);
    }
    tcdrain(fileno(out));
    reboot(RB_AUTOBOOT);
}
