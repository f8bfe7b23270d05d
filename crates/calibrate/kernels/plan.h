/* What the plan knows about the machine. */
#ifndef NUMALAB_PLAN_H
#define NUMALAB_PLAN_H

#include <stdint.h>

/* Size of the largest cache of a processor, and of all such caches that we may use. */
int64_t last_level(int cpu);
int64_t all_last_levels(void);
/* Size of the cache inside the largest one: most often a core's own. */
int64_t inner_level(int cpu);
/* The first processor of those that share that cache. */
int cache_of_cpu(int cpu);
/* The second hardware thread of a processor's core that we may use, or -1. */
int sibling_of_cpu(int cpu);
int package_of_cpu(int cpu);
/* Bytes that we may use. */
int64_t free_memory(void);

#endif
