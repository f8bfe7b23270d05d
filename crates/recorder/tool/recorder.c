/* An OMPT tool that records the time of each chunk and task of an OpenMP program while no other thread works.
 *
 * NUMALAB_RECORD is the folder for the events. NUMALAB_TOKEN is the time in seconds after which a token that is not
 * passed counts as broken; 0 for no token. With NUMALAB_ONLY=regions only starts and ends of regions are recorded.
 *
 * `preload.c`, if it is preloaded, tells when the program itself began and when a thread yields its processor. */
#define _GNU_SOURCE
#include "events.h"
#include "ompt.h"
#include "pages.h"
#include "token.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_ullong regions, tasks;

/* A task's word is its number; the lowest bit is set while it waits for others. */
static uint64_t number(const ompt_data_t *task) {
    return task == NULL ? 0 : task->value >> 1;
}

static void name(ompt_data_t *task) {
    if (task != NULL)
        task->value = (atomic_fetch_add(&tasks, 1) + 1) << 1;
}

static uint64_t region_of(const ompt_data_t *region) {
    return region == NULL ? 0 : region->value;
}

static uint64_t code(const void *address) {
    return (uint64_t)(uintptr_t)address;
}

/* The program's own work ends when `main` returns or calls exit. */
static void program_ends(void) {
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&done))
        event(ENDED, 0, 0, 0, 0);
}

/* Bytes of events after which the recording ends with the outermost region; 0 for no limit. */
static uint64_t limit;
/* Number of regions that the thread has open. */
static _Thread_local unsigned depth;

/* False for workers, whose regions are nested. */
static _Thread_local int outermost = 1;

static void end_at_limit(void) {
    if (limit == 0 || depth > 0 || events_bytes() < limit)
        return;
    program_ends();
    events_stop();
    token_stop();
    events_text("limited\n", 8);
    limit = 0;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region, unsigned team,
                              int flags, const void *address) {
    (void)task, (void)frame;
    region->value = atomic_fetch_add(&regions, 1) + 1;
    event(PARALLEL_BEGIN, (unsigned)flags & 3, region->value, code(address), team);
    pages_region(code(address));
    depth++;
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *task, int flags, const void *address) {
    (void)task, (void)flags, (void)address;
    token_take();
    event(PARALLEL_END, 0, region_of(region), 0, 0);
    if (depth > 0)
        depth--;
    if (outermost)
        end_at_limit();
}

static void on_implicit_task(int scope, ompt_data_t *region, ompt_data_t *task, unsigned team, unsigned member,
                             int flags) {
    if (flags & ompt_task_initial) {
        if (scope == ompt_scope_begin)
            name(task);
        return;
    }
    if (scope == ompt_scope_begin) {
        outermost = outermost && member == 0;
        name(task);
        token_together();
        token_take();
        event(IMPLICIT_BEGIN, 0, region_of(region), (uint64_t)team << 32 | member, number(task));
    } else {
        event(IMPLICIT_END, 0, region_of(region), member, 0);
        /* The first member continues the program and keeps the token. */
        if (member != 0)
            token_give(0);
    }
}

static void on_work(int type, int scope, ompt_data_t *region, ompt_data_t *task, uint64_t count, const void *address) {
    (void)task;
    if (scope != ompt_scope_end)
        event(WORK_BEGIN, (unsigned)type, region_of(region), code(address), count);
    if (scope != ompt_scope_begin)
        event(WORK_END, (unsigned)type, region_of(region), 0, 0);
}

static void on_dispatch(ompt_data_t *region, ompt_data_t *task, int kind, ompt_data_t instance) {
    (void)region, (void)task;
    if (kind == ompt_dispatch_iteration) {
        event(CHUNK, (unsigned)kind, instance.value, 1, 0);
    } else if (kind == ompt_dispatch_section) {
        event(CHUNK, (unsigned)kind, 0, 1, 0);
    } else if (instance.ptr != NULL) {
        const ompt_dispatch_chunk_t *chunk = instance.ptr;
        event(CHUNK, (unsigned)kind, chunk->start, chunk->iterations, 0);
    }
}

static void on_task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                           int dependences, const void *address) {
    (void)frame, (void)dependences;
    if (!(flags & ompt_task_explicit))
        return;
    name(task);
    event(TASK_CREATE, 0, number(task), code(address), number(creator));
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *all, int count) {
    for (int at = 0; at < count; at++)
        event(DEPENDENCE, (unsigned)all[at].dependence_type, number(task), all[at].variable.value, 0);
}

static void on_task_schedule(ompt_data_t *before, int status, ompt_data_t *after) {
    if (after == NULL) {
        event(TASK_SWITCH, (unsigned)status, number(before), 0, 0);
    } else if (after->value & 1) {
        event(TASK_SWITCH, (unsigned)status, number(before), number(after), 0);
        token_give(0);
    } else {
        token_take();
        event(TASK_SWITCH, (unsigned)status, number(before), number(after), 0);
    }
}

static void on_wait(int kind, int scope, ompt_data_t *region, ompt_data_t *task, const void *address) {
    (void)address;
    if (scope == ompt_scope_begin) {
        if (task != NULL)
            task->value |= 1;
        event(WAIT_BEGIN, (unsigned)kind, region_of(region), number(task), 0);
        token_give(0);
        return;
    }
    if (task != NULL)
        task->value &= ~(uint64_t)1;
    /* Workers leave the last barrier of a region only when the next region begins; the event then has no region. */
    if (region == NULL)
        return;
    if (kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup)
        token_together();
    token_take();
    event(WAIT_END, (unsigned)kind, region_of(region), number(task), 0);
}

/* Locks that are only tried, so no thread waits for them. */
enum { TEST_LOCK = 2, TEST_NEST_LOCK = 4 };

/* True after a lock request until its acquisition is reported; libomp does not report every acquisition. */
static _Thread_local int asking;

static void on_mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t lock, const void *address) {
    (void)hint, (void)implementation, (void)address;
    if (kind == TEST_LOCK || kind == TEST_NEST_LOCK)
        return;
    asking = 1;
    event(MUTEX_ACQUIRE, (unsigned)kind, lock, 0, 0);
    token_give(1);
}

static void on_mutex_acquired(int kind, uint64_t lock, const void *address) {
    (void)address;
    asking = 0;
    token_take();
    event(MUTEX_ACQUIRED, (unsigned)kind, lock, 0, 0);
}

static void on_mutex_released(int kind, uint64_t lock, const void *address) {
    if (asking)
        on_mutex_acquired(kind, lock, address);
    event(MUTEX_RELEASED, (unsigned)kind, lock, 0, 0);
}

/* A wait that OpenMP does not report. The reader takes it for a wait for a lock that is released at once. */
enum { UNREPORTED = 255 };

static void waits(void) {
    event(MUTEX_ACQUIRE, UNREPORTED, 0, 0, 0);
}

/* The thread asks for nothing but that others continue: it waits for them. */
static void on_yield(void) {
    if (!token_yield(waits))
        return;
    event(MUTEX_ACQUIRED, UNREPORTED, 0, 0, 0);
    event(MUTEX_RELEASED, UNREPORTED, 0, 0, 0);
}

/* A flush now and then belongs to the program's work; a thread that repeats it waits for a flag of another thread. */
enum { FLUSHES_OF_A_WAIT = 64 };

static void on_flush(ompt_data_t *thread, const void *address) {
    static _Thread_local unsigned flushes;
    (void)thread, (void)address;
    if (++flushes % FLUSHES_OF_A_WAIT == 0)
        on_yield();
}

static void on_thread_end(ompt_data_t *thread) {
    (void)thread;
    token_give(0);
}

/* Writes the memory map, so that addresses can be named later. */
static void record_maps(void) {
    int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0)
        return;
    size_t length = 5, room = 1 << 16;
    char *text = malloc(room);
    if (text != NULL)
        memcpy(text, "maps\n", 5);
    while (text != NULL) {
        if (length == room) {
            char *more = realloc(text, room *= 2);
            if (more == NULL)
                break;
            text = more;
        }
        ssize_t got = read(maps, text + length, room - length);
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    close(maps);
    if (text != NULL)
        events_text(text, length);
    free(text);
}

/* True for events at the start or end of regions. */
static int of_regions(int event) {
    return event == ompt_callback_parallel_begin || event == ompt_callback_parallel_end ||
           event == ompt_callback_implicit_task || event == ompt_callback_thread_end;
}

static int started(ompt_function_lookup_t lookup, int device, ompt_data_t *tool) {
    (void)device, (void)tool;
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    const char *folder = getenv("NUMALAB_RECORD"), *patience = getenv("NUMALAB_TOKEN");
    const char *only = getenv("NUMALAB_ONLY");
    int only_regions = only != NULL && strcmp(only, "regions") == 0;
    if (set == NULL || folder == NULL || events_open(folder) != 0)
        return 0;
    const struct {
        int event;
        void (*callback)(void);
    } callbacks[] = {
        {ompt_callback_parallel_begin, (void (*)(void))on_parallel_begin},
        {ompt_callback_parallel_end, (void (*)(void))on_parallel_end},
        {ompt_callback_implicit_task, (void (*)(void))on_implicit_task},
        {ompt_callback_work, (void (*)(void))on_work},
        {ompt_callback_dispatch, (void (*)(void))on_dispatch},
        {ompt_callback_task_create, (void (*)(void))on_task_create},
        {ompt_callback_dependences, (void (*)(void))on_dependences},
        {ompt_callback_task_schedule, (void (*)(void))on_task_schedule},
        {ompt_callback_sync_region_wait, (void (*)(void))on_wait},
        {ompt_callback_mutex_acquire, (void (*)(void))on_mutex_acquire},
        {ompt_callback_mutex_acquired, (void (*)(void))on_mutex_acquired},
        {ompt_callback_mutex_released, (void (*)(void))on_mutex_released},
        {ompt_callback_flush, (void (*)(void))on_flush},
        {ompt_callback_thread_end, (void (*)(void))on_thread_end},
    };
    for (size_t at = 0; at < sizeof callbacks / sizeof *callbacks; at++) {
        if (only_regions && !of_regions(callbacks[at].event))
            continue;
        if (set(callbacks[at].event, callbacks[at].callback) <= ompt_set_never) {
            char text[64];
            int length = snprintf(text, sizeof text, "missing\n%d\n", callbacks[at].event);
            events_text(text, (uint64_t)length);
        }
    }
    const char *most = getenv("NUMALAB_LIMIT");
    limit = most == NULL ? 0 : strtoull(most, NULL, 10);
    double seconds = patience == NULL ? 5 : atof(patience);
    if (seconds > 0)
        token_start((uint64_t)(seconds * 1e9));
    token_take();
    if (seconds > 0 && !only_regions) {
        void (**yield)(void) = NULL;
        *(void **)&yield = dlsym(RTLD_DEFAULT, "numalab_yield");
        if (yield != NULL)
            *yield = on_yield;
    }
    struct timespec spent;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    uint64_t worked = (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
    const uint64_t *before = dlsym(RTLD_DEFAULT, "numalab_before_main");
    event(STARTED, 0, before == NULL || *before > worked ? worked : worked - *before, 0, 0);
    /* Called before destructors of libraries: before the runtime ends its team. */
    atexit(program_ends);
    return 1;
}

static void ended(ompt_data_t *tool) {
    (void)tool;
    program_ends();
    record_maps();
    pages_allocations();
    if (token_broken())
        events_text("broken\n", 7);
    events_text("end\n", 4);
    events_close();
}

/* The OpenMP runtime looks up this function by name. */
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t tool = {started, ended, {0}};
    (void)version, (void)runtime;
    pages_leave_out(__builtin_return_address(0));
    return &tool;
}
