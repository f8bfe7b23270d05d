/* Chains of pointers: every load waits for the address that the one before it brings. */
#include "chain.h"

#include <stdlib.h>
#include <string.h>

/* Lines of the cycle, equally far apart on it. */
enum { MARKS = 8 };

/* One random cycle through all lines. Shuffling the order first keeps the random accesses in a small array. */
static void link_lines(struct line *lines, uint32_t count, struct line **marks) {
    uint32_t *order = array_of(count, sizeof *order);
    uint64_t state = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = (uint32_t)(random_next(&state) % (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    for (uint32_t i = 0; i < count; i++) lines[order[i]].next = &lines[order[i + 1 < count ? i + 1 : 0]];
    for (uint32_t i = 0; i < MARKS; i++) marks[i] = &lines[order[i * (count / MARKS)]];
    free(order);
}

struct line *chain_follow(struct line *at, int64_t steps) {
    for (int64_t i = 0; i < steps; i++) at = at->next;
    return at;
}

/* Whether the chase is back at the first mark after so many steps, and not before. From every mark to the next at the
   same time, since one after the other takes as long as it sounds. */
static bool is_cycle(struct line *const *marks, uint32_t count) {
    struct line *at[MARKS];
    memcpy(at, marks, sizeof at);
    uint32_t starts = 0, steps = count / MARKS;
    for (uint32_t i = 0; i < steps; i++)
        for (int k = 0; k < MARKS; k++) {
            starts += at[k] == marks[0];
            at[k] = at[k]->next;
        }
    struct line *last = at[MARKS - 1];
    for (uint32_t i = MARKS * steps; i < count; i++) {
        starts += last == marks[0];
        last = last->next;
    }
    bool joined = last == marks[0];
    for (int k = 0; k + 1 < MARKS; k++) joined &= at[k] == marks[k + 1];
    return joined && starts == 1;
}

struct line *chain_link(struct bench *b, struct line *lines, uint32_t count) {
    struct line *marks[MARKS];
    link_lines(lines, count, marks);
    bench_check(b, is_cycle(marks, count), "the chase visits every line once");
    return lines;
}

int64_t chain_steps(struct line *at) {
    enum { TRY = 1000 };
    double start = now();
    keep((double)(uintptr_t)chain_follow(at, TRY));
    return repeats_for((now() - start) / TRY);
}
