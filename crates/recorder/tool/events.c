#define _GNU_SOURCE
#include "events.h"

#include "pages.h"
#include "token.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct event {
    uint64_t time;
    uint8_t kind;
    uint8_t detail;
    uint16_t unused;
    /* Involuntary context switches as last queried; the top bit is set if they were queried at this event. */
    uint32_t switches;
    uint64_t a, b, c;
};

enum { ROOM = 1600 };

/* A block of the file: a head, then its contents. */
struct head {
    uint32_t magic;
    uint32_t thread; /* TEXT for a text */
    uint64_t length;
};

static const uint32_t MAGIC = 0x31524c4e; /* NLR1 */
static const uint32_t TEXT = 0xffffffffu;
static const uint32_t FRESH = 0x80000000u;
/* Nanoseconds between queries of context switches. A query takes half a microsecond: at most 2 % of the time. */
static const uint64_t BETWEEN_QUESTIONS = 20000;

struct buffer {
    struct head head;
    struct event events[ROOM];
    uint32_t used;
    uint32_t switches;
    uint64_t asked;
    struct buffer *next;
};

static int file = -1;
static atomic_int closed = 1, stopped;
static atomic_ullong added;
static atomic_uint threads;
static pid_t owner;
static struct buffer *buffers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct buffer *mine;

/* Clock of the events. Waits of the token have the monotonic clock. */
static clockid_t clock_of_events = CLOCK_MONOTONIC;

static uint64_t time_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t now_ns(void) {
    return time_of(CLOCK_MONOTONIC);
}

static void write_all(const void *bytes, uint64_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(file, at, length);
        if (written <= 0) {
            /* The disk is full. The reader drops the incomplete block. */
            atomic_store(&closed, 1);
            return;
        }
        at += written;
        length -= (uint64_t)written;
    }
}

/* The caller holds the lock. */
static void flush(struct buffer *buffer) {
    if (buffer->used == 0)
        return;
    buffer->head.magic = MAGIC;
    buffer->head.length = (uint64_t)buffer->used * sizeof(struct event);
    write_all(&buffer->head, sizeof buffer->head + buffer->head.length);
    buffer->used = 0;
}

/* A child of fork is another program and is not recorded. */
static void in_child(void) {
    atomic_store(&closed, 1);
}

int events_open(const char *folder) {
    char path[4096];
    const char *clock = getenv("NUMALAB_CLOCK");
    owner = getpid();
    if (clock != NULL && strcmp(clock, "processor") == 0)
        clock_of_events = CLOCK_PROCESS_CPUTIME_ID;
    int length = snprintf(path, sizeof path, "%s/%ld.raw", folder, (long)owner);
    if (length < 0 || (size_t)length >= sizeof path)
        return -1;
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    pthread_atfork(NULL, NULL, in_child);
    atomic_store(&closed, 0);
    return 0;
}

static struct buffer *new_buffer(void) {
    struct buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer == NULL)
        return NULL;
    buffer->head.thread = atomic_fetch_add(&threads, 1);
    pthread_mutex_lock(&lock);
    buffer->next = buffers;
    buffers = buffer;
    pthread_mutex_unlock(&lock);
    return buffer;
}

static void add(enum event_kind kind, unsigned detail, uint64_t a, uint64_t b, uint64_t c) {
    if (atomic_load_explicit(&closed, memory_order_relaxed) || atomic_load_explicit(&stopped, memory_order_relaxed))
        return;
    struct buffer *buffer = mine;
    if (buffer == NULL) {
        buffer = mine = new_buffer();
        if (buffer == NULL)
            return;
    }
    if (buffer->used == ROOM) {
        pthread_mutex_lock(&lock);
        flush(buffer);
        pthread_mutex_unlock(&lock);
    }
    uint64_t time = time_of(clock_of_events);
    uint32_t fresh = 0;
    if (time - buffer->asked > BETWEEN_QUESTIONS) {
        struct rusage usage;
        if (getrusage(RUSAGE_THREAD, &usage) == 0)
            buffer->switches = (uint32_t)usage.ru_nivcsw & ~FRESH;
        buffer->asked = time;
        fresh = FRESH;
    }
    token_seen(time);
    /* One thread works at a time; without the token some are not counted. */
    atomic_store_explicit(&added, atomic_load_explicit(&added, memory_order_relaxed) + sizeof(struct event),
                          memory_order_relaxed);
    struct event *event = &buffer->events[buffer->used++];
    *event = (struct event){time, (uint8_t)kind, (uint8_t)detail, 0, buffer->switches | fresh, a, b, c};
}

uint64_t events_bytes(void) {
    return atomic_load(&added);
}

void events_stop(void) {
    atomic_store(&stopped, 1);
}

static void touched(uint64_t address, uint64_t bytes, int written) {
    add(TOUCHED, (unsigned)written, address, bytes, 0);
}

void event(enum event_kind kind, unsigned detail, uint64_t a, uint64_t b, uint64_t c) {
    /* Touched pages belong to the activity that ends now. Without the token another thread works, so its pages are
     * not mixed in. */
    if (token_held())
        pages_look(touched);
    add(kind, detail, a, b, c);
}

void events_text(const char *text, uint64_t length) {
    if (atomic_load(&closed))
        return;
    struct head head = {MAGIC, TEXT, length};
    pthread_mutex_lock(&lock);
    write_all(&head, sizeof head);
    write_all(text, length);
    pthread_mutex_unlock(&lock);
}

void events_close(void) {
    if (atomic_exchange(&closed, 1) || getpid() != owner)
        return;
    pthread_mutex_lock(&lock);
    for (struct buffer *buffer = buffers; buffer != NULL; buffer = buffer->next)
        flush(buffer);
    pthread_mutex_unlock(&lock);
}
