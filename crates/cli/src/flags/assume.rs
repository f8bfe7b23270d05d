//! Flags for machines of which only the topology is known.

use super::names::Name;
use clap::Args;

#[derive(Debug, Default, Args)]
pub struct Assume {
    /// Fill in values that a topology lacks from a table of processor generations
    ///
    /// For machines of which only the topology is known: hwloc's XML (lstopo --of xml), lscpu,
    /// files of /sys, and "here", this computer. The values and their sources are listed on
    /// standard error.
    #[arg(long)]
    pub assume: bool,

    /// Fill them in from a machine that is known: cores, latencies of caches, memory and links
    ///
    /// For processors that the table of generations does not have. The shape and all sizes stay
    /// those of the topology.
    #[arg(long, value_name = "MACHINE", value_parser = Name::Machine, hide_possible_values = true)]
    pub assume_as: Option<String>,
}
