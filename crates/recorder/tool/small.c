#define _GNU_SOURCE
#include "small.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { PLACES = 1024, SLOTS = 4096, SIZES = 32 };
/* Bytes of addresses for each place, and the bytes that are prepared together. */
static const uint64_t SHARE = SMALL_ROOM / PLACES, STEP = 64 << 10;

/* Before each block; keeps its alignment. */
struct head {
    uint64_t bytes, unused;
};

/* Freed blocks of one size; the first word of each is the next one's address. */
struct freed {
    uint64_t bytes;
    void *first;
};

struct place {
    const void *code;
    uint64_t *used;
    uint64_t prepared;
    char *start;
    struct freed freed[SIZES];
};

static struct place places[PLACES];
static atomic_uint count;
/* Numbers of places, from 1, by the address of their code. */
static unsigned slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct place *place_of(const void *code) {
    unsigned slot = (unsigned)((uintptr_t)code * UINT64_C(0x9e3779b97f4a7c15) >> 52) % SLOTS;
    for (; slots[slot] != 0; slot = (slot + 1) % SLOTS)
        if (places[slots[slot] - 1].code == code)
            return &places[slots[slot] - 1];
    unsigned number = atomic_load(&count);
    if (number == PLACES)
        return NULL;
    struct place *fresh = &places[number];
    fresh->code = code;
    fresh->used = pages_of_place(number * SHARE, code);
    slots[slot] = number + 1;
    atomic_store(&count, number + 1);
    return fresh;
}

static void *reused(struct place *place, uint64_t bytes) {
    for (unsigned at = 0; at < SIZES; at++) {
        struct freed *freed = &place->freed[at];
        if (freed->bytes != bytes || freed->first == NULL)
            continue;
        void *block = freed->first;
        freed->first = *(void **)block;
        memset(block, 0, bytes);
        return block;
    }
    return NULL;
}

static void *fresh(struct place *place, uint64_t bytes) {
    uint64_t from = *place->used, end = from + sizeof(struct head) + bytes;
    if (end > SHARE)
        return NULL;
    if (end > place->prepared) {
        uint64_t more = (end - place->prepared + STEP - 1) / STEP * STEP;
        char *start = pages_grow((uint64_t)(place - places) * SHARE + place->prepared, more);
        if (place->prepared == 0)
            place->start = start;
        place->prepared += more;
    }
    *place->used = end;
    struct head *head = (struct head *)(void *)(place->start + from);
    head->bytes = bytes;
    return head + 1;
}

void *small_take(size_t wanted, const void *code) {
    uint64_t bytes = wanted < SMALL_ALIGNED ? SMALL_ALIGNED : (wanted + SMALL_ALIGNED - 1) / SMALL_ALIGNED * SMALL_ALIGNED;
    pthread_mutex_lock(&lock);
    struct place *place = place_of(code);
    void *block = NULL;
    if (place != NULL && place->used != NULL) {
        block = reused(place, bytes);
        if (block == NULL)
            block = fresh(place, bytes);
    }
    pthread_mutex_unlock(&lock);
    return block;
}

uint64_t small_size(const void *block) {
    return ((const struct head *)block - 1)->bytes;
}

void small_give(void *block) {
    uint64_t bytes = small_size(block);
    pthread_mutex_lock(&lock);
    char *first = places[0].start;
    struct place *place = &places[(uint64_t)((char *)block - first) / SHARE];
    struct freed *free = NULL;
    for (unsigned at = 0; at < SIZES; at++) {
        struct freed *one = &place->freed[at];
        if (one->bytes == bytes || (one->first == NULL && free == NULL))
            free = one;
        if (one->bytes == bytes)
            break;
    }
    /* A block of one size too many is not used again. */
    if (free != NULL) {
        free->bytes = bytes;
        *(void **)block = free->first;
        free->first = block;
    }
    pthread_mutex_unlock(&lock);
}

uint64_t small_end(void) {
    return atomic_load(&count) * SHARE;
}
