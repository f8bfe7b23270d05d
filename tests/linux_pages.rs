//! Page placement equals that of Linux: Linux guests of 4 and 8 nodes executed the operations of the transcripts in
//! `tests/guest`; here the same operations put the same pages on the same nodes. `tests/guest/boot` records the
//! transcripts and documents their format.

use numalab_base::Bytes;
use numalab_machine::NodeId;
use numalab_memory::{Home, Nodes, PageMap, PagePolicy, PageSize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const PAGE: u64 = 4096;
const HUGE: u64 = 2 << 20;
const MIB: u64 = 1 << 20;

#[test]
fn four_nodes() {
    replay("four-nodes.txt");
}

#[test]
fn eight_nodes() {
    replay("eight-nodes.txt");
}

/// Executes the operations of a transcript and compares their results with the guest's.
fn replay(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest").join(name);
    let transcript = fs::read_to_string(&path).unwrap();
    let mut guest = Guest::new(&transcript);
    let mut ours = String::new();
    for line in transcript.lines().filter(|line| !line.starts_with('=')) {
        let answer = guest.carry_out(line).unwrap_or_else(|| panic!("{name}: what is {line:?}?"));
        ours += &format!("{line}\n{answer}");
    }
    for (number, (theirs, ours)) in transcript.lines().zip(ours.lines()).enumerate() {
        assert_eq!(theirs, ours, "{name}:{}: Linux (left) and NumaLab differ", number + 1);
    }
    assert_eq!(transcript.lines().count(), ours.lines().count(), "{name} lacks an answer");
}

/// State of a transcript's replay: the guest's nodes and its process.
struct Guest<'a> {
    /// Rows of the firmware's distance table, one per node.
    rows: Vec<&'a str>,
    distances: Vec<Vec<u64>>,
    /// Free bytes of each node.
    room: u64,
    store: PageMap<'static>,
    /// Index in the store and number of pages of each region, by name.
    regions: BTreeMap<&'a str, (usize, u64)>,
}

impl<'a> Guest<'a> {
    fn new(transcript: &'a str) -> Guest<'a> {
        let nodes = transcript.lines().filter(|line| line.starts_with("node "));
        let rows: Vec<_> = nodes.map(|line| line.split_once(": ").unwrap().1).collect();
        let distances: Vec<Vec<u64>> =
            rows.iter().map(|row| row.split(' ').skip(3).map(number).collect()).collect();
        let room = number(rows[0].split(' ').next().unwrap()) * MIB;
        let store = empty(&distances, room);
        Guest { rows, distances, room, store, regions: BTreeMap::new() }
    }

    /// Result of one operation, as the guest prints it; `None` if the line is not an operation.
    fn carry_out(&mut self, line: &'a str) -> Option<String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [""] | ["#", ..] => {}
            ["node", id, ..] => return Some(self.describe(number(id.strip_suffix(':')?))),
            ["room", mebibytes, "MiB"] => {
                self.room = number(mebibytes) * MIB;
                self.store = empty(&self.distances, self.room);
            }
            ["scenario", ..] => {
                self.store = empty(&self.distances, self.room);
                self.regions.clear();
            }
            ["region", name, pages, "pages", ref words @ ..] => {
                self.add(name, number(pages), PageSize::Base, policy(words)?);
            }
            ["region", name, pages, "thp", "pages", ref words @ ..] => {
                self.add(name, number(pages), PageSize::Transparent { huge: Bytes(HUGE) }, policy(words)?);
            }
            ["policy", name, ref words @ ..] => {
                self.store.set_policy(self.regions.get(name)?.0, policy(words)?)
            }
            ["release", name] => self.store.release(self.regions.get(name)?.0),
            ["touch", name, pages, "from", node] => {
                let touched = self.store.touch(self.regions.get(name)?.0, bytes(pages)?, id(node));
                touched.unwrap();
            }
            ["migrate", name, pages, "to", node] | ["fetch", name, pages, "from", node] => {
                self.store.fetch(self.regions.get(name)?.0, bytes(pages)?, id(node)).unwrap();
            }
            ["mark", name, pages] => {
                self.store.mark(self.regions.get(name)?.0, bytes(pages)?);
            }
            ["fill", name, "from", node, "until", count, "nodes"] => {
                return Some(self.fill(self.regions.get(name)?.0, id(node), number(count)));
            }
            ["homes", name] => {
                let (region, pages) = *self.regions.get(name)?;
                return Some(runs((0..pages).map(|page| home(&self.store, region, page)).collect()));
            }
            ["most", name, "of", kinds] => return Some(self.most(*self.regions.get(name)?, number(kinds))),
            _ => return None,
        }
        Some(String::new())
    }

    fn add(&mut self, name: &'a str, pages: u64, size: PageSize, policy: PagePolicy) {
        let region = self.store.add(Bytes(pages * PAGE), size, policy);
        self.regions.insert(name, (region, pages));
    }

    /// Line that the guest prints for a node: its row, and its fallback order, which are the nodes that get pages
    /// when every node has room for one page.
    fn describe(&self, node: u64) -> String {
        let count = self.distances.len() as u64;
        let mut store = empty(&self.distances, PAGE);
        let region = store.add(Bytes(count * PAGE), PageSize::Base, PagePolicy::FirstTouch);
        store.touch(region, 0..count * PAGE, NodeId(node as u32)).unwrap();
        let order: Vec<String> =
            (0..count).map(|page| home(&store, region, page).unwrap().to_string()).collect();
        format!("= {}, falls back to {}\n", self.rows[node as usize], order.join(" "))
    }

    /// Touches pages in order until they are on `wanted` nodes. Returns the line that the guest prints: every node
    /// but the last with `full` (less than half of its room is left) or `not full`, then the last node.
    fn fill(&mut self, region: usize, node: NodeId, wanted: u64) -> String {
        let mut seen: Vec<u32> = Vec::new();
        for page in 0.. {
            self.store.touch(region, page * PAGE..(page + 1) * PAGE, node).unwrap();
            let home = home(&self.store, region, page).unwrap();
            if !seen.contains(&home) {
                seen.push(home);
            }
            if seen.len() as u64 == wanted {
                break;
            }
        }
        let last = seen.pop().unwrap();
        let full =
            |node: u32| if self.store.usage(NodeId(node)).0 > self.room / 2 { "full" } else { "not full" };
        let before: Vec<_> = seen.iter().map(|node| format!("n{node} {}", full(*node))).collect();
        format!("= {}, then n{last}\n", before.join(", "))
    }

    /// For each `k` below `kinds`: the node with most of the pages `k`, `k + kinds`, `k + 2 kinds`, …; the lowest
    /// node in a tie.
    fn most(&self, (region, pages): (usize, u64), kinds: u64) -> String {
        let most = |kind: u64| {
            let mut counts = vec![0u64; self.distances.len()];
            for page in (kind..pages).step_by(kinds as usize) {
                counts[home(&self.store, region, page).unwrap() as usize] += 1;
            }
            (0..counts.len()).rev().max_by_key(|node| counts[*node]).unwrap()
        };
        (0..kinds).fold(String::from("="), |text, kind| format!("{text} n{}", most(kind))) + "\n"
    }
}

fn empty(distances: &[Vec<u64>], room: u64) -> PageMap<'static> {
    let (nodes, distances) = (distances.len() as u32, distances.to_vec());
    PageMap::new(&Nodes::even(nodes, Bytes(room)), Bytes(PAGE), move |from, to| {
        distances[from.0 as usize][to.0 as usize]
    })
}

fn home(store: &PageMap<'_>, region: usize, page: u64) -> Option<u32> {
    let mut found = None;
    store.homes(region, page * PAGE..(page + 1) * PAGE, |home, _| {
        found = Some(match home {
            Home::Node(node) => node.0,
            Home::Cycle { nodes, first, .. } => nodes[first as usize % nodes.len()].0,
        });
    });
    found
}

/// Text of the nodes of pages, by ranges: `= 0-15 n1, 16 none`.
fn runs(homes: Vec<Option<u32>>) -> String {
    let mut text = String::from("=");
    let mut start = 0;
    for run in homes.chunk_by(|one, next| one == next) {
        let end = start + run.len() - 1;
        let comma = if start == 0 { "" } else { "," };
        write!(text, "{comma} {start}").unwrap();
        if end > start {
            write!(text, "-{end}").unwrap();
        }
        match run[0] {
            Some(node) => write!(text, " n{node}").unwrap(),
            None => text += " none",
        }
        start = end + 1;
    }
    text + "\n"
}

fn policy(words: &[&str]) -> Option<PagePolicy> {
    let nodes = |list: &str| list.split(',').map(id).collect();
    Some(match *words {
        ["first", "touch"] => PagePolicy::FirstTouch,
        ["bind", "on", list] => PagePolicy::Bind(nodes(list)),
        ["preferred", "on", node] => PagePolicy::Preferred(id(node)),
        ["interleave", "on", list] => PagePolicy::Interleave(nodes(list)),
        _ => return None,
    })
}

fn bytes(pages: &str) -> Option<std::ops::Range<u64>> {
    let (first, last) = pages.split_once('-')?;
    Some(number(first) * PAGE..(number(last) + 1) * PAGE)
}

fn id(text: &str) -> NodeId {
    NodeId(number(text) as u32)
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("expected a number, found {text:?}"))
}
