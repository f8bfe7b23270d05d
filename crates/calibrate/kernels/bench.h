/* What every kernel uses: its options, the loop over samples, processors, pages. */
#ifndef NUMALAB_BENCH_H
#define NUMALAB_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- options: key=value on the command line, defaults in the kernel ---- */

struct bench;

/* An integer (with the suffixes KiB, MiB, GiB, kB, MB, GB), at least `least`. What is asked for becomes a parameter of
   the record, whether it was given or not, unless the key is "seconds" or "quantity". A wrong value or an unknown key ends the
   program with a message and status 2. */
int64_t bench_integer(struct bench *b, const char *key, int64_t otherwise, int64_t least);
/* One of the words of a list that ends with NULL; its index. The first is the default. */
int bench_choice(struct bench *b, const char *key, const char *const *words);
/* Size of the team: `threads`, or as many as there are processors in `procs`, or `otherwise` (0: all cores). */
int bench_threads(struct bench *b, int otherwise);
/* The processor of a thread of that team. */
int bench_cpu(const struct bench *b, int thread);

/* ---- samples ---- */

/* All options have been asked for: names the quantity and its unit, pins the team (omp_set_num_threads too). */
void bench_start(struct bench *b, const char *quantity, const char *unit);
/* A second quantity, measured together with the first: a record of its own, with the same samples' arrays. */
void bench_beside(struct bench *b, const char *quantity, const char *unit);
/* Whether another sample is wanted. */
bool bench_more(struct bench *b);
/* A sample; and one with its value of the second quantity. */
void bench_sample(struct bench *b, double value);
void bench_sample_beside(struct bench *b, double value, double beside);
/* A check of the kernel's result; the first that fails ends the program with a message and status 1. */
void bench_check(struct bench *b, bool right, const char *what);
/* Not possible on this machine: prints a `skipped` record and ends the program with status 0. */
_Noreturn void bench_skip(struct bench *b, const char *reason);

/* Seconds of a monotonic clock. */
double now(void);
/* How often to repeat work that took `seconds` so that a sample takes about a millisecond, at least once. */
int64_t repeats_for(double seconds);

/* ---- processors and nodes ---- */

/* Cores that we may use, first hardware threads only, by package, then node, then core. */
int cpus(void);
/* The processor of place i in that order, and its node. */
int cpu_at(int i);
int node_of_cpu(int cpu);
/* NUMA nodes with memory that we may use, ascending; at least one. */
int nodes(void);
int node_at(int i);
/* The index of the node with memory that is nearest to a processor. */
int memory_of_cpu(int cpu);
/* The firmware's distance between two nodes (not indices); 10 is local. */
int node_distance(int from, int to);
/* Pins the calling thread. False where the system does not let us. */
bool pin(int cpu);

/* ---- memory ---- */

/* Fresh zeroed pages, untouched; ends the program if there is no memory. `small` keeps huge pages away,
   otherwise they are asked for. */
void *map_pages(size_t bytes, bool small);
void unmap_pages(void *at, size_t bytes);
/* The same on the node of this number; ends with a `skipped` record where there is none, or it cannot be had. */
void *map_on_node(struct bench *b, size_t bytes, int node);
void *map_small_on_node(struct bench *b, size_t bytes, int node);
/* Binds untouched pages to a node (raw mbind). False where the system does not let us. */
bool bind_pages(void *at, size_t bytes, int node);
/* Whether the first, a middle and the last page lie on the node, as far as the system says where they are. */
bool pages_are_on(void *at, size_t bytes, int node);
/* Moves pages (raw move_pages), the number that arrived, or -1. */
long move_to_node(void *at, size_t bytes, int node);
size_t page_size(void);
/* A zeroed array, to be freed; ends the program if there is no memory. */
void *array_of(size_t count, size_t each);

/* ---- numbers ---- */

/* A small reproducible generator. */
uint64_t random_next(uint64_t *state);
/* Takes so many steps (a multiple of 8) in a chain of dependent additions; the seconds that it took. */
double chain(int64_t steps);
/* Keeps a result that nobody else reads from being optimised away. */
void keep(double value);

/* ---- experiments: each in a file of its own ---- */

void pointer_chase(struct bench *b);
void random_reads(struct bench *b);
void serial_bandwidth(struct bench *b);
void parallel_bandwidth(struct bench *b);
void loaded_latency(struct bench *b);
void memory_go_around(struct bench *b);
void core_to_core(struct bench *b);
void atomic_order(struct bench *b);
void contended_word(struct bench *b);
void compute(struct bench *b);
void first_touch_init(struct bench *b);
void page_migration(struct bench *b);
void allocation(struct bench *b);
void epcc(struct bench *b);
void epcc_task(struct bench *b);
void loadbal(struct bench *b);
void matvec(struct bench *b);
void cg(struct bench *b);
void heat(struct bench *b);
void false_sharing(struct bench *b);
void locks(struct bench *b);

#endif
