/* Pages that the program touches between two events, for large allocations.
 *
 * The library must be preloaded: it serves large allocations from shared memory whose mappings it takes away after each
 * look, so that whatever is mapped at the next one was touched meanwhile. */
#ifndef NUMALAB_PAGES_H
#define NUMALAB_PAGES_H

#include <stdint.h>

/* Whether pages are watched, as NUMALAB_PAGES asks: "all", or how many instances of each region at first. */
int pages_watched(void);

/* A region is opened: decides whether pages are looked at in it. */
void pages_region(uint64_t code);

/* Tells of runs of pages touched since the last look: from which address, how many bytes, and whether they were written. */
void pages_look(void (*tell)(uint64_t address, uint64_t bytes, int written));

/* Writes down all allocations: start, bytes and code of each. */
void pages_allocations(void);

#endif
