//! Tests of the reader of `lscpu` in all its formats.

use super::{changed, cut, error, notes, read};
use crate::support::assert_shows;
use numalab_imports::foreign::from_text;
use numalab_imports::topology::Topology;

fn topology(name: &str) -> Topology {
    read(name).topology.unwrap()
}

/// Package and core of each processor.
fn places(topology: &Topology) -> Vec<(Option<u32>, Option<u32>)> {
    topology.processors.iter().map(|processor| (processor.package, processor.core)).collect()
}

/// Size and processors of each cache of a level.
fn caches(topology: &Topology, level: u8) -> Vec<(u64, Vec<u32>)> {
    let of_level = topology.caches.iter().filter(|cache| cache.level == level);
    of_level.map(|cache| (cache.size, cache.processors.clone())).collect()
}

// 2 sockets of 8 cores with 2 threads, nodes 0-7,16-23 and 8-15,24-31: processor 16 is the second thread of core 0.
#[test]
fn old_plain_sizes_are_of_each_cache() {
    let old = topology("lscpu-2.23.txt");
    let at = places(&old);
    assert_eq!(
        (at.len(), at[0], at[16], at[8]),
        (32, (Some(0), Some(0)), (Some(0), Some(0)), (Some(1), Some(8)))
    );
    assert_eq!(caches(&old, 1)[0], (32 << 10, vec![0, 16]));
    assert_eq!(caches(&old, 3).len(), 2);
    assert_eq!((old.clock, old.model.as_deref()), (Some(3.2e9), Some("Made-up Xeon CPU @ 2.40GHz")));
    assert!(notes(&read("lscpu-2.23.txt"), "which processors share a core is not given: taken as 0 and 16"));
}

// Sizes of all caches together: 192 KiB of 6 cores is 32 KiB each, 33 MiB of 2 sockets 16.5 MiB.
#[test]
fn plain_sizes_of_all_without_their_number() {
    let odd = topology("lscpu-2.34.txt");
    assert_eq!(odd.offline, [6, 7]);
    assert_eq!(odd.nodes[1].processors, [1, 3, 5]);
    assert_eq!(caches(&odd, 1)[0].0, 32 << 10);
    assert_eq!(caches(&odd, 3), [(33 << 19, vec![0, 2, 4]), (33 << 19, vec![1, 3, 5])]);
    assert!(notes(&read("lscpu-2.34.txt"), "one for each socket is assumed"));
}

// `lscpu` shortens every second processor to a stride. The clock is the highest one, that of the model name, or the
// present one.
#[test]
fn strides_and_clocks() {
    let text = "CPU(s): 8\nOn-line CPU(s) list: 0-7\nThread(s) per core: 1\nCore(s) per socket: 4\nSocket(s): 2\n\
                Model name: Made-up Xeon @ 2.60GHz\nNUMA node(s): 2\nNUMA node0 CPU(s): 0-6:2\n\
                NUMA node1 CPU(s): 1-7:2\n";
    let strided = from_text("t", text, None).unwrap().topology.unwrap();
    assert_eq!(strided.nodes[1].processors, [1, 3, 5, 7]);
    assert_eq!(strided.clock, Some(2.6e9));
    let clock = |more: &str| {
        let text = format!("{}{more}", text.replace(" @ 2.60GHz", ""));
        from_text("t", &text, None).unwrap().topology.unwrap().clock
    };
    assert_eq!(
        [clock("CPU MHz: 1999.5\n"), clock("CPU max MHz: 3500.0\nCPU MHz: 1999.5\n")],
        [Some(1999.5e6), Some(3.5e9)]
    );
    assert_eq!(clock(""), None);
    assert_shows(&error(&text.replace("0-6:2", "0-6:0")), &["goes nowhere", "stride of 1"]);
}

#[test]
fn new_plain_with_groups_and_a_node_without_processors() {
    let new = topology("lscpu-2.38-cxl.txt");
    assert_eq!(new.nodes.iter().map(|node| node.number).collect::<Vec<_>>(), [0, 1, 2, 3, 8]);
    assert!(new.nodes[4].processors.is_empty());
    // 64 MiB in 4 instances.
    assert_eq!(caches(&new, 3)[1], (16 << 20, vec![2, 3, 10, 11]));
    assert_eq!(new.clock, Some(3.7e9));
}

#[test]
fn other_architectures() {
    let arm = topology("lscpu-arm-clusters.txt");
    assert_eq!(places(&arm)[5], (Some(1), Some(5)));
    assert_eq!(caches(&arm, 3).len(), 4);
    // Four threads of a core next to each other, nodes 0 and 8, and 255 without processors.
    let power = topology("lscpu-power.txt");
    assert_eq!(places(&power)[3..5], [(Some(0), Some(0)), (Some(0), Some(1))]);
    assert_eq!(caches(&power, 2)[1], (256 << 10, vec![4, 5, 6, 7]));
    // Drawers of books of sockets: 1 * 2 * 2 sockets.
    assert_eq!(places(&topology("lscpu-s390.txt"))[7], (Some(3), Some(7)));
    // Some cores have two threads, some one: no cores are concluded, only the cache that all processors share.
    let hybrid = topology("lscpu-hybrid.txt");
    assert_eq!(places(&hybrid)[0], (None, None));
    assert_eq!((hybrid.caches.len(), hybrid.caches[0].size), (1, 12 << 20));
}

#[test]
fn json_flat_and_nested() {
    let flat = topology("lscpu-2.34.json");
    assert_eq!((places(&flat)[2], caches(&flat, 3)[1].clone()), ((Some(1), Some(2)), (8 << 20, vec![2, 3])));
    let nested = topology("lscpu-2.39.json");
    assert_eq!((nested.nodes.len(), caches(&nested, 1).len(), nested.processors.len()), (3, 8, 8));
}

#[test]
fn tables() {
    let old = topology("lscpu-p-old.txt");
    assert_eq!(places(&old)[6], (Some(1), Some(2)));
    assert_eq!(old.nodes[1].processors, [2, 3, 6, 7]);
    assert!(notes(&read("lscpu-p-old.txt"), "left out: caches"));
    assert!(topology("lscpu-p-new.txt").nodes.is_empty());
    // Cores numbered from 0 in each socket are four different cores; processor 4 is off-line.
    let columns = topology("lscpu-p-columns.txt");
    assert_eq!(columns.processors.iter().map(|p| p.core).collect::<Vec<_>>(), [0, 1, 2, 3].map(Some));
    assert_eq!(columns.offline, [4]);
    let extended = topology("lscpu-e.txt");
    assert_eq!((places(&extended)[5], &extended.offline[..]), ((Some(1), Some(2)), &[8][..]));
    assert_eq!(topology("lscpu-e.json").offline, [2]);
}

// The table states which processors share a cache, the fields its size: 32 processors, 16 first-level caches.
#[test]
fn table_and_fields_in_one_file() {
    let log = topology("log.txt");
    assert_eq!(caches(&log, 1)[15], (32 << 10, vec![15, 31]));
    assert_eq!(log.nodes[1].capacity, Some(64500 << 20));
    assert!(log.distances.is_some());
}

#[test]
fn mistakes() {
    assert_shows(&cut("lscpu-2.23.txt", "NUMA node1"), &["FILE:9", "2 nodes, but processors of 1", "cut"]);
    assert_shows(&changed("lscpu-2.23.txt", "0-7,16-23", "0-7,x"), &["FILE:24:28", "`x` is no whole number"]);
    assert_shows(
        &changed("lscpu-2.23.txt", "Core(s) per socket:    8", "Core(s) per socket:    many"),
        &["FILE:7", "`many`", "a count"],
    );
    assert_shows(
        &changed("lscpu-2.23.txt", "Socket(s):             2", "Socket(s):             0"),
        &["FILE:8", "a count of zero"],
    );
    assert_shows(&changed("lscpu-2.23.txt", "20480K", "20480 furlongs"), &["FILE:23", "is no size"]);
    assert_shows(&error("CPU(s):\n"), &["which processors there are", "cut"]);
    assert_shows(&cut("lscpu-2.34.json", "\"Socket(s)"), &["the JSON of lscpu ends too early"]);
    assert_shows(
        &changed("lscpu-p-old.txt", "3,3,1,1,,3,3,3,1", "3,3,1"),
        &["FILE:8", "3 cells, but 9 columns"],
    );
    assert_shows(&changed("lscpu-p-old.txt", "3,3,1,1", "2,3,1,1"), &["FILE:4", "processor 2 has two lines"]);
    assert_shows(
        &changed("lscpu-p-old.txt", "3,3,1,1", "3,three,1,1"),
        &["FILE:8:3", "`three` is no whole number"],
    );
    assert_shows(&cut("lscpu-p-old.txt", "0,0,0,0"), &["FILE:4", "no processor that is on-line", "cut"]);
    assert_shows(
        &error("Architecture :      x86_64\nProcesseur(s) :     32\n"),
        &["the nearest is the output of lscpu", "LC_ALL=C"],
    );
}

/// Two tables one after the other, of which the second has other core numbers: the first counts.
#[test]
fn a_second_table_is_left_out() {
    let table =
        |cores: [u32; 2]| format!("# CPU,Core,Socket,Node\n0,{},0,0\n1,{},0,0\n\n", cores[0], cores[1]);
    let text = table([0, 1]) + &table([0, 0]);
    let found = from_text("lscpu.txt", &text, None).unwrap();
    assert!(notes(&found, "line 5: left out: a second table"), "{:?}", found.notes);
    assert_eq!(places(found.topology.as_ref().unwrap()), [(Some(0), Some(0)), (Some(0), Some(1))]);
}
