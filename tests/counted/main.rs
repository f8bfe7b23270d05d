//! The work of the engine in fixed runs, counted: a change that makes it do more is seen on any machine, however
//! loaded that is. `golden.txt` holds the counts; see CONTRIBUTING.md for how they change.
//!
//! | file | topic |
//! |---|---|
//! | `main` | the runs |
//! | `run` | a run in a process of its own, and what is counted |
//! | `golden` | the counts that are known, and the comparison with them |

mod golden;
mod run;

use run::Run;

/// A test for each run, with the run's name.
macro_rules! runs {
    ($($(#[$attribute:meta])* $name:ident: $run:expr;)*) => {
        /// In the order of the rows.
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            $(#[$attribute])*
            fn $name() {
                golden::check(stringify!($name), || $run);
            }
        )*
    };
}

/// 2 080 cores on 208 nodes; 8 192 on 512.
const WIDE: &str = "board:104 socket:2 core:10";
const HUGE: &str = "board:128 socket:4 core:16";

runs! {
    loadbal_128_all_policies: Run::of("loadbal").on("bcs16");
    loadbal_2080_static: loadbal_2080("static");
    loadbal_2080_most_loaded: loadbal_2080("numa-steal:most-loaded");
    loadbal_2080_dynamic: loadbal_2080("dynamic");
    guided_640: Run::of("loadbal").on("board:32 socket:2 core:10").under("guided").set("workload.packages=19200");
    // Too much for the ways out of all boards: each of the 208 links from a socket to its controller is full.
    full_links_2080_dynamic: loadbal_2080("dynamic").set("workload.footprint=260 GB");
    // Every flow comes from everywhere.
    interleaved_512_dynamic: Run::of("loadbal").on("board:32 socket:2 core:8").under("dynamic").interleaved();
    // Resources that limit the same flows equally.
    ties_altix_512: Run::of("memory_go_around").on("altix-uv");
    barriers_128: Run::of("epcc").on("bcs16").set("workload.construct=barrier").set("workload.executions=1000");
    reductions_2080: Run::of("epcc").on(WIDE).set("workload.construct=reduction").set("workload.executions=10");
    locks_mesif_128: Run::of("locks").on("bcs16").set("workload.kind=test-and-set");
    locks_moesi_64: Run::of("locks").on("epyc-naples-2p").set("workload.kind=ticket");
    fib_own_queues_128: Run::of("fib").on("bcs16").under("tasks");
    fib_central_queue_128: Run::of("fib").on("bcs16").under("tasks:central");
    first_touch_128: Run::of("first_touch_init").on("bcs16");
    next_touch_128: Run::of("migration_daxpy").on("bcs16").set("workload.mechanism=next_touch");
    balancing_128: Run::of("matvec").on("bcs16");
    caches_128: Run::of("cg").on("bcs16");
    tasks_and_caches_128: Run::of("heat").on("bcs16").under("tasks");

    #[ignore = "large: cargo test --release --test counted -- --ignored"]
    loadbal_2080_guided: loadbal_2080("guided");
    #[ignore = "large: cargo test --release --test counted -- --ignored"]
    loadbal_8192_static: loadbal_8192("static");
    #[ignore = "large: cargo test --release --test counted -- --ignored"]
    loadbal_8192_most_loaded: loadbal_8192("numa-steal:most-loaded");
    #[ignore = "large: cargo test --release --test counted -- --ignored"]
    loadbal_8192_dynamic: loadbal_8192("dynamic");
    #[ignore = "large: cargo test --release --test counted -- --ignored"]
    barriers_8192: Run::of("epcc").on(HUGE).set("workload.construct=barrier").set("workload.executions=10");
}

/// 30 iterations a thread, as on 128.
fn loadbal_2080(policy: &'static str) -> Run {
    Run::of("loadbal").on(WIDE).under(policy).set("workload.packages=62400")
}

fn loadbal_8192(policy: &'static str) -> Run {
    Run::of("loadbal").on(HUGE).under(policy).set("workload.packages=245760")
}
