//! Names of the kinds of level, as files and messages spell them.

use crate::LevelKind;
use std::fmt;

impl LevelKind {
    /// Every kind, outermost first.
    pub const ALL: [LevelKind; 5] =
        [LevelKind::Board, LevelKind::Socket, LevelKind::Node, LevelKind::Cluster, LevelKind::Core];

    /// The name in files, in the synthetic form and in messages.
    pub fn name(self) -> &'static str {
        match self {
            LevelKind::Board => "board",
            LevelKind::Socket => "socket",
            LevelKind::Node => "node",
            LevelKind::Cluster => "cluster",
            LevelKind::Core => "core",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<LevelKind> {
        LevelKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether units of this kind hold NUMA nodes or are NUMA nodes; the others lie inside a node.
    pub fn holds_memory(self) -> bool {
        self <= LevelKind::Node
    }
}

impl fmt::Display for LevelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
