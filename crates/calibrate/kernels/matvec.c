/* a = B c with a dense matrix, rows split statically. Pages lie where the initialisation has touched them first. */
#include "bench.h"
#include "simd.h"

/* Small integers, so that sums are exact in any order. Rows that are PERIOD apart are equal. */
enum { PERIOD = 16 };
static double entry(int64_t i, int64_t j) { return (double)((i + j) % PERIOD); }
static double factor(int64_t j) { return (double)(j % 7); }

struct product {
    int64_t n;
    double *a, *B, *c;
};

static void initialise(const struct product *p, bool parallel) {
#pragma omp parallel for schedule(static) if (parallel)
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t j = 0; j < p->n; j++)
            p->B[i * p->n + j] = entry(i, j);
        p->a[i] = -1;
        p->c[i] = factor(i);
    }
}

static double dot(const double *restrict row, const double *restrict c, int64_t n) {
    /* Chains of additions side by side, so that loads are what is waited for. */
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    int64_t j = 0;
    for (; j + 8 <= n; j += 8) {
        s0 += row[j] * c[j];
        s1 += row[j + 1] * c[j + 1];
        s2 += row[j + 2] * c[j + 2];
        s3 += row[j + 3] * c[j + 3];
        s4 += row[j + 4] * c[j + 4];
        s5 += row[j + 5] * c[j + 5];
        s6 += row[j + 6] * c[j + 6];
        s7 += row[j + 7] * c[j + 7];
    }
    for (; j < n; j++)
        s0 += row[j] * c[j];
    return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

static void multiply(const struct product *p) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < p->n; i++)
        p->a[i] = dot(p->B + i * p->n, p->c, p->n);
}

static bool is_right(const struct product *p) {
    double expected[PERIOD] = {0};
    for (int64_t i = 0; i < PERIOD; i++)
        for (int64_t j = 0; j < p->n; j++)
            expected[i] += entry(i, j) * factor(j);
    for (int64_t i = 0; i < p->n; i++)
        if (p->a[i] != expected[i % PERIOD])
            return false;
    return true;
}

void matvec(struct bench *b) {
    static const char *const inits[] = {"serial", "parallel", NULL};
    bool parallel = bench_choice(b, "init", inits) == 1;
    int64_t n = bench_integer(b, "n", 4096, 1);
    int64_t products = bench_integer(b, "products", 1, 1);
    bench_threads(b, 0);
    bench_start(b, "rate", "GFLOP/s");

    size_t vector = (size_t)n * sizeof(double), matrix = (size_t)n * vector;
    struct product p = {n, map_pages(vector, false), map_pages(matrix, false), map_pages(vector, false)};
    initialise(&p, parallel);

    while (bench_more(b)) {
        double start = now();
        for (int64_t i = 0; i < products; i++)
            multiply(&p);
        double taken = now() - start;
        bench_sample(b, 2.0 * (double)n * (double)n * (double)products / taken * 1e-9);
    }
    bench_check(b, is_right(&p), "a = B c");
    unmap_pages(p.a, vector);
    unmap_pages(p.B, matrix);
    unmap_pages(p.c, vector);
}
