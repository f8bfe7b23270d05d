//! Arithmetic expressions of the iteration index and of named parameters in workload files:
//! `footprint / 3`, `i + 1`, `min(rows, 64) * 8 kB`, `if(variant == serial, 0, i)`.
//!
//! True is 1, false 0; any other number counts as true. `and`, `or` and `not` are words, because
//! `&` and `!` have a meaning in YAML.
//!
//! An expression is parsed once and its names are bound once. It is then evaluated for blocks of consecutive
//! iterations, so that a million iterations cost milliseconds. Errors have positions in the text. Available
//! expression libraries offer neither blocks nor positions.

mod bind;
mod code;
mod cursor;
mod formula;
mod lexer;
mod operators;
mod parser;
mod program;
mod rows;
mod scope;
mod table;

pub use cursor::Cursor;
pub use formula::{Formula, Room};
pub use lexer::{is_name, number_length};
pub use parser::parse;
pub use program::{BLOCK, Parsed, PlainStep, Program};
pub use rows::Rows;
pub use scope::Scope;
pub use table::Table;

use std::ops::Range;

/// The name of the iteration index.
pub const INDEX: &str = "i";

/// Mistake in an expression, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// Byte range of the mistake in the text of the expression.
    pub range: Range<usize>,
    pub message: String,
    /// Expected text, shown at the mistake.
    pub label: String,
}

pub(crate) type Unary = fn(f64) -> f64;
pub(crate) type Binary = fn(f64, f64) -> f64;

/// Functions of one number.
const UNARY: &[(&str, Unary)] = &[
    ("abs", f64::abs),
    ("ceil", f64::ceil),
    ("cos", f64::cos),
    ("exp", f64::exp),
    ("floor", operators::floor),
    ("ln", f64::ln),
    ("log2", f64::log2),
    ("noise", noise),
    ("round", f64::round),
    ("sin", f64::sin),
    ("sqrt", f64::sqrt),
];

/// Functions of two numbers.
const BINARY: &[(&str, Binary)] = &[
    ("bit", bit),
    ("bit_and", |x, y| bits(x, y, |x, y| x & y)),
    ("bit_or", |x, y| bits(x, y, |x, y| x | y)),
    ("max", f64::max),
    ("min", f64::min),
];

/// Largest number of arguments of `random`.
const MOST_ARGUMENTS: usize = 16;

/// A whole number made of the bits of two others. NaN unless both are integers from 0 to 2^53 - 1.
fn bits(x: f64, y: f64, of: fn(u64, u64) -> u64) -> f64 {
    let whole =
        |number: f64| (0.0..9_007_199_254_740_992.0).contains(&number) && (number as i64) as f64 == number;
    if whole(x) && whole(y) { of(x as u64, y as u64) as f64 } else { f64::NAN }
}

/// Bit `index` of `x`: 0 or 1. NaN unless `x` is an integer from 0 to 2^53 - 1, and `index` an integer of at least 0.
fn bit(x: f64, index: f64) -> f64 {
    let (whole, at) = (x as i64, index as i64);
    // The conversion truncates, so equality means an integer.
    if whole as f64 != x || at as f64 != index || at < 0 || whole >> 53 != 0 {
        return f64::NAN;
    }
    f64::from(at < 53 && whole >> at & 1 == 1)
}

/// A pseudo-random number in 0..1 that depends on all numbers and their order; a multiple of 2^-53.
fn random(numbers: &[f64]) -> f64 {
    if numbers.iter().any(|number| number.is_nan()) {
        return f64::NAN;
    }
    // Adding 0 turns -0 into 0.
    let mixed = numbers.iter().fold(0, |state, number| scramble(state ^ (number + 0.0).to_bits()));
    share(mixed)
}

/// A pseudo-random number in 0..1 that depends only on `x`: for irregular loops that are the same
/// in every run.
fn noise(x: f64) -> f64 {
    share(scramble(x.to_bits()))
}

/// One step of splitmix64 from `state`.
fn scramble(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The upper 53 bits as a number in 0..1.
fn share(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

fn functions() -> impl Iterator<Item = &'static str> {
    let unary = UNARY.iter().map(|(name, _)| *name);
    unary
        .chain(BINARY.iter().map(|(name, _)| *name))
        .chain(["if", "random", "table_value"])
        .chain(rows::RowFunction::names())
}

/// Names that no parameter may have.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    functions().chain(operators::WORDS).chain([INDEX])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, ExpressionError> {
        let mut scope = Scope::default();
        scope.add("n", 10.0);
        scope.add("footprint", 40e9);
        Ok(parse(text)?.bind(&scope, true)?.at(4))
    }

    #[test]
    fn missing_rows_and_tables_have_own_errors() {
        let refused =
            |text: &str| parse(text).unwrap().without_rows("expected facts").map(|_| ()).unwrap_err();
        assert_eq!(refused("1 + row_entries(3)").message, "there is no matrix here");
        let table = refused("n + table_value(cost, 1)");
        assert_eq!((&*table.message, &*table.label), ("there are no tables here", "expected facts"));
        assert!(parse("n + 1").unwrap().without_rows("").is_ok());
    }

    #[test]
    fn follows_the_rules_of_arithmetic() {
        assert_eq!(value("1 + 2 * 3"), Ok(7.0));
        assert_eq!(value("(1 + 2) * 3 - -1"), Ok(10.0));
        assert_eq!(value("2 ^ 3 ^ 2"), Ok(512.0));
        assert_eq!(value("-2 ^ 2"), Ok(-4.0));
        assert_eq!(value("7 % 4 / 2"), Ok(1.5));
        assert_eq!(value("1_000 + 1e3"), Ok(2000.0));
        assert_eq!(value("max(min(i, n), 3) * 2"), Ok(8.0));
        assert_eq!(value("floor(log2(n)) + sqrt(16)"), Ok(7.0));
        assert_eq!(value("footprint / 4 + 1 KiB"), Ok(10e9 + 1024.0));
        assert_eq!(value("n > 1 and n < 3 or i == 4 and 2 * 5 == n"), Ok(1.0));
        assert!((0.0..1.0).contains(&value("noise(i)").unwrap()));
    }

    #[test]
    fn bits_and_random_numbers() {
        // 10 is 1010 in binary.
        assert_eq!(
            [0, 1, 2, 3, 4, 60, 90].map(|i| value(&format!("bit(n, {i})")).unwrap()),
            [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]
        );
        assert!(value("bit(1 / 2, 0)").unwrap().is_nan() && value("bit(-1, 0)").unwrap().is_nan());
        // 12 is 1100.
        assert_eq!((value("bit_and(n, 12)"), value("bit_or(n, 12)")), (Ok(8.0), Ok(14.0)));
        assert_eq!(value("bit_or(2 ^ 52, 1)"), Ok(2_f64.powi(52) + 1.0));
        for wrong in ["bit_and(1 / 2, 1)", "bit_or(1, -1)", "bit_and(2 ^ 53, 1)", "bit_or(0 / 0, 1)"] {
            assert!(value(wrong).unwrap().is_nan(), "{wrong}");
        }
        assert_eq!(value("random(n)"), value("noise(n)"));
        assert_eq!(value("random(0 * -1, 1) - random(0, 1)"), Ok(0.0));
        assert_ne!(value("random(1, 2)"), value("random(2, 1)"));
        assert_eq!(value("random(1, 2) * 2 ^ 53 % 1"), Ok(0.0));
        // The mean of a thousand numbers is 0.5, within three of its standard deviations of 0.0091 each.
        let mean = (0..1000).map(|i| value(&format!("random(7, {i})")).unwrap()).sum::<f64>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.0274, "{mean}");
        assert!(value("random()").is_err() && value("random(1,)").is_err() && value("random(1 2)").is_err());
        assert!(value(&format!("random({}1)", "1, ".repeat(16))).is_err());
    }

    #[test]
    fn errors_name_the_part_that_is_wrong() {
        let error = value("2 * footprin / 3").unwrap_err();
        assert_eq!((error.range, error.message.as_str()), (4..12, "unknown name `footprin`"));
        assert_eq!(error.label, "did you mean `footprint`?");
        assert_eq!(value("sqr(2)").unwrap_err().label, "did you mean `sqrt`?");
        assert_eq!(value("1 +").unwrap_err().range, 3..3);
        assert_eq!(value("(1 + 2").unwrap_err().label, "expected `)`");
        assert_eq!(value("1 2").unwrap_err().range, 2..3);
        assert_eq!(value("3 GHz").unwrap_err().range, 2..5);
        assert!(value("max(1)").unwrap_err().label.contains("2 arguments"));
        assert!(value("").unwrap_err().message.contains("empty"));
        assert!(value("1 $ 2").unwrap_err().message.contains('$'));
        assert!(value(&"(".repeat(100_000)).is_err());
        assert!(value(&"-".repeat(4000)).is_err());
        assert!(value("1e999").is_err());
    }
}
