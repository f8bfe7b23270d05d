/* The system calls that libc has no names for, and small files. */
#define _GNU_SOURCE
#include "guest.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOVE_OWN_PAGES = 1 << 1 };

void set_policy(void *start, size_t bytes, enum policy policy, unsigned long nodes) {
    if (policy == FIRST_TOUCH) nodes = 0; /* the kernel's default, which names no nodes */
    /* The kernel takes one bit less than it is told. */
    if (syscall(SYS_mbind, start, bytes, policy, &nodes, sizeof nodes * 8 + 1, 0) != 0) fail("mbind");
}

void nodes_of(char *first, int count, int *nodes) {
    void *pages[512];
    for (int done = 0; done < count; done += 512) {
        int now = count - done < 512 ? count - done : 512;
        for (int i = 0; i < now; i++) pages[i] = first + (done + i) * BASE_PAGE;
        /* Without target nodes the call moves nothing and tells where each page is. */
        if (syscall(SYS_move_pages, 0, (long)now, pages, NULL, nodes + done, 0) != 0) fail("move_pages to look");
    }
    for (int i = 0; i < count; i++)
        if (nodes[i] < 0) nodes[i] = -1;
}

void move_page(void *page, int node) {
    int status = -1;
    /* A page that has no node yet, or that finds no room, stays as it is: homes will tell. */
    if (syscall(SYS_move_pages, 0, 1L, &page, &node, &status, MOVE_OWN_PAGES) < 0 && errno != ENOMEM)
        fail("move_pages to move");
}

void write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) fail(path);
    close(file);
}

size_t read_file(const char *path, char *text, size_t room) {
    int file = open(path, O_RDONLY);
    if (file < 0) fail(path);
    size_t length = 0;
    for (ssize_t got; (got = read(file, text + length, room - 1 - length)) > 0;) length += got;
    close(file);
    text[length] = 0;
    return length;
}

void huge_pages(bool on) {
    static int now = -1;
    if (now != on) write_file("/sys/kernel/mm/transparent_hugepage/enabled", on ? "always" : "never");
    now = on;
}
