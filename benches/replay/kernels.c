/* Small kernels, of which an iteration takes some microseconds, and whose one region is repeated: kernels NAME REPEATS [tasks]. For each repetition a line says how many nanoseconds
 * it took, and how often the system took a processor away meanwhile. Loops are schedule(runtime), or a task an iteration. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ROWS = 384, COLUMNS = 512, GRAINS = 192 };

static double a[ROWS * COLUMNS], x[ROWS * COLUMNS], y[ROWS * COLUMNS];
static int first[ROWS + 1], column[ROWS * COLUMNS];
static volatile double sink;

/* Iteration i computes i % GRAINS + 1 times as long as the first. */
static void loadbal(int i) {
    double sum = 0;
    for (int k = 0; k < 60 * (i % GRAINS + 1); k++)
        sum += 1.0 / (k + i + 1);
    y[i] = sum;
}

static void matvec(int i) {
    for (int times = 0; times < 32; times++) {
        double sum = 0;
        for (int k = 0; k < COLUMNS; k++)
            sum += a[i * COLUMNS + k] * x[k + times];
        y[i] += sum;
    }
}

/* Rows of a sparse matrix are of very different lengths, and gather. */
static void cg(int i) {
    for (int times = 0; times < 40; times++) {
        double sum = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            sum += a[k] * x[column[k]];
        y[i] += sum;
    }
}

static void heat(int i) {
    if (i == 0 || i == ROWS - 1)
        return;
    for (int times = 0; times < 40; times++)
        for (int k = 1; k < COLUMNS - 1; k++)
            y[i * COLUMNS + k] = 0.25 * (x[(i - 1) * COLUMNS + k] + x[(i + 1) * COLUMNS + k] + x[i * COLUMNS + k - 1] + x[i * COLUMNS + k + 1]);
}

static long fib(int n) {
    long one, other;
    if (n < 12)
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
#pragma omp task shared(one)
    one = fib(n - 1);
#pragma omp task shared(other)
    other = fib(n - 2);
#pragma omp taskwait
    return one + other;
}

static long switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

int main(int count, char **words) {
    const char *name = count > 1 ? words[1] : "loadbal";
    int repeats = count > 2 ? atoi(words[2]) : 1, tasks = count > 3;
    void (*body)(int) = !strcmp(name, "matvec") ? matvec : !strcmp(name, "cg") ? cg : !strcmp(name, "heat") ? heat : loadbal;
    unsigned seed = 1;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        a[i] = x[i] = i % 7;
        seed = seed * 1664525u + 1013904223u;
        column[i] = seed % (ROWS * COLUMNS);
    }
    for (int i = 0; i < ROWS; i++)
        first[i + 1] = first[i] + 16 + (i * 37) % (COLUMNS - 16);
    for (int i = 0; i < repeats; i++) {
        long before = switches();
        double start = omp_get_wtime();
        if (!strcmp(name, "fib")) {
            long result = 0;
#pragma omp parallel
#pragma omp single
            result = fib(22);
            sink = result;
        } else if (tasks) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
            for (int row = 0; row < ROWS; row++)
                body(row);
        } else {
#pragma omp parallel for schedule(runtime)
            for (int row = 0; row < ROWS; row++)
                body(row);
        }
        double end = omp_get_wtime();
        printf("%.0f %ld\n", 1e9 * (end - start), switches() - before);
    }
    return 0;
}
