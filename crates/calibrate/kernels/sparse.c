/* Row i of n weighs n + i, so that the first i rows weigh i (n + (i - 1) / 2). */
#include "sparse.h"

#include "bench.h"

#include <math.h>

static int64_t start_of_row(const struct sparse *m, int64_t i) {
    double n = (double)m->n, rows = (double)i;
    return (int64_t)((double)m->nnz * (rows / n) * ((2 * n + rows - 1) / (3 * n - 1)));
}

/* The first part u of the rows holds (2 u + u^2) / 3 of the entries; the other way round, a part c of the entries lies
   in the first sqrt(1 + 3 c) - 1 of the rows. */
static int64_t bound(int64_t n, int part, int parts, bool balanced) {
    if (balanced)
        return (int64_t)((double)n * (sqrt(1 + 3.0 * part / parts) - 1));
    int64_t more = n % parts;
    return n / parts * part + (part < more ? part : more);
}

void sparse_map(struct sparse *m, int parts, bool balanced) {
    m->starts = map_pages((size_t)(m->n + 1) * sizeof *m->starts, false);
    m->values = map_pages((size_t)m->nnz * sizeof *m->values, false);
    m->columns = map_pages((size_t)m->nnz * sizeof *m->columns, false);
    m->bounds = map_pages((size_t)(parts + 1) * sizeof *m->bounds, true);
    m->parts = parts;
    for (int part = 0; part <= parts; part++)
        m->bounds[part] = bound(m->n, part, parts, balanced);
}

void sparse_unmap(struct sparse *m) {
    unmap_pages(m->starts, (size_t)(m->n + 1) * sizeof *m->starts);
    unmap_pages(m->values, (size_t)m->nnz * sizeof *m->values);
    unmap_pages(m->columns, (size_t)m->nnz * sizeof *m->columns);
    unmap_pages(m->bounds, (size_t)(m->parts + 1) * sizeof *m->bounds);
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* The first column of a run of `size`, from the line of a column on. It reaches that column and ends with the row. */
static int64_t first_of_run(int64_t column, int64_t size, int64_t n) {
    int64_t within = least(column % TOGETHER, size - 1);
    return least(column - within, n - size);
}

static double small(int64_t i, int64_t column, int64_t length) {
    return ((double)((3 * i + 5 * column) % 16) - 7.5) / (16 * (double)length);
}

/* One run in each of as many equal parts of the band as there are runs; in one of them it is on the diagonal. */
static void fill_row(const struct sparse *m, int64_t i, int64_t at, int64_t length) {
    int64_t width = least(m->band, m->n), runs = (length + TOGETHER - 1) / TOGETHER;
    int64_t band = i > width / 2 ? least(i - width / 2, m->n - width) : 0;
    uint64_t state = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u;
    for (int64_t run = 0; run < runs; run++) {
        int64_t from = band + width * run / runs, to = band + width * (run + 1) / runs;
        int64_t size = least(TOGETHER, length - run * TOGETHER);
        int64_t any = from + (int64_t)(random_next(&state) % (uint64_t)(to > from ? to - from : 1));
        int64_t first = first_of_run(from <= i && i < to ? i : any, size, m->n);
        for (int64_t column = first; column < first + size; column++, at++) {
            m->columns[at] = (int32_t)column;
            m->values[at] = column == i ? 1 : small(i, column, length);
        }
    }
}

void sparse_fill(const struct sparse *m, int part) {
    for (int64_t i = m->bounds[part]; i < m->bounds[part + 1]; i++) {
        int64_t start = start_of_row(m, i);
        m->starts[i] = start;
        fill_row(m, i, start, start_of_row(m, i + 1) - start);
    }
    if (part == m->parts - 1)
        m->starts[m->n] = m->nnz;
}
