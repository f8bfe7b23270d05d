/* Conjugate gradients on a sparse matrix: a step is a matrix-vector product, two dot products and three scaled vector
   additions, each a parallel loop. Pages lie where the initialisation has touched them first. */
#include "bench.h"
#include "simd.h"
#include "sparse.h"

#include <math.h>

struct vectors {
    double *x, *r, *p, *q;
};

/* x = 0, r = p = b, and all elements of b are 1. */
static void begin(const struct sparse *m, const struct vectors *v, int part) {
    for (int64_t i = m->bounds[part]; i < m->bounds[part + 1]; i++) {
        v->x[i] = v->q[i] = 0;
        v->r[i] = v->p[i] = 1;
    }
}

static void initialise(const struct sparse *m, const struct vectors *v, bool parallel) {
#pragma omp parallel for schedule(static) if (parallel)
    for (int part = 0; part < m->parts; part++) {
        sparse_fill(m, part);
        begin(m, v, part);
    }
}

static double row_times(const struct sparse *m, int64_t i, const double *p) {
    /* Chains of additions side by side, so that loads are what is waited for. */
    const double *restrict values = m->values;
    const int32_t *restrict columns = m->columns;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int64_t k = m->starts[i], end = m->starts[i + 1];
    for (; k + 4 <= end; k += 4) {
        s0 += values[k] * p[columns[k]];
        s1 += values[k + 1] * p[columns[k + 1]];
        s2 += values[k + 2] * p[columns[k + 2]];
        s3 += values[k + 3] * p[columns[k + 3]];
    }
    for (; k < end; k++)
        s0 += values[k] * p[columns[k]];
    return s0 + s1 + s2 + s3;
}

/* q = A p */
static void multiply(const struct sparse *m, double *q, const double *p) {
#pragma omp parallel for schedule(static)
    for (int part = 0; part < m->parts; part++)
        for (int64_t i = m->bounds[part]; i < m->bounds[part + 1]; i++)
            q[i] = row_times(m, i, p);
}

static double dot(const struct sparse *m, const double *left, const double *right) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int part = 0; part < m->parts; part++) {
        double mine = 0;
#pragma omp simd reduction(+ : mine)
        for (int64_t i = m->bounds[part]; i < m->bounds[part + 1]; i++)
            mine += left[i] * right[i];
        sum += mine;
    }
    return sum;
}

/* to = to + factor from */
static void add_to(const struct sparse *m, double *restrict to, double factor, const double *restrict from) {
#pragma omp parallel for schedule(static)
    for (int part = 0; part < m->parts; part++) {
#pragma omp simd
        for (int64_t i = m->bounds[part]; i < m->bounds[part + 1]; i++)
            to[i] += factor * from[i];
    }
}

/* p = r + factor p */
static void turn(const struct sparse *m, double *restrict p, double factor, const double *restrict r) {
#pragma omp parallel for schedule(static)
    for (int part = 0; part < m->parts; part++) {
#pragma omp simd
        for (int64_t i = m->bounds[part]; i < m->bounds[part + 1]; i++)
            p[i] = r[i] + factor * p[i];
    }
}

/* A quotient of what has become too small to matter is 0. */
static double quotient(double above, double below) { return below != 0 ? above / below : 0; }

static void solve(const struct sparse *m, const struct vectors *v, int64_t steps) {
    double rr = (double)m->n;
    for (int64_t s = 0; s < steps; s++) {
        multiply(m, v->q, v->p);
        double a = quotient(rr, dot(m, v->p, v->q));
        add_to(m, v->x, a, v->p);
        add_to(m, v->r, -a, v->q);
        double last = rr;
        rr = dot(m, v->r, v->r);
        turn(m, v->p, quotient(rr, last), v->r);
    }
}

/* r is what b - A x is, for any matrix; and smaller than b. */
static bool residual_is_right(const struct sparse *m, const struct vectors *v) {
    double squares = 0;
    for (int64_t i = 0; i < m->n; i++) {
        double residual = 1;
        for (int64_t k = m->starts[i]; k < m->starts[i + 1]; k++)
            residual -= m->values[k] * v->x[m->columns[k]];
        if (!(fabs(residual - v->r[i]) < 1e-10))
            return false;
        squares += residual * residual;
    }
    return squares < (double)m->n;
}

void cg(struct bench *b) {
    static const char *const variants[] = {"nnz_balanced", "serial_init", "parallel_init", NULL};
    int variant = bench_choice(b, "variant", variants);
    struct sparse m = {.n = bench_integer(b, "n", 150000, TOGETHER)};
    m.nnz = bench_integer(b, "nnz", 140 * m.n, 2 * m.n);
    m.band = bench_integer(b, "band", 1000000, 8) / 8;
    int64_t steps = bench_integer(b, "steps", 2, 1);
    int threads = bench_threads(b, 0);
    bench_start(b, "rate", "GFLOP/s");
    if (m.n > INT32_MAX)
        bench_skip(b, "columns have to fit 4 bytes");

    sparse_map(&m, threads, variant == 0);
    size_t vector = (size_t)m.n * sizeof(double);
    struct vectors v = {map_pages(vector, false), map_pages(vector, false), map_pages(vector, false),
                        map_pages(vector, false)};
    initialise(&m, &v, variant != 1);

    while (bench_more(b)) {
#pragma omp parallel for schedule(static)
        for (int part = 0; part < m.parts; part++)
            begin(&m, &v, part);
        double start = now();
        solve(&m, &v, steps);
        double taken = now() - start;
        bench_sample(b, (double)steps * (2.0 * (double)m.nnz + 10.0 * (double)m.n) / taken * 1e-9);
    }
    bench_check(b, residual_is_right(&m, &v), "the residual is b - A x");
    sparse_unmap(&m);
    double *all[] = {v.x, v.r, v.p, v.q};
    for (int i = 0; i < 4; i++)
        unmap_pages(all[i], vector);
}
