//! The `numalab` binary.

/// Global allocator. Half of the time for planning a sweep is spent on small allocations.
#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    numalab_cli::main()
}
