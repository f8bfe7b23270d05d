/* numalab-kernels: the list of experiments. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

const struct experiment experiments[] = {
    {"pointer_chase", pointer_chase},
    {"random_reads", random_reads},
    {"serial_bandwidth", serial_bandwidth},
    {"parallel_bandwidth", parallel_bandwidth},
    {"loaded_latency", loaded_latency},
    {"memory_go_around", memory_go_around},
    {"core_to_core", core_to_core},
    {"atomic_order", atomic_order},
    {"contended_word", contended_word},
    {"compute", compute},
    {"first_touch_init", first_touch_init},
    {"page_migration", page_migration},
    {"malloc", allocation},
    {"epcc", epcc},
    {"epcc_task", epcc_task},
    {"loadbal", loadbal},
    {"matvec", matvec},
    {"cg", cg},
    {"heat", heat},
    {"false_sharing", false_sharing},
    {"locks", locks},
    {NULL, NULL},
};

static const char HELP[] = "numalab-kernels list\n"
                           "numalab-kernels host\n"
                           "numalab-kernels plan [--tiny]\n"
                           "numalab-kernels EXPERIMENT [quantity=Q] [key=value ...] [seconds=S]\n";

static int list(void) {
    for (const struct experiment *one = experiments; one->name; one++) puts(one->name);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(HELP, argc < 2 ? stderr : stdout);
        return argc < 2 ? 2 : 0;
    }
    const char *what = argv[1];
    for (const struct experiment *one = experiments; one->name; one++)
        if (strcmp(one->name, what) == 0) return bench_run(one->name, one->run, argv + 2, argc - 2);
    bool tiny = argc == 3 && strcmp(argv[2], "--tiny") == 0;
    if (strcmp(what, "plan") == 0 && (argc == 2 || tiny)) return plan_print(tiny);
    if (strcmp(what, "list") == 0 && argc == 2) return list();
    if (strcmp(what, "host") == 0 && argc == 2) return host_print();
    fprintf(stderr, "numalab-kernels: expected list, host, plan [--tiny] or an experiment (`numalab-kernels list`), found '%s'\n", what);
    return 2;
}
