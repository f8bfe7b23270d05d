//! Place lists, worked out by hand. What the specification leaves open was checked against libgomp
//! 12 on two processors.

use super::model::Model;
use super::{Allowed, PlaceKind, PlaceList, Places, TextError, Topology};

/// Two sockets of two nodes of two caches of two cores of two hardware threads: cores 0-15,
/// processors 0-31.
const DEEP: Model = Model { boards: 1, sockets: 2, nodes: 2, caches: 2, cores: 2, threads: 2 };
const FLAT: Model = Model { boards: 1, sockets: 2, nodes: 1, caches: 1, cores: 8, threads: 1 };

fn on(machine: Model, text: &str) -> Result<Places, TextError> {
    text.parse::<PlaceList>()?.resolve(&machine, &Allowed::all(machine.processors()))
}

#[track_caller]
fn sets(machine: Model, text: &str) -> Vec<Vec<u32>> {
    on(machine, text).unwrap().iter().map(<[u32]>::to_vec).collect()
}

#[track_caller]
fn error(text: &str) -> (usize, String) {
    let error = on(FLAT, text).unwrap_err();
    (error.column, error.message)
}

#[test]
fn the_lists_of_the_specification_are_the_same_four_places() {
    let four: Vec<Vec<u32>> = (0..4).map(|place| (place * 4..place * 4 + 4).collect()).collect();
    for text in [
        "{0,1,2,3},{4,5,6,7},{8,9,10,11},{12,13,14,15}",
        "{0:4},{4:4},{8:4},{12:4}",
        "{0:4}:4:4",
        " { 0 : 4 : 1 } : 4 : +4 ",
        "{3,2,1,0}:4:4",
    ] {
        assert_eq!(sets(FLAT, text), four, "{text}");
    }
}

#[test]
fn abstract_names_group_the_machine() {
    // Core 0 has processors 0 and 16.
    assert_eq!(sets(DEEP, "threads(3)"), [[0], [16], [1]]);
    assert_eq!(sets(DEEP, "Cores(2)"), [[0, 16], [1, 17]]);
    assert_eq!(sets(DEEP, "ll_caches")[1], [2, 3, 18, 19]);
    assert_eq!(sets(DEEP, "numa_domains")[3], [12, 13, 14, 15, 28, 29, 30, 31]);
    assert_eq!(sets(DEEP, " SOCKETS ")[0], (0..8).chain(16..24).collect::<Vec<_>>());
    let counts = PlaceKind::NAMES.map(|name| sets(DEEP, name).len());
    assert_eq!(counts, [32, 16, 8, 4, 2]);
}

#[test]
fn counts_and_strides_of_abstract_names() {
    assert_eq!(sets(FLAT, "threads(8:2)"), (0..8).map(|place| vec![place * 2]).collect::<Vec<_>>());
    // A count above the number of places gives all places.
    assert_eq!(sets(FLAT, "sockets(9)").len(), 2);
    assert_eq!(sets(FLAT, "cores(4000000000:5)"), [[0], [5], [10], [15]]);
}

#[test]
fn intervals_of_places_and_of_processors() {
    assert_eq!(sets(FLAT, "0,8,15"), [[0], [8], [15]]);
    assert_eq!(sets(FLAT, "3:3"), [[3], [4], [5]]);
    assert_eq!(sets(FLAT, "{8:4:2}"), [[8, 10, 12, 14]]);
    assert_eq!(sets(FLAT, "{7,6}:2:-3"), [[6, 7], [3, 4]]);
    assert_eq!(sets(FLAT, "{9:3:-4}"), [[1, 5, 9]]);
    // A stride of 0: the same processor, the same place.
    assert_eq!(sets(FLAT, "{5:3:0},{1}:2:0"), [[5], [1], [1]]);
    assert_eq!(sets(FLAT, "{2,2,2}"), [[2]]);
}

#[test]
fn exclusions() {
    assert_eq!(sets(FLAT, "{0:8,!3,!5}"), [[0, 1, 2, 4, 6, 7]]);
    // An exclusion may stand anywhere in the place.
    assert_eq!(sets(FLAT, "{!0,0:2}"), [[1]]);
    assert_eq!(sets(FLAT, "{6,7}:4:-2,!{2,3}"), [[6, 7], [4, 5], [0, 1]]);
    // An exclusion applies only to places before it, and only once.
    assert_eq!(sets(FLAT, "3,3,!3"), [[3]]);
    assert_eq!(sets(FLAT, "0,!{0},0"), [[0]]);
    assert_eq!(error("!0,0").0, 1);
    assert_eq!(
        error("0:3,!7"),
        (5, "no place before it in the list is the same, so none can be excluded".into())
    );
}

#[test]
fn disallowed_processors_are_left_out() {
    let places = on(FLAT, "{0:4}:5:4").unwrap();
    assert_eq!((places.len(), places.dropped), (4, 1));
    assert_eq!(sets(FLAT, "{14:4}"), [[14, 15]]);
    let list: PlaceList = "{0:4}:4:4".parse().unwrap();
    let places = list.resolve(&FLAT, &Allowed::only(16, [6, 5, 6, 12, 99])).unwrap();
    assert_eq!(places.iter().map(<[u32]>::to_vec).collect::<Vec<_>>(), [vec![5, 6], vec![12]]);
    assert_eq!(places.dropped, 2);
    // Counts of abstract names count the allowed places.
    let list: PlaceList = "cores(2)".parse().unwrap();
    let places = list.resolve(&FLAT, &Allowed::only(16, 9..12)).unwrap();
    assert_eq!((places.get(0), places.get(1), places.len(), places.dropped), (&[9][..], &[10][..], 2, 0));
    assert_eq!(error("{16}").1, "no place of the list has a processor that the threads may run on");
    assert_eq!(error("{0,!0}").0, 1);
}

#[test]
fn errors_have_their_column() {
    for (text, column, part) in [
        ("", 1, "expected a name such as"),
        (
            "core",
            1,
            "unknown name \"core\"; expected one of threads, cores, ll_caches, numa_domains, sockets",
        ),
        (" sockets(0)", 10, "at least 1"),
        ("sockets(", 9, "the text ends"),
        ("sockets(2", 10, "\")\""),
        ("sockets(2:0)", 11, "at least 1"),
        ("sockets(2))", 11, "nothing after"),
        ("cores:4", 6, "\"(\""),
        ("cores,{0}", 6, "\"(\""),
        ("{0},cores", 5, "must be the whole value"),
        ("{0", 3, "\"}\""),
        ("{}", 2, "a processor's number"),
        ("{0},", 5, "the text ends"),
        ("{0}{1}", 4, "\",\" or the end"),
        ("{0:0}", 4, "at least 1"),
        ("{0}:x", 5, "a number of places, but found \"x\""),
        ("{0}:2:", 7, "a stride"),
        ("{0:2:-}", 7, "a stride"),
        ("-1", 1, "\"{\" or a processor's number"),
        ("{!0:2}", 4, "excludes one processor"),
        ("!{0}:2", 5, "excludes one place"),
        ("{4294967296}", 2, "above 4294967295"),
        ("ü{0}", 1, "found \"\\u{fc}\""),
        ("{0},ü", 5, "\"{\""),
    ] {
        let (at, message) = error(text);
        assert_eq!(at, column, "{text}: {message}");
        assert!(message.contains(part), "{text}: {message}");
    }
    assert_eq!("core".parse::<PlaceList>().unwrap_err().names, PlaceKind::NAMES);
}

#[test]
fn huge_lists_in_short_texts_are_refused() {
    for (text, column) in [
        ("{0:4000000000}", 2),
        ("{0}:4000000000", 1),
        ("0,{0}:4000000000:0", 3),
        ("{0,!0}:4000000000:0", 1),
        ("{4000000000:4000000000:4000000000}", 2),
        ("{4000000000:4000000000:-4000000000}", 2),
        ("{0:8192}:4000000000:0", 1),
        ("{5}:3:-4", 1),
        ("{9000}", 2),
    ] {
        let (at, message) = error(text);
        assert_eq!(at, column, "{text}: {message}");
        assert!(message.contains("processor"), "{message}");
    }
    // One processor, however often it is named.
    assert_eq!(sets(FLAT, "{0:4000000000:0}"), [[0]]);
}
