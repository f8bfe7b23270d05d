//! Page placements: the policies of `mbind` and `numactl`, and policies that move pages later.

use numalab_base::{NumberSequence, ParseError};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

// Glossary: placement: Rule in a workload or on the command line for the pages of a region: a page policy,
//   or a move of pages before the measured phases.
/// Rule by which the pages of a region are placed on nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Placement {
    /// Each page on the node of the thread that touches the page first.
    #[default]
    FirstTouch,
    /// Pages only on these nodes.
    Bind(NodeSet),
    /// Pages on this node while the node has room, then on others.
    Preferred(u32),
    /// Pages on the nearest of these nodes while the nodes have room, then anywhere.
    PreferredMany(NodeSet),
    /// Pages round-robin over these nodes.
    Interleave(NodeSet),
    /// Pages round-robin over these nodes, with as many pages per round on each node as the node's weight.
    WeightedInterleave(Vec<Weighted>),
    /// Pages on the nearest node with more bandwidth than the touching thread's own node while that nearest node has
    /// room, then as first touch.
    HighBandwidth,
    /// First touch. Before the measured phases, every thread moves its part of the region to its own node.
    Fetch,
    /// First touch. Before the measured phases, one thread moves the whole region to this node.
    Migrate(u32),
    /// First touch. In the measured phases, the next access to each page moves the page to the accessing thread's
    /// node.
    NextTouch,
    /// First touch. Before the measured phases, the threads of each node copy the region to their node, and read the
    /// copy from then on. The region may not be written any more.
    Replicate,
    /// First touch with automatic NUMA balancing: the operating system samples accesses and moves
    /// pages.
    Balancing,
    /// First touch with memory tiering: the operating system promotes hot pages of slower memory, and
    /// demotes cold ones to make room.
    Tiering,
}

/// Nodes as `numactl` writes them: `0-3,6`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodeSet {
    /// Every node of the machine.
    #[default]
    All,
    /// Node numbers, ascending and without duplicates.
    List(Vec<u32>),
    /// List that contains names of the machine's kinds of memory-only nodes: `0-1,hbm`.
    Named(String),
}

/// Nodes with the number of pages that each takes per round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Weighted {
    pub nodes: NodeSet,
    /// Pages on each of the nodes per round; `None`: in proportion to the nodes' bandwidth.
    pub weight: Option<u8>,
}

impl NodeSet {
    /// Replaces names by node numbers. The error is a name that the machine lacks.
    pub fn known(&self, named: &dyn Fn(&str) -> Option<Range<u32>>) -> Result<NodeSet, String> {
        let NodeSet::Named(text) = self else { return Ok(self.clone()) };
        let mut list = Vec::new();
        for part in text.split(',').map(str::trim) {
            match part.parse() {
                Ok(NodeSet::List(numbers)) => list.extend(numbers),
                Ok(NodeSet::Named(name)) => list.extend(named(&name).ok_or(name)?),
                Ok(NodeSet::All) | Err(_) => return Err(part.to_owned()),
            }
        }
        list.sort_unstable();
        list.dedup();
        Ok(NodeSet::List(list))
    }

    fn numbers(&self) -> &[u32] {
        match self {
            NodeSet::List(list) => list,
            NodeSet::All | NodeSet::Named(_) => &[],
        }
    }
}

impl Placement {
    /// Keywords of all placements, without nodes, for help texts and suggestions.
    pub const NAMES: [&'static str; 13] = [
        "first-touch",
        "bind",
        "preferred",
        "preferred-many",
        "interleave",
        "weighted-interleave",
        "hbw",
        "fetch",
        "migrate",
        "next-touch",
        "replicate",
        "balancing",
        "tiering",
    ];

    /// Nodes that the placement lists by number.
    pub fn nodes(&self) -> Vec<u32> {
        match self {
            Placement::Bind(set) | Placement::Interleave(set) | Placement::PreferredMany(set) => {
                set.numbers().to_vec()
            }
            Placement::Preferred(node) | Placement::Migrate(node) => vec![*node],
            Placement::WeightedInterleave(parts) => {
                parts.iter().flat_map(|part| part.nodes.numbers()).copied().collect()
            }
            Placement::FirstTouch
            | Placement::HighBandwidth
            | Placement::Fetch
            | Placement::NextTouch
            | Placement::Replicate
            | Placement::Balancing
            | Placement::Tiering => Vec::new(),
        }
    }

    /// Replaces names by node numbers. The error is a name that the machine lacks.
    pub fn known(&self, named: &dyn Fn(&str) -> Option<Range<u32>>) -> Result<Placement, String> {
        Ok(match self {
            Placement::Bind(set) => Placement::Bind(set.known(named)?),
            Placement::PreferredMany(set) => Placement::PreferredMany(set.known(named)?),
            Placement::Interleave(set) => Placement::Interleave(set.known(named)?),
            Placement::WeightedInterleave(parts) => {
                let part =
                    |part: &Weighted| Ok(Weighted { nodes: part.nodes.known(named)?, weight: part.weight });
                Placement::WeightedInterleave(parts.iter().map(part).collect::<Result<_, String>>()?)
            }
            Placement::FirstTouch
            | Placement::Preferred(_)
            | Placement::HighBandwidth
            | Placement::Fetch
            | Placement::Migrate(_)
            | Placement::NextTouch
            | Placement::Replicate
            | Placement::Balancing
            | Placement::Tiering => self.clone(),
        })
    }
}

impl fmt::Display for NodeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NodeSet::All => f.write_str("all"),
            NodeSet::Named(text) => f.write_str(text),
            NodeSet::List(list) => NumberSequence(list.clone()).fmt(f),
        }
    }
}

impl FromStr for NodeSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<NodeSet, ParseError> {
        /// Limit of node numbers: above any supported machine, and small enough to list.
        const MOST: u32 = 1 << 20;
        if text.trim() == "all" {
            return Ok(NodeSet::All);
        }
        let wrong =
            || ParseError::new(format!("\"{text}\" is not a list of nodes such as 0-3,6, or all"), "");
        let number = |part: &str| part.trim().parse::<u32>().ok().filter(|n| *n < MOST).ok_or_else(wrong);
        // A name begins with a letter. It is compared with the machine's names later.
        let named = |part: &str| {
            let part = part.trim();
            let letters = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            part != "all" && part.starts_with(|c: char| c.is_ascii_alphabetic()) && part.chars().all(letters)
        };
        if text.split(',').any(named) {
            let plain = |part: &str| named(part) || matches!(part.parse(), Ok(NodeSet::List(_)));
            let list = || text.split(',').map(str::trim).collect::<Vec<_>>().join(",");
            return if text.split(',').all(plain) { Ok(NodeSet::Named(list())) } else { Err(wrong()) };
        }
        let mut list = Vec::new();
        for item in text.split(',') {
            let (first, last) = match item.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                None => (number(item)?, number(item)?),
            };
            if last < first {
                return Err(ParseError::new(format!("the nodes \"{item}\" run backwards"), ""));
            }
            list.extend(first..=last);
            if list.len() > MOST as usize {
                return Err(wrong());
            }
        }
        list.sort_unstable();
        list.dedup();
        Ok(NodeSet::List(list))
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Placement::FirstTouch => "first-touch".to_owned(),
            Placement::Bind(set) => format!("bind:{set}"),
            Placement::Preferred(node) => format!("preferred:{node}"),
            Placement::PreferredMany(set) => format!("preferred-many:{set}"),
            Placement::WeightedInterleave(parts) if parts.is_empty() => "weighted-interleave".to_owned(),
            Placement::WeightedInterleave(parts) => {
                let part = |Weighted { nodes, weight }: &Weighted| match weight {
                    Some(weight) => {
                        let each = nodes.to_string();
                        let each = each.split(',').map(|part| format!("{part}:{weight}"));
                        each.collect::<Vec<_>>().join(",")
                    }
                    None => nodes.to_string(),
                };
                format!("weighted-interleave:{}", parts.iter().map(part).collect::<Vec<_>>().join(","))
            }
            Placement::HighBandwidth => "hbw".to_owned(),
            Placement::Interleave(NodeSet::All) => "interleave".to_owned(),
            Placement::Interleave(set) => format!("interleave:{set}"),
            Placement::Fetch => "fetch".to_owned(),
            Placement::Migrate(node) => format!("migrate:{node}"),
            Placement::NextTouch => "next-touch".to_owned(),
            Placement::Replicate => "replicate".to_owned(),
            Placement::Balancing => "balancing".to_owned(),
            Placement::Tiering => "tiering".to_owned(),
        };
        f.pad(&text)
    }
}

impl FromStr for Placement {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Placement, ParseError> {
        let text = text.trim();
        let (name, nodes) = match text.split_once(':') {
            Some((name, nodes)) => (name.trim(), Some(nodes.trim())),
            None => (text, None),
        };
        let set = |nodes: Option<&str>| nodes.map_or(Ok(NodeSet::All), str::parse);
        let one = || {
            nodes
                .and_then(|nodes| nodes.parse().ok())
                .ok_or_else(|| ParseError::new(format!("\"{name}\" needs one node, such as {name}:0"), ""))
        };
        let placement = match name {
            "first-touch" => Placement::FirstTouch,
            "bind" if nodes.is_none() => {
                return Err(ParseError::new("\"bind\" needs nodes, such as bind:0-3", ""));
            }
            "bind" => Placement::Bind(set(nodes)?),
            // A name is accepted; it must stand for one node.
            "preferred" => match set(nodes) {
                Ok(NodeSet::Named(name)) => Placement::PreferredMany(NodeSet::Named(name)),
                _ => Placement::Preferred(one()?),
            },
            "preferred-many" if nodes.is_none() => {
                return Err(ParseError::new(
                    "\"preferred-many\" needs nodes, such as preferred-many:0-1",
                    "",
                ));
            }
            "preferred-many" => Placement::PreferredMany(set(nodes)?),
            "weighted-interleave" => Placement::WeightedInterleave(weighted(nodes)?),
            "hbw" => Placement::HighBandwidth,
            "interleave" => Placement::Interleave(set(nodes)?),
            "fetch" => Placement::Fetch,
            "migrate" => Placement::Migrate(one()?),
            "next-touch" => Placement::NextTouch,
            "replicate" => Placement::Replicate,
            "balancing" => Placement::Balancing,
            "tiering" => Placement::Tiering,
            _ => return Err(ParseError::unknown("placement", name, &Placement::NAMES)),
        };
        let takes_nodes = match placement {
            Placement::Bind(_)
            | Placement::Preferred(_)
            | Placement::PreferredMany(_)
            | Placement::Interleave(_)
            | Placement::WeightedInterleave(_)
            | Placement::Migrate(_) => true,
            Placement::FirstTouch
            | Placement::HighBandwidth
            | Placement::Fetch
            | Placement::NextTouch
            | Placement::Replicate
            | Placement::Balancing
            | Placement::Tiering => false,
        };
        match nodes {
            Some(nodes) if !takes_nodes => {
                Err(ParseError::new(format!("\"{name}\" takes no nodes"), format!("leave out \":{nodes}\"")))
            }
            _ => Ok(placement),
        }
    }
}

/// Parses nodes with their weights, as in `0-1:4,cxl:1`, or without, as in `0-1,cxl`.
fn weighted(text: Option<&str>) -> Result<Vec<Weighted>, ParseError> {
    let wrong = |part: &str| {
        ParseError::new(format!("\"{part}\" is not a node with a weight from 1 to 255, such as 0:4"), "")
    };
    let mut parts: Vec<Weighted> = Vec::new();
    for part in text.iter().flat_map(|text| text.split(',')).map(str::trim) {
        let (nodes, weight) = match part.split_once(':') {
            Some((nodes, weight)) => (nodes, Some(weight)),
            None => (part, None),
        };
        let read = |weight: &str| weight.trim().parse::<u8>().ok().filter(|weight| *weight > 0);
        let weight = weight.map(|weight| read(weight).ok_or_else(|| wrong(part))).transpose()?;
        parts.push(Weighted { nodes: nodes.parse()?, weight });
    }
    if parts.iter().any(|part| part.weight.is_some()) && parts.iter().any(|part| part.weight.is_none()) {
        return Err(ParseError::new("give a weight for every node, or for none", ""));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names become the node numbers of the machine; a set has each node once.
    #[test]
    fn names_of_nodes_become_their_numbers() {
        let named = |name: &str| (name == "hbm").then_some(2..4);
        let known = |text: &str| text.parse::<Placement>().unwrap().known(&named).map(|p| p.to_string());
        assert_eq!(known("bind:hbm").unwrap(), "bind:2-3");
        assert_eq!(known("interleave: 0-2, hbm").unwrap(), "interleave:0-3");
        assert_eq!(known("preferred:hbm").unwrap(), "preferred-many:2-3");
        assert_eq!(known("weighted-interleave:0:1,hbm:3").unwrap(), "weighted-interleave:0:1,2-3:3");
        assert_eq!(known("bind:0,cxl"), Err("cxl".to_owned()));
        assert_eq!(known("weighted-interleave").unwrap(), "weighted-interleave");
    }

    #[test]
    fn every_placement_reads_back() {
        for text in [
            "first-touch",
            "bind:0-3,6",
            "preferred:2",
            "interleave",
            "interleave:1,3",
            "fetch",
            "migrate:0",
            "next-touch",
            "balancing",
            "tiering",
            "bind:all",
            "bind:0-1,hbm",
            "preferred-many:0-1",
            "hbw",
            "weighted-interleave",
            "weighted-interleave:0-1,cxl",
            "weighted-interleave:0-1:4,cxl:1",
        ] {
            assert_eq!(text.parse::<Placement>().unwrap().to_string(), text);
        }
        assert_eq!("bind: 3,0-1,1".parse::<Placement>().unwrap().to_string(), "bind:0-1,3");
    }

    #[test]
    fn refuses_unknown_placements() {
        for text in [
            "",
            "first",
            "bind",
            "bind:",
            "bind:3-1",
            "bind:0x",
            "bind:hbm,all",
            "weighted-interleave:0:0",
            "weighted-interleave:0:256",
            "weighted-interleave:0:4,1",
            "hbw:1",
            "preferred",
            "preferred:0-1",
            "fetch:1",
            "interleave:-",
            "bind:0-4000000000",
        ] {
            assert!(text.parse::<Placement>().is_err(), "{text}");
        }
    }
}
