/* Events of each thread, streamed to one file. */
#ifndef NUMALAB_EVENTS_H
#define NUMALAB_EVENTS_H

#include <stdint.h>

/* Kinds of event. The reader (`What` in the crate nlt) has the same numbers. */
enum event_kind {
    PARALLEL_BEGIN = 1, /* detail: invoker, a: region, b: code, c: requested team size */
    PARALLEL_END,       /* a: region */
    IMPLICIT_BEGIN,     /* a: region, b: team << 32 | member, c: task */
    IMPLICIT_END,       /* a: region, b: member */
    WORK_BEGIN,         /* detail: type, a: region, b: code, c: iterations */
    WORK_END,           /* detail: type, a: region */
    CHUNK,              /* detail: kind, a: first iteration, b: iterations */
    TASK_CREATE,        /* a: task, b: code, c: creator */
    TASK_SWITCH,        /* detail: status, a: task before, b: task after */
    DEPENDENCE,         /* detail: type, a: task, b: address */
    WAIT_BEGIN,         /* detail: kind, a: region, b: task */
    WAIT_END,           /* detail: kind, a: region, b: task */
    MUTEX_ACQUIRE,      /* detail: kind, a: lock */
    MUTEX_ACQUIRED,
    MUTEX_RELEASED,
    STARTED, /* a: nanoseconds that the process has worked */
    ENDED,
    TOUCHED, /* detail: whether written, a: address, b: bytes */
};

/* Opens the file. Returns 0 on success. */
int events_open(const char *folder);

/* Adds an event of the calling thread. */
void event(enum event_kind kind, unsigned detail, uint64_t a, uint64_t b, uint64_t c);

/* Writes a text into the file: a name, a line feed, lines. */
void events_text(const char *text, uint64_t length);

/* Writes the buffers of all threads. Later events are dropped. */
void events_close(void);

/* Bytes of the events so far. */
uint64_t events_bytes(void);

/* Drops all later events. Texts are still written. */
void events_stop(void);

/* Monotonic clock in nanoseconds. */
uint64_t now_ns(void);

#endif
