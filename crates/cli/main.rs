//! The `numalab` binary.
fn main() -> std::process::ExitCode {
    numalab_cli::main()
}
