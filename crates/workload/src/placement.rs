//! Placement of pages: the policies of `mbind` and `numactl`, and those that move pages later.

use numalab_units::ParseError;
use std::fmt;
use std::str::FromStr;

/// Rule by which the pages of a region find their nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Placement {
    /// On the node of the thread that touches them first.
    #[default]
    FirstTouch,
    /// Only on these nodes.
    Bind(NodeSet),
    /// On this node while it has room.
    Preferred(u32),
    /// Page by page round these nodes.
    Interleave(NodeSet),
    /// First touch; before the measured phases, every thread moves its part of the region to its node.
    Fetch,
    /// First touch; before the measured phases, one thread moves the region to this node.
    Migrate(u32),
    /// First touch; in the measured phases, the next access to each page moves it to the accessor's node.
    NextTouch,
    /// First touch; the operating system watches accesses and moves pages.
    Balancing,
}

/// Nodes as `numactl` writes them: `0-3,6`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodeSet {
    /// Every node of the machine.
    #[default]
    All,
    /// These, ascending and each once.
    List(Vec<u32>),
}

impl Placement {
    /// Every spelling without its nodes, for help texts and nearest-name hints.
    pub const NAMES: [&'static str; 8] =
        ["first-touch", "bind", "preferred", "interleave", "fetch", "migrate", "next-touch", "balancing"];

    /// The nodes that it names.
    pub fn nodes(&self) -> &[u32] {
        match self {
            Placement::Bind(NodeSet::List(list)) | Placement::Interleave(NodeSet::List(list)) => list,
            Placement::Preferred(node) | Placement::Migrate(node) => std::slice::from_ref(node),
            Placement::FirstTouch
            | Placement::Bind(NodeSet::All)
            | Placement::Interleave(NodeSet::All)
            | Placement::Fetch
            | Placement::NextTouch
            | Placement::Balancing => &[],
        }
    }
}

impl fmt::Display for NodeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NodeSet::List(list) = self else { return f.write_str("all") };
        let mut rest = &list[..];
        while let Some(first) = rest.first() {
            let run = rest.iter().zip(*first..).take_while(|(node, expected)| *node == expected).count();
            let comma = if rest.len() < list.len() { "," } else { "" };
            match run {
                1 => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{}", rest[run - 1])?,
            }
            rest = &rest[run..];
        }
        Ok(())
    }
}

impl FromStr for NodeSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<NodeSet, ParseError> {
        /// More nodes than any machine here has, and few enough to list.
        const MOST: u32 = 1 << 20;
        if text.trim() == "all" {
            return Ok(NodeSet::All);
        }
        let wrong =
            || ParseError::new(format!("\"{text}\" is not a list of nodes such as 0-3,6, or all"), "");
        let number = |part: &str| part.trim().parse::<u32>().ok().filter(|n| *n < MOST).ok_or_else(wrong);
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
            Placement::Interleave(NodeSet::All) => "interleave".to_owned(),
            Placement::Interleave(set) => format!("interleave:{set}"),
            Placement::Fetch => "fetch".to_owned(),
            Placement::Migrate(node) => format!("migrate:{node}"),
            Placement::NextTouch => "next-touch".to_owned(),
            Placement::Balancing => "balancing".to_owned(),
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
            "preferred" => Placement::Preferred(one()?),
            "interleave" => Placement::Interleave(set(nodes)?),
            "fetch" => Placement::Fetch,
            "migrate" => Placement::Migrate(one()?),
            "next-touch" => Placement::NextTouch,
            "balancing" => Placement::Balancing,
            _ => return Err(ParseError::unknown("placement", name, &Placement::NAMES)),
        };
        let takes_nodes = match placement {
            Placement::Bind(_)
            | Placement::Preferred(_)
            | Placement::Interleave(_)
            | Placement::Migrate(_) => true,
            Placement::FirstTouch | Placement::Fetch | Placement::NextTouch | Placement::Balancing => false,
        };
        match nodes {
            Some(nodes) if !takes_nodes => {
                Err(ParseError::new(format!("\"{name}\" takes no nodes"), format!("leave out \":{nodes}\"")))
            }
            _ => Ok(placement),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "bind:all",
        ] {
            assert_eq!(text.parse::<Placement>().unwrap().to_string(), text);
        }
        assert_eq!("bind: 3,0-1,1".parse::<Placement>().unwrap().to_string(), "bind:0-1,3");
    }

    #[test]
    fn refuses_what_is_no_placement() {
        for text in [
            "",
            "first",
            "bind",
            "bind:",
            "bind:3-1",
            "bind:x",
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
