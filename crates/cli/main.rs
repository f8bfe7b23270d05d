//! The `numalab` binary.

/// Half of what a plan of a sweep takes is small pieces of memory.
#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    numalab_cli::main()
}
