/* The part of OpenMP's tool interface (OMPT, OpenMP 5.1) that the recorder uses, with the standard's names and
 * values. */
#ifndef NUMALAB_OMPT_H
#define NUMALAB_OMPT_H

#include <stdint.h>

typedef union {
    uint64_t value;
    void *ptr;
} ompt_data_t;

typedef struct {
    const void *exit_frame;
    const void *enter_frame;
    int exit_frame_flags;
    int enter_frame_flags;
} ompt_frame_t;

typedef struct {
    uint64_t start;
    uint64_t iterations;
} ompt_dispatch_chunk_t;

typedef struct {
    ompt_data_t variable;
    int dependence_type;
} ompt_dependence_t;

enum { ompt_scope_begin = 1, ompt_scope_end = 2, ompt_scope_beginend = 3 };
enum { ompt_task_initial = 1, ompt_task_implicit = 2, ompt_task_explicit = 4 };
enum { ompt_dispatch_iteration = 1, ompt_dispatch_section = 2, ompt_dispatch_ws_loop_chunk = 3 };
enum { ompt_sync_region_taskwait = 5, ompt_sync_region_taskgroup = 6 };
enum { ompt_set_never = 1 };

/* Numbers of the callbacks. */
enum {
    ompt_callback_thread_end = 2,
    ompt_callback_parallel_begin = 3,
    ompt_callback_parallel_end = 4,
    ompt_callback_task_create = 5,
    ompt_callback_task_schedule = 6,
    ompt_callback_implicit_task = 7,
    ompt_callback_sync_region_wait = 16,
    ompt_callback_mutex_released = 17,
    ompt_callback_dependences = 18,
    ompt_callback_work = 20,
    ompt_callback_masked = 21,
    ompt_callback_sync_region = 23,
    ompt_callback_mutex_acquire = 27,
    ompt_callback_mutex_acquired = 28,
    ompt_callback_flush = 29,
    ompt_callback_dispatch = 32,
};

typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef int (*ompt_set_callback_t)(int event, void (*callback)(void));
typedef void (*ompt_finalize_tool_t)(void);

typedef struct {
    int (*initialize)(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data);
    void (*finalize)(ompt_data_t *tool_data);
    ompt_data_t tool_data;
} ompt_start_tool_result_t;

#endif
