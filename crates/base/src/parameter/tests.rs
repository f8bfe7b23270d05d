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

crate::parameters! {
    /// Parameters of a fit.
    pub struct Limits as "LimitsFile" with defaults {
        /// Rate.
        rate: f64 = 1.0 => [limit, widest(6.0)],
        /// Total.
        total: Option<f64> = None => [stands_for(&[Limits::rate, Limits::rate])],
        /// Share.
        share: Option<f64> = None => [part, stands_for_number(0.5)],
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
fn values_are_set_by_their_declarations() {
    let mut outer = outer();
    outer.set(Outer::rate, Value::Rate(Bandwidth(7.5)));
    outer.set(Outer::count, Outer::count.kind.of_number(3.4).unwrap());
    outer.set(Outer::part, Value::Absent);
    outer.set(Outer::colour, Value::Number(1.0));
    outer.set(Inner::time, Value::Time(Span(1)));
    let expected = Outer { rate: Bandwidth(7.5), count: 3, ..self::outer() };
    assert_eq!(outer, expected);
    assert_eq!(outer.get(Outer::rate), Some(Value::Rate(Bandwidth(7.5))));
    assert_eq!(outer.get(Inner::time), None, "another table");
}

#[test]
fn facts_of_a_fit_stand_at_the_declaration() {
    let [rule, total, share] = [Limits::rate, Limits::total, Limits::share].map(|parameter| parameter.rule);
    assert!(rule.limit && !total.limit && share.part);
    assert_eq!([rule, total, share].map(Rule::most_fitted), [6.0, f64::INFINITY, 1.0]);
    assert_eq!(total.stand_in, Some(StandIn::Sum(&[Limits::rate, Limits::rate])));
    assert_eq!(share.stand_in, Some(StandIn::Number(0.5)));
}
