/* Chains of pointers: every load waits for the address that the one before it brings. */
#ifndef NUMALAB_CHAIN_H
#define NUMALAB_CHAIN_H

#include "bench.h"

/* A pointer per line, so that every load is a line of its own. */
struct line {
    struct line *next;
    char rest[64 - sizeof(struct line *)];
};

/* Lines of a chain at most. */
enum { MOST_OF_CHAIN = 1 << 30 };

/* Links lines to one random cycle and checks it; where to begin. */
struct line *chain_link(struct bench *b, struct line *lines, uint32_t count);
/* The line so many steps farther. */
struct line *chain_follow(struct line *at, int64_t steps);
/* How many steps take about a millisecond. */
int64_t chain_steps(struct line *at);

#endif
