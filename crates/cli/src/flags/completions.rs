//! Flags of `numalab completions`.

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  numalab completions bash > ~/.local/share/bash-completion/completions/numalab
  numalab completions zsh > ~/.zfunc/_numalab
  numalab completions fish > ~/.config/fish/completions/numalab.fish")]
pub struct Completions {
    /// Shell to write it for
    pub shell: Shell,
}
