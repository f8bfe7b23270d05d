/* Blocks of memory below a size, served from pages of their own for each place that allocates them: so that a page
 * that is touched tells which place's blocks are in use. */
#ifndef NUMALAB_SMALL_H
#define NUMALAB_SMALL_H

#include <stddef.h>
#include <stdint.h>

enum { SMALL_MOST = 256 << 10, SMALL_ALIGNED = 16 };

/* Bytes of addresses for all places. */
#define SMALL_ROOM (UINT64_C(1) << 38)

/* A zeroed block for the code at an address; NULL if the C library has to serve the request. */
void *small_take(size_t bytes, const void *code);

/* Frees a block. */
void small_give(void *block);

/* Bytes of a block. */
uint64_t small_size(const void *block);

/* Bytes of addresses in use, of all places. */
uint64_t small_end(void);

/* Served by `pages.c`, as is the next: the number of bytes that a place has in use, from an offset in the addresses of
 * all places on. NULL if there are too many places. */
uint64_t *pages_of_place(uint64_t offset, const void *code);

/* Prepares fresh bytes, and returns their address. */
void *pages_grow(uint64_t offset, uint64_t bytes);

#endif
