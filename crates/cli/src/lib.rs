//! Flags to resolved request to run; no logic of its own.
/// Entry point of the binary.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
