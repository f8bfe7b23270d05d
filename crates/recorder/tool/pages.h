/* Pages of large allocations that the program touches between two events.
 *
 * The library must be preloaded. It serves large allocations from shared memory and removes the mappings after each
 * look, so that pages mapped at the next look were touched meanwhile. */
#ifndef NUMALAB_PAGES_H
#define NUMALAB_PAGES_H

#include <stdint.h>

/* True if pages are watched. NUMALAB_PAGES is "all", or the number of instances of each region to watch at first. */
int pages_watched(void);

/* Leaves out memory that the library around this address allocates: it is not the program's. */
void pages_leave_out(const void *address);

/* Call when a region opens: decides if pages are watched in this instance. */
void pages_region(uint64_t code);

/* Calls `tell` with each run of pages touched since the last call: address, bytes, and 1 if written. */
void pages_look(void (*tell)(uint64_t address, uint64_t bytes, int written));

/* Writes all allocations: start, bytes and stack of each. */
void pages_allocations(void);

#endif
