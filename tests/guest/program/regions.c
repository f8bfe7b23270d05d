/* Regions of memory, and what programs do with them. */
#define _GNU_SOURCE
#include "guest.h"
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Interleaving counts pages from address 0, so a region whose page 0 goes to the first node of every set
   starts at a multiple of every size of set (840 for 1 to 8 nodes), counted in huge pages too. */
static const uintptr_t APART = (uintptr_t)840 * HUGE_PAGE;

enum { MOST = 1 << 16 };

static struct region {
    char *start;
    int pages;
    int used;  /* pages up to the last one touched */
    bool huge; /* transparent huge pages where they fit */
} regions[26];

static struct region *region(char name) {
    if (name < 'a' || name > 'z' || regions[name - 'a'].start == NULL) fail("a region of this scenario");
    return &regions[name - 'a'];
}

char *page_of(char name, int index) {
    struct region *of = region(name);
    if (index < 0 || index >= of->pages) fail("a page of the region");
    return of->start + (size_t)index * BASE_PAGE;
}

static size_t bytes(const struct region *of) { return (size_t)of->pages * BASE_PAGE; }

void add_region(char name, int pages, bool huge, enum policy policy, unsigned long nodes) {
    if (name < 'a' || name > 'z' || pages < 1 || pages > MOST) fail("a small region called a to z");
    struct region *added = &regions[name - 'a'];
    *added = (struct region){(char *)(APART * (name - 'a' + 1)), pages, 0, huge};
    int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *got = mmap(added->start, bytes(added), PROT_READ | PROT_WRITE, how, -1, 0);
    if (got != added->start) fail("mmap");
    change_policy(name, policy, nodes);
}

void change_policy(char name, enum policy policy, unsigned long nodes) {
    set_policy(region(name)->start, bytes(region(name)), policy, nodes);
}

void release(char name) {
    if (madvise(region(name)->start, bytes(region(name)), MADV_DONTNEED) != 0) fail("madvise");
}

/* Freed pages lie on a list of the processor that freed them, where they count neither as free nor as taken, and
   leave it whenever the kernel likes. So each node's own processor frees its pages, as it will take them again. */
static void free_at_home(struct region *of) {
    static int nodes[MOST];
    nodes_of(of->start, of->used, nodes);
    for (int node = 0; node < node_count(); node++) {
        run_on(node);
        for (int start = 0, end; start < of->used; start = end) {
            for (end = start + 1; end < of->used && nodes[end] == nodes[start];) end++;
            if (nodes[start] != node) continue;
            char *first = of->start + (size_t)start * BASE_PAGE;
            if (madvise(first, (size_t)(end - start) * BASE_PAGE, MADV_DONTNEED) != 0) fail("madvise");
        }
    }
}

void drop_regions(void) {
    for (int i = 0; i < 26; i++) {
        if (regions[i].start == NULL) continue;
        free_at_home(&regions[i]);
        munmap(regions[i].start, bytes(&regions[i]));
        regions[i].start = NULL;
    }
}

void touch(char name, int first, int last, int node) {
    huge_pages(region(name)->huge);
    run_on(node);
    for (int i = first; i <= last; i++) *(volatile char *)page_of(name, i) = 1;
    if (region(name)->used <= last) region(name)->used = last + 1;
}

void migrate(char name, int first, int last, int node) {
    for (int i = first; i <= last; i++) move_page(page_of(name, i), node);
}

/* Linux has no next touch. Programs make it of what there is: a marked page may not be accessed, and who
   does so regardless ends in the handler, which brings the page to him and lets him in. */
void mark(char name, int first, int last) {
    char *end = page_of(name, last) + BASE_PAGE;
    if (mprotect(page_of(name, first), end - page_of(name, first), PROT_NONE) != 0) fail("mprotect");
}

static void on_marked(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    uintptr_t at = (uintptr_t)info->si_addr;
    if (at < APART || at / APART > 26 || regions[at / APART - 1].start == NULL) _exit(1);
    char *page = (char *)(at - at % BASE_PAGE);
    unsigned node;
    if (getcpu(NULL, &node) != 0) _exit(1);
    if (mprotect(page, BASE_PAGE, PROT_READ | PROT_WRITE) != 0) _exit(1);
    move_page(page, (int)node); /* only now: Linux finds no page to move where none may be accessed */
}

void catch_marked(void) {
    struct sigaction action = {.sa_sigaction = on_marked, .sa_flags = SA_SIGINFO};
    if (sigaction(SIGSEGV, &action, NULL) != 0) fail("sigaction");
}

void print_homes(FILE *out, char name) {
    static int nodes[MOST];
    int count = region(name)->pages;
    nodes_of(page_of(name, 0), count, nodes);
    const char *before = "=";
    for (int start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && nodes[end] == nodes[start];) end++;
        fprintf(out, "%s %d", before, start);
        if (end > start + 1) fprintf(out, "-%d", end - 1);
        if (nodes[start] < 0) fprintf(out, " none");
        else fprintf(out, " n%d", nodes[start]);
        before = ",";
    }
    fputc('\n', out);
}

/* Where most pages are of each of so many kinds: 0, k, 2k, ..., then 1, k + 1, 2k + 1, ... */
void print_most(FILE *out, char name, int kinds) {
    fputc('=', out);
    for (int kind = 0; kind < kinds; kind++) {
        int counts[MOST_NODES] = {0}, most = 0;
        for (int i = kind; i < region(name)->pages; i += kinds) {
            int node;
            nodes_of(page_of(name, i), 1, &node);
            if (node >= 0) counts[node]++;
        }
        for (int node = 1; node < MOST_NODES; node++)
            if (counts[node] > counts[most]) most = node;
        fprintf(out, " n%d", most);
    }
    fputc('\n', out);
}
