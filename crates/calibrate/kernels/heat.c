/* Heat spreads over a plate, step after step from one copy of the plate to the other. A step halves the rows again and
   again until a piece is small enough for a task. Every piece lies where it was first touched. */
#include "bench.h"
#include "simd.h"

#include <stdlib.h>
#include <string.h>

struct plate {
    int64_t rows, columns, leaves;
    double *even, *odd;
};

static double warmth(int64_t i, int64_t j) { return (double)((31 * i + 17 * j) % 101); }

/* A row from its own and its neighbours' last values; the ends of a row keep theirs. */
static void relax(double *restrict to, const double *restrict above, const double *restrict own,
                  const double *restrict below, int64_t columns) {
    to[0] = own[0];
    to[columns - 1] = own[columns - 1];
#pragma omp simd
    for (int64_t j = 1; j < columns - 1; j++)
        to[j] = 0.5 * own[j] + 0.125 * (above[j] + below[j] + own[j - 1] + own[j + 1]);
}

/* Some rows of a plate. Beyond its first and last row it is as warm as there. */
static void relax_rows(double *to, const double *from, int64_t rows, int64_t columns, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; i++) {
        int64_t above = i > 0 ? i - 1 : 0, below = i < rows - 1 ? i + 1 : rows - 1;
        relax(to + i * columns, from + above * columns, from + i * columns, from + below * columns, columns);
    }
}

static void spread(const struct plate *p, double *to, const double *from, int64_t at, int64_t count) {
    if (count == 1) {
        int64_t piece = p->rows / p->leaves;
        relax_rows(to, from, p->rows, p->columns, at * piece, (at + 1) * piece);
        return;
    }
#pragma omp task
    spread(p, to, from, at, count / 2);
#pragma omp task
    spread(p, to, from, at + count / 2, count / 2);
}

static void step(const struct plate *p, double *to, const double *from) {
#pragma omp parallel
#pragma omp single
    spread(p, to, from, 0, p->leaves);
}

static void initialise(const struct plate *p) {
    int64_t piece = p->rows / p->leaves;
#pragma omp parallel for schedule(static)
    for (int64_t leaf = 0; leaf < p->leaves; leaf++)
        for (int64_t i = leaf * piece; i < (leaf + 1) * piece; i++)
            for (int64_t j = 0; j < p->columns; j++)
                p->even[i * p->columns + j] = p->odd[i * p->columns + j] = warmth(i, j);
}

/* One row after so many steps from the beginning, recomputed serially: of as many rows around it as can reach it. */
static bool row_is_right(const struct plate *p, int64_t row, int64_t steps) {
    int64_t columns = p->columns;
    int64_t first = row > steps ? row - steps : 0, last = row + steps + 1 < p->rows ? row + steps + 1 : p->rows;
    size_t bytes = (size_t)((last - first) * columns) * sizeof(double);
    double *from = map_pages(bytes, false), *to = map_pages(bytes, false);
    for (int64_t i = first; i < last; i++)
        for (int64_t j = 0; j < columns; j++)
            from[(i - first) * columns + j] = warmth(i, j);
    for (int64_t s = 0; s < steps; s++) {
        relax_rows(to, from, last - first, columns, 0, last - first);
        double *other = from;
        from = to;
        to = other;
    }
    size_t one_row = (size_t)columns * sizeof(double);
    bool right = memcmp(from + (row - first) * columns, p->even + row * columns, one_row) == 0;
    unmap_pages(from, bytes);
    unmap_pages(to, bytes);
    return right;
}

/* The plate's edges, its middle, and rows at either side of a border between pieces. */
static bool some_rows_are_right(const struct plate *p, int64_t steps) {
    int64_t border = p->leaves / 3 * (p->rows / p->leaves);
    int64_t rows[] = {0, border > 0 ? border - 1 : 0, border, p->rows / 2, p->rows - 1};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!row_is_right(p, rows[i], steps))
            return false;
    return true;
}

void heat(struct bench *b) {
    int64_t rows = bench_integer(b, "rows", 4096, 1), columns = bench_integer(b, "columns", 4096, 2);
    int64_t leaves = bench_integer(b, "leaves", 512, 1), steps = bench_integer(b, "steps", 2, 2);
    bench_threads(b, 0);
    bench_start(b, "step", "ms");
    if ((leaves & (leaves - 1)) != 0 || rows % leaves != 0)
        bench_skip(b, "leaves have to be a power of two and to divide the rows");
    if (steps % 2 != 0)
        bench_skip(b, "steps have to be even: they end in the plate in which they began");

    size_t bytes = (size_t)(rows * columns) * sizeof(double);
    struct plate p = {rows, columns, leaves, map_pages(bytes, false), map_pages(bytes, false)};
    initialise(&p);
    bool first = true;
    while (bench_more(b)) {
        double start = now();
        for (int64_t i = 0; i < steps / 2; i++) {
            step(&p, p.odd, p.even);
            step(&p, p.even, p.odd);
        }
        bench_sample(b, (now() - start) / (double)steps * 1e3);
        if (first)
            bench_check(b, some_rows_are_right(&p, steps), "rows are as one thread computes them");
        first = false;
    }
    unmap_pages(p.even, bytes);
    unmap_pages(p.odd, bytes);
}
