//! The `numalab` binary.

/// Allocator of the program. Planning a sweep spends half of its time on small allocations.
#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    numalab_cli::main()
}
