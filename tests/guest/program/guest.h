/* What the parts of the guest's program know of each other. See main.c. */
#ifndef GUEST_H
#define GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MOST_NODES = 8, BASE_PAGE = 4096, HUGE_PAGE = 2 << 20 };

/* Says what was expected and leaves; the recorded transcript then ends early and cannot compare equal. */
_Noreturn void fail(const char *what);

/* linux.c: the system calls that libc has no names for, and files of /proc and /sys. */
enum policy { FIRST_TOUCH = 0, PREFERRED = 1, BIND = 2, INTERLEAVE = 3 };
void set_policy(void *start, size_t bytes, enum policy policy, unsigned long nodes);
void nodes_of(char *first, int count, int *nodes); /* -1: the page has no node yet */
void move_page(void *page, int node);
void write_file(const char *path, const char *text);
size_t read_file(const char *path, char *text, size_t room);
void huge_pages(bool on);

/* nodes.c: what the kernel says about its nodes, and running on one of them. */
int node_count(void);
void run_on(int node);
void describe(FILE *out, int node);
long free_pages(int node);

/* regions.c: regions of memory, by letter. */
void add_region(char name, int pages, bool huge, enum policy policy, unsigned long nodes);
void change_policy(char name, enum policy policy, unsigned long nodes);
void release(char name);
void drop_regions(void);
void touch(char name, int first, int last, int node);
void migrate(char name, int first, int last, int node);
void mark(char name, int first, int last);
void print_homes(FILE *out, char name);
void print_most(FILE *out, char name, int kinds);
void catch_marked(void);

/* room.c: nodes that are nearly full, and filling them up. */
void leave_room(int mebibytes);
void fill(FILE *out, char name, int node, int wanted);

/* The address of page `index` of a region; regions.c. */
char *page_of(char name, int index);

#endif
