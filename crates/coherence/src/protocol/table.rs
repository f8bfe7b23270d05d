//! Protocol tables as values, which tests can change, and the choice of a table for each scope.

// Glossary: snoop domain: Groups that snoop each other: a board, or the machine where there are no node
//   controllers.

// Glossary: group: Cores that share a last-level cache: the smallest scope of a request for a line.

use super::{Protocol, Request, Row, State, transition};

/// Protocol of the cores under a shared cache. The cache has every line of its cores and serves lines that they
/// share, so no core forwards a line, or stays its owner when others read it.
const IN_A_GROUP: Protocol = Protocol::Mesi;

/// Protocol of the domains under the directories of node controllers. These directories know one owner or a set of
/// sharers; lines that several domains share come from the home's memory.
const BETWEEN_DOMAINS: Protocol = Protocol::Mesi;

// Glossary: scope: Part of the machine that a directory keeps in agreement: a group, a snoop domain, or the
//   machine.
/// Part of the machine whose copies of a line a directory keeps in agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The cores that share a last-level cache; one core where none is shared.
    Group,
    /// The groups that snoop each other: a board, or the machine where there are no node controllers.
    Domain,
    /// The domains of the machine.
    Machine,
}

impl Scope {
    /// Every scope, the smallest first.
    pub const ALL: [Scope; 3] = [Scope::Group, Scope::Domain, Scope::Machine];

    /// True if directories of this scope have an inclusive cache: it holds every line held below.
    pub fn has_cache(self) -> bool {
        match self {
            Scope::Group => true,
            Scope::Domain | Scope::Machine => false,
        }
    }
}

/// The rows of a protocol by state and request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    rows: [[Row; Request::ALL.len()]; State::ALL.len()],
}

impl Table {
    pub fn of(protocol: Protocol) -> Table {
        Table {
            rows: State::ALL.map(|state| Request::ALL.map(|request| transition(protocol, state, request))),
        }
    }

    /// Replaces the row for a state and a request.
    pub fn with(mut self, state: State, request: Request, row: Row) -> Table {
        self.rows[state as usize][request as usize] = row;
        self
    }

    pub fn row(&self, state: State, request: Request) -> Row {
        self.rows[state as usize][request as usize]
    }
}

/// The table that the directories of each scope execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    tables: [Table; Scope::ALL.len()],
}

impl Tables {
    /// Tables of a machine whose groups snoop each other under a protocol, which applies inside a domain. Groups
    /// below and the machine above have fixed tables; the reasons are at their declarations.
    pub fn of(protocol: Protocol) -> Tables {
        let table = |scope| match scope {
            Scope::Group => Table::of(IN_A_GROUP),
            Scope::Domain => Table::of(protocol),
            Scope::Machine => Table::of(BETWEEN_DOMAINS),
        };
        Tables { tables: Scope::ALL.map(table) }
    }

    /// Tables in which the directories of every scope execute `table`.
    pub fn everywhere(table: &Table) -> Tables {
        Tables { tables: Scope::ALL.map(|_| table.clone()) }
    }

    pub fn at(&self, scope: Scope) -> &Table {
        &self.tables[scope as usize]
    }
}
