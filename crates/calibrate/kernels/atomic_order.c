/* What passes beside the wait for the line of an atomic operation: the computing before it, the computing after it, or none. Two
   threads take turns; each adds to a word that the other added to before, and computes for a while. */
#include "bench.h"
#include "delay.h"
#include "team.h"

#include <stdatomic.h>

enum order { NONE, CHAINED, BEFORE, AFTER };

/* No addition; computing that begins with its result; the addition, then computing that does not need it; the other way. */
static const char *const ORDERS[] = {"none", "chained", "before", "after", NULL};

static struct {
    _Alignas(256) _Atomic int64_t turn;
    _Alignas(256) _Atomic int64_t word;
    char rest[256 - sizeof(int64_t)];
} shared;

struct turns {
    enum order order;
    int64_t trips, steps;
};

static int64_t add(void) { return atomic_fetch_add_explicit(&shared.word, 1, memory_order_relaxed); }

static void take_turns(int thread, void *what) {
    const struct turns turns = *(const struct turns *)what;
    for (int64_t trip = 0; trip < turns.trips; trip++) {
        int64_t mine = 2 * trip + thread;
        while (atomic_load_explicit(&shared.turn, memory_order_acquire) != mine) continue;
        if (turns.order == CHAINED)
            delay_from(turns.steps, (uint64_t)add());
        else {
            if (turns.order == BEFORE) add();
            delay(turns.steps);
            if (turns.order == AFTER) add();
        }
        atomic_store_explicit(&shared.turn, mine + 1, memory_order_release);
    }
}

static double seconds_of(struct turns *turns) {
    atomic_store(&shared.turn, 0);
    atomic_store(&shared.word, 0);
    return team_time(2, take_turns, turns);
}

void atomic_order(struct bench *b) {
    enum { TRY = 1000 };
    struct turns turns = {(enum order)bench_choice(b, "order", ORDERS), TRY, 0};
    int64_t delay_ns = bench_integer(b, "delay_ns", 50, 1);
    int threads = bench_threads(b, 2);
    bench_start(b, "turn", "ns");
    if (threads != 2) bench_skip(b, "needs two processors");
    turns.steps = delay_steps((double)delay_ns * 1e-9);
    turns.trips = repeats_for(seconds_of(&turns) / TRY);
    while (bench_more(b)) {
        double delays = delays_take(2 * turns.trips, turns.steps);
        double taken = seconds_of(&turns);
        int64_t expected = turns.order == NONE ? 0 : 2 * turns.trips;
        bench_check(b, atomic_load(&shared.word) == expected, "every addition arrives");
        bench_check(b, atomic_load(&shared.turn) == 2 * turns.trips, "every turn is taken");
        bench_sample(b, (taken - delays) / (double)(2 * turns.trips) * 1e9);
    }
}
