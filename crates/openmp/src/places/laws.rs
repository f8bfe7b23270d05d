//! Laws that hold for every place list.

use super::model::Model;
use super::{Allowed, PlaceKind, PlaceList, Topology};
use proptest::prelude::*;

fn machines() -> impl Strategy<Value = Model> {
    (1..3u32, 1..4u32, 1..3u32, 1..3u32, 1..4u32, 1..3u32).prop_map(
        |(boards, sockets, nodes, caches, cores, threads)| Model {
            boards,
            sockets,
            nodes,
            caches,
            cores,
            threads,
        },
    )
}

/// Texts of random tokens of the grammar.
fn nearly() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("{"),
        Just("}"),
        Just(","),
        Just(":"),
        Just("!"),
        Just("("),
        Just(")"),
        Just(" "),
        Just("-"),
        Just("0"),
        Just("1"),
        Just("7"),
        Just("64"),
        Just("99999999999"),
        Just("cores"),
        Just("sockets"),
        Just("ü"),
    ];
    prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

proptest! {
    #[test]
    fn any_text_is_handled(text in prop_oneof![any::<String>(), nearly()], machine in machines()) {
        let allowed = Allowed::all(machine.processors());
        let result = text.parse::<PlaceList>().and_then(|list| list.resolve(&machine, &allowed));
        match result {
            Ok(places) => {
                prop_assert!(!places.is_empty());
                for place in places.iter() {
                    prop_assert!(!place.is_empty() && place.is_sorted_by(|a, b| a < b));
                    prop_assert!(place.iter().all(|number| *number < machine.processors()));
                }
            }
            Err(error) => {
                prop_assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                prop_assert_eq!(error.column, text[..error.span.start].chars().count() + 1);
            }
        }
    }

    #[test]
    fn an_abstract_name_puts_every_allowed_processor_into_one_place(
        machine in machines(),
        domain in prop::sample::select(PlaceKind::NAMES.to_vec()),
        bits in prop::collection::vec(any::<bool>(), 400),
    ) {
        let mut numbers: Vec<u32> = (0..machine.processors()).filter(|n| bits[*n as usize % 400]).collect();
        let allowed = Allowed::only(machine.processors(), numbers.iter().copied());
        prop_assert_eq!(allowed.count() as usize, numbers.len());
        prop_assume!(!numbers.is_empty());
        let places = domain.parse::<PlaceList>().unwrap().resolve(&machine, &allowed).unwrap();
        let mut named: Vec<u32> = places.iter().flatten().copied().collect();
        named.sort_unstable();
        numbers.sort_unstable();
        prop_assert_eq!(named, numbers);
    }

    #[test]
    fn interval_equals_its_list_of_places(
        first in 0..40i64, count in 1..5i64, step in 1..3i64, copies in 1..6i64, stride in -3..8i64,
    ) {
        let machine = Model::sockets(2, 50, 1);
        let last = first + (copies - 1) * stride;
        prop_assume!(last >= 0);
        let short = format!("{{{first}:{count}:{step}}}:{copies}:{stride}");
        let place = |copy: i64| {
            let numbers: Vec<String> =
                (0..count).map(|at| (first + copy * stride + at * step).to_string()).collect();
            format!("{{{}}}", numbers.join(","))
        };
        let long: Vec<String> = (0..copies).map(place).collect();
        let allowed = Allowed::all(100);
        let resolve = |text: &str| text.parse::<PlaceList>().unwrap().resolve(&machine, &allowed).unwrap();
        prop_assert_eq!(resolve(&short), resolve(&long.join(" , ")));
    }
}
