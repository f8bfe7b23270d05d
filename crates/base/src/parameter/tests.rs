use super::*;
use crate::{Bandwidth, Span};

crate::words! {
    /// Colours.
    pub enum Colour as "ColourWord" {
        /// Like blood.
        Red = "red",
        /// Like grass.
        DeepGreen = "deep-green",
    }
}

crate::parameters! {
    /// Inner.
    pub struct Inner as "InnerFile" with defaults {
        /// Time.
        time: Span = Span(5),
    }
}

crate::parameters! {
    /// Outer.
    pub struct Outer as "OuterFile" {
        /// Rate.
        rate: Bandwidth => [shown("moves {}")],
        /// Count of
        /// two lines.
        count: u32 = 1 => [at_least(1.0), at_most(9.0), shown("{} of them")],
        /// Part.
        part: Option<f64> = None => [above_zero],
        /// Colour.
        colour: Colour = Colour::Red => [silent],
        /// Inner.
        inner: Inner = Inner::default(),
    }
}

fn outer() -> Outer {
    Outer::new(Bandwidth(2.0))
}

#[test]
fn values_make_the_struct_again() {
    let outer = Outer { part: Some(0.5), colour: Colour::DeepGreen, ..outer() };
    assert_eq!(Outer::from_values(outer.values()), Some(outer.clone()));
    let mut values = outer.values();
    values.swap(0, 1);
    assert_eq!(Outer::from_values(values), None, "a rate is no count");
}

/// Law: A parameter is declared once: reading, check, writing, reference and fit follow.
#[test]
fn declaration_has_all_properties() {
    let [rate, count, part, colour, inner] = Outer::SECTION.parameters else { panic!("five parameters") };
    assert_eq!((count.name, count.doc), ("count", " Count of\n two lines.\n"));
    assert_eq!(rate.default_value(), None);
    assert_eq!(part.default_value(), Some(Value::Absent));
    assert_eq!(colour.default_value(), Some(Value::Word("red")));
    assert!(colour.rule.silent && !count.rule.silent);
    assert_eq!(inner.default_value(), Some(Value::Table(vec![Value::Time(Span(5))])));
}

/// Law: A parameter is declared once: reading, check, writing, reference and fit follow.
#[test]
fn values_out_of_bounds_are_found_with_their_paths() {
    let wrong = Outer {
        rate: Bandwidth(f64::INFINITY),
        count: 10,
        part: Some(0.0),
        inner: Inner { time: Span(2_000_000_000_000) },
        ..outer()
    };
    let found: Vec<String> = wrong
        .out_of_bounds()
        .iter()
        .map(|found| format!("{}: {}, not {}", found.path, found.expected, found.value))
        .collect();
    let expected = [
        "rate: a finite number above 0, not inf TB/s",
        "count: between 1 and 9, not 10",
        "part: a number from 1e-9 to 1e9, not 0",
        "inner.time: at most 1.00 s, not 2.00 s",
    ];
    assert_eq!(found, expected);
    assert_eq!(outer().out_of_bounds(), []);
}

#[test]
fn phrases_show_values_other_than_default() {
    assert_eq!(outer().phrases(), ["moves 2.00 B/s"]);
    assert_eq!(Outer { count: 3, ..outer() }.phrases(), ["moves 2.00 B/s", "3 of them"]);
}

#[test]
fn words_are_names_of_values() {
    assert_eq!(Colour::NAMES, Colour::ALL.map(Colour::name));
    assert_eq!(Colour::from_name("deep-green"), Some(Colour::DeepGreen));
    assert_eq!((Colour::from_name("green"), Colour::Red.to_string()), (None, "red".to_owned()));
}

#[test]
fn numbers_become_values_of_their_kind() {
    let mut outer = outer();
    outer.set_number("rate", 7.5);
    outer.set_number("count", 3.4);
    outer.set_number("colour", 1.0);
    outer.set_number("nobody", 1.0);
    let expected = Outer { rate: Bandwidth(7.5), count: 3, ..self::outer() };
    assert_eq!(outer, expected);
    assert_eq!(outer.get("rate"), Some(Value::Rate(Bandwidth(7.5))));
    assert_eq!(outer.get("nobody"), None);
}
