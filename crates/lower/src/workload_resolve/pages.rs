//! Regions: their sizes and the placement of their pages.

use super::{MOST_BYTES, Resolver};
use numalab_base::{Bytes, NumberList};
use numalab_files::quantity::{Expression, Text};
use numalab_files::workload_file::{PlacementFile, PlacementTable, RegionFile, WorkloadFile};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::{shorten, show};
use numalab_workload::{NodeSet, PageKind, Placement, Region};
use std::ops::Range;

/// Largest page size in bytes.
const MOST_PAGE: f64 = (1_u64 << 40) as f64;

impl Resolver<'_, '_> {
    pub(super) fn regions(&mut self, file: &WorkloadFile) -> Vec<Region> {
        let mut regions = Vec::new();
        let mut total: u64 = 0;
        for name in self.report.root.keys_of("regions") {
            let Some(region) = file.regions.get(&name) else { continue };
            let path = format!("regions.{name}");
            let at = format!("{path}.size");
            let size = self.between(&at, &region.size, 0.0, MOST_BYTES as f64).map(|size| size as u64);
            if size.is_none() {
                self.report.repair(&at);
            }
            total = total.saturating_add(size.unwrap_or(1));
            let placement = region.placement.as_ref();
            let placement = placement.and_then(|file| self.placement(&format!("{path}.placement"), file));
            let page = self.page(&format!("{path}.page"), region);
            let size = Bytes(size.unwrap_or(1));
            regions.push(Region {
                placement: placement.unwrap_or_default(),
                page,
                ..Region::new(name, size)
            });
        }
        if total > MOST_BYTES {
            let message = format!("the regions have {} together", Bytes(total));
            self.report.at("regions", message, format!("expected at most {MOST_BYTES} bytes (1 EiB)"));
        }
        regions
    }

    fn page(&mut self, path: &str, region: &RegionFile) -> PageKind {
        let Some(text) = &region.page else { return PageKind::Base };
        if text.0.trim() == "transparent" {
            return PageKind::Transparent;
        }
        let Some(bytes) = self.between(path, text, self.facts.line as f64, MOST_PAGE) else {
            return PageKind::Base;
        };
        if bytes.fract() != 0.0 || !(bytes as u64).is_power_of_two() {
            self.complain(path, format!("{path} is {} bytes", show(bytes)), "expected a power of two");
        }
        PageKind::Fixed(Bytes(bytes as u64))
    }

    fn placement(&mut self, path: &str, file: &PlacementFile) -> Option<Placement> {
        let placement = match file {
            PlacementFile::Text(text) => &text.0,
            PlacementFile::Table(table) => return self.placement_table(path, table),
        };
        match placement.known(&|name| self.nodes_named(name)) {
            Ok(placement) => self.exist(path, &placement.nodes()).then_some(placement),
            Err(name) => self.unknown_nodes(path, &name),
        }
    }

    /// Numbers of the nodes that `name` stands for; `None` if the machine has no such nodes.
    fn nodes_named(&self, name: &str) -> Option<Range<u32>> {
        self.facts.named_nodes.iter().find(|known| known.0 == name).map(|known| known.1.clone())
    }

    /// Reports that the machine has no nodes of this name.
    fn unknown_nodes<T>(&mut self, path: &str, name: &str) -> Option<T> {
        let names = || self.facts.named_nodes.iter().map(|known| known.0.as_str());
        let label = match names().next() {
            None => "this machine has no nodes with names".to_owned(),
            Some(_) => hint(name, names()),
        };
        self.complain(path, format!("the machine has no nodes called \"{}\"", shorten(name)), label);
        None
    }

    fn placement_table(&mut self, path: &str, table: &PlacementTable) -> Option<Placement> {
        let at = |key: &str| format!("{path}.{key}");
        match table {
            PlacementTable {
                bind: None,
                preferred: None,
                interleave: None,
                migrate: None,
                condition: Some(condition),
                then: Some(then),
                otherwise,
            } => {
                // Both alternatives are checked, also the alternative that is not chosen.
                let holds = self.constant(&at("if"), condition)? != 0.0;
                let then = self.placement(&at("then"), then);
                let otherwise = match otherwise {
                    Some(otherwise) => self.placement(&at("else"), otherwise),
                    None => Some(Placement::FirstTouch),
                };
                if holds { then } else { otherwise }
            }
            PlacementTable { condition: None, then: None, otherwise: None, .. } => {
                let PlacementTable { bind, preferred, interleave, migrate, .. } = table;
                match (bind, preferred, interleave, migrate) {
                    (Some(nodes), None, None, None) => self.nodes(&at("bind"), nodes).map(Placement::Bind),
                    (None, Some(node), None, None) => {
                        self.node(&at("preferred"), node).map(Placement::Preferred)
                    }
                    (None, None, Some(nodes), None) => {
                        self.nodes(&at("interleave"), nodes).map(Placement::Interleave)
                    }
                    (None, None, None, Some(node)) => self.node(&at("migrate"), node).map(Placement::Migrate),
                    _ => self.no_placement(path),
                }
            }
            _ => self.no_placement(path),
        }
    }

    fn no_placement(&mut self, path: &str) -> Option<Placement> {
        let label = "expected one of `bind`, `preferred`, `interleave` and `migrate`, or `if` and `then`";
        self.report.at(path, "this is not a placement", label);
        None
    }

    pub(super) fn node(&mut self, path: &str, text: &Expression) -> Option<u32> {
        let node = self.whole(path, text, 0.0, u32::MAX.into())? as u32;
        self.exist(path, &[node]).then_some(node)
    }

    /// Nodes from a list such as `0-3,6`, or from an expression for one node.
    fn nodes(&mut self, path: &str, text: &Text) -> Option<NodeSet> {
        if let Ok(NodeSet::Named(list)) = text.0.parse::<NodeSet>()
            && (self.nodes_named(&list).is_some() || list.contains(','))
        {
            return match NodeSet::Named(list).known(&|name| self.nodes_named(name)) {
                Ok(set) => Some(set),
                Err(name) => self.unknown_nodes(path, &name),
            };
        }
        let plain = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | ' ');
        if text.0.trim() != "all" && !text.0.chars().all(plain) {
            return Some(NodeSet::List(vec![self.node(path, &Expression(text.0.clone()))?]));
        }
        match text.0.parse::<NodeSet>() {
            Ok(NodeSet::List(list)) => self.exist(path, &list).then_some(NodeSet::List(list)),
            Ok(set @ (NodeSet::All | NodeSet::Named(_))) => Some(set),
            Err(error) => {
                self.report.at(path, error.to_string(), "expected nodes such as 0-3,6, or an expression");
                None
            }
        }
    }

    /// True if the machine has all of `nodes`, each with memory; otherwise reports an error.
    fn exist(&mut self, path: &str, nodes: &[u32]) -> bool {
        let (all, memoryless) = (self.facts.memory_nodes, &self.facts.memoryless);
        let label = |nodes: NumberList| match nodes.only() {
            Some(node) => format!("expected {node}, the only one with memory"),
            None => format!("expected nodes with memory: {nodes}"),
        };
        let with_memory = || (0..all).filter(|node| !memoryless.contains(*node)).collect();
        let (message, label) = match nodes.iter().find(|node| **node >= all || memoryless.contains(**node)) {
            None => return true,
            Some(node) if *node < all => (format!("node {node} has no memory"), label(with_memory())),
            Some(node) if !memoryless.is_empty() => {
                (format!("the machine has no node {node}"), label(with_memory()))
            }
            Some(node) => {
                let label = match all {
                    1 => "expected 0, the only node".to_owned(),
                    nodes => format!("expected 0 to {}", nodes - 1),
                };
                (format!("the machine has no node {node}"), label)
            }
        };
        self.complain(path, message, label);
        false
    }
}
