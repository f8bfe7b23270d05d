/* Two threads hand a line to and fro: the time of one way. */
#include "bench.h"
#include "team.h"

void core_to_core(struct bench *b) {
    enum { TRY = 1000 };
    int threads = bench_threads(b, 2);
    bench_start(b, "handover", "ns");
    if (threads != 2) bench_skip(b, "needs two processors");
    int64_t trips = repeats_for(2 * team_hand_over(threads, TRY));
    while (bench_more(b)) {
        double taken = team_hand_over(threads, trips);
        bench_check(b, taken > 0, "the time of a handover");
        bench_sample(b, taken * 1e9);
    }
}
