/* Nodes that are nearly full, and filling them up. */
#define _GNU_SOURCE
#include "guest.h"
#include <sys/mman.h>

static long room; /* pages of every node that are not taken, or 0: all */

static void take(int node, long leave) {
    const size_t MOST = (size_t)1 << 30;
    char *next = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (next == MAP_FAILED) fail("mmap");
    next += -(unsigned long)next % HUGE_PAGE;
    set_policy(next, MOST - HUGE_PAGE, BIND, 1UL << node);
    run_on(node);
    huge_pages(true); /* quicker; where none is to be had, the kernel gives a base page */
    for (; free_pages(node) > leave + 2 * HUGE_PAGE / BASE_PAGE; next += HUGE_PAGE) *(volatile char *)next = 1;
    huge_pages(false);
    while (free_pages(node) > leave)
        for (int i = 0; i < 32; i++, next += BASE_PAGE) *(volatile char *)next = 1;
}

/* Takes memory on every node until so much is left, so that filling the rest is quick. */
void leave_room(int mebibytes) {
    room = (long)mebibytes << 20 >> 12;
    for (int node = 0; node < node_count(); node++) take(node, room);
}

/* Touches a region's pages in order until they are on `wanted` nodes; says on which, in order of appearance,
   and that those before the last are full by then. A few hundred pages of a node are the kernel's to give or
   keep, so full is what has less than half of its room left. */
void fill(FILE *out, char name, int node, int wanted) {
    enum { AT_ONCE = 32 };
    int seen[MOST_NODES], count = 0;
    for (int page = 0; count < wanted; page += AT_ONCE) {
        touch(name, page, page + AT_ONCE - 1, node);
        int nodes[AT_ONCE];
        nodes_of(page_of(name, page), AT_ONCE, nodes);
        for (int i = 0; i < AT_ONCE; i++) {
            bool known = false;
            for (int j = 0; j < count; j++) known |= seen[j] == nodes[i];
            if (!known) seen[count++] = nodes[i];
        }
    }
    for (int i = 0; i + 1 < count; i++)
        fprintf(out, "%s n%d %s", i == 0 ? "=" : ",", seen[i], free_pages(seen[i]) < room / 2 ? "full" : "not full");
    fprintf(out, ", then n%d\n", seen[count - 1]);
}
