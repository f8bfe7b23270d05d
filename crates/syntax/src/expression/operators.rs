//! Binary operators and their precedence.

use super::Binary;

/// Associativity of operators of equal precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a ^ b ^ c` is `a ^ (b ^ c)`.
    Right,
    /// `a < b < c` is an error.
    Alone,
}

pub(super) struct Operator {
    pub strength: u8,
    pub shape: Shape,
    pub apply: Binary,
}

/// Precedence of `not`: below comparisons, so `not a < b` is `not (a < b)`.
pub(super) const NOT: u8 = 3;
/// Precedence of a sign: stronger than `*`, weaker than `^`.
pub(super) const SIGN: u8 = 6;

/// Operators that are words.
pub(super) const WORDS: [&str; 3] = ["and", "or", "not"];

/// The binary operator with this spelling.
pub(super) fn operator(symbol: &str) -> Option<Operator> {
    let of = |strength, shape, apply| Some(Operator { strength, shape, apply });
    match symbol {
        "or" => of(1, Shape::Left, |a, b| truth(a != 0.0 || b != 0.0)),
        "and" => of(2, Shape::Left, |a, b| truth(a != 0.0 && b != 0.0)),
        "==" => of(3, Shape::Alone, |a, b| truth(a == b)),
        "!=" => of(3, Shape::Alone, |a, b| truth(a != b)),
        "<" => of(3, Shape::Alone, |a, b| truth(a < b)),
        "<=" => of(3, Shape::Alone, |a, b| truth(a <= b)),
        ">" => of(3, Shape::Alone, |a, b| truth(a > b)),
        ">=" => of(3, Shape::Alone, |a, b| truth(a >= b)),
        "+" => of(4, Shape::Left, |a, b| a + b),
        "-" => of(4, Shape::Left, |a, b| a - b),
        "*" => of(5, Shape::Left, |a, b| a * b),
        "/" => of(5, Shape::Left, |a, b| a / b),
        "%" => of(5, Shape::Left, |a, b| a % b),
        "^" => of(7, Shape::Right, power),
        _ => None,
    }
}

fn truth(holds: bool) -> f64 {
    f64::from(holds)
}

/// `base ^ exponent`. Integer powers of two, common for bit sets, are built from the exponent's
/// bits, which is faster than `powf`.
fn power(base: f64, exponent: f64) -> f64 {
    let whole = exponent as i64;
    if base == 2.0 && whole as f64 == exponent && (-1022..=1023).contains(&whole) {
        return f64::from_bits(((whole + 1023) as u64) << 52);
    }
    base.powf(exponent)
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn powers_of_two_equal_powf() {
        for exponent in [-1022.0, -3.0, -0.0, 0.0, 0.5, 1.0, 52.0, 1023.0, 1024.0, -1023.0, f64::INFINITY] {
            assert_eq!(power(2.0, exponent), 2f64.powf(exponent), "{exponent}");
        }
        assert!(power(2.0, f64::NAN).is_nan());
        assert_eq!(power(3.0, 2.0), 9.0);
    }
}
