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
        "%" => of(5, Shape::Left, remainder),
        "^" => of(7, Shape::Right, power),
        _ => None,
    }
}

fn truth(holds: bool) -> f64 {
    f64::from(holds)
}

/// The largest whole number up to `x`, without a call of the mathematical library.
#[inline]
pub(super) fn floor(x: f64) -> f64 {
    let whole = x as i64 as f64;
    // Numbers of this size are whole.
    if whole == x || !(-9e15..9e15).contains(&x) {
        return x;
    }
    if whole > x { whole - 1.0 } else { whole }
}

/// `a % b`. Whole numbers, common for bit sets, are divided as such, which is faster.
#[inline]
pub(super) fn remainder(a: f64, b: f64) -> f64 {
    const EXACT: i64 = 1 << 53;
    let (left, right) = (a as i64, b as i64);
    let whole = left as f64 == a && right as f64 == b;
    if !whole || !(1..EXACT).contains(&left) || !(1..EXACT).contains(&right) {
        return a % b;
    }
    let rest = if right & (right - 1) == 0 { left & (right - 1) } else { left % right };
    rest as f64
}

/// `base ^ exponent`. Integer powers of two, common for bit sets, are built from the exponent's
/// bits, which is faster than `powf`.
#[inline]
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    let whole = exponent as i64;
    if base == 2.0 && whole as f64 == exponent && (-1022..=1023).contains(&whole) {
        return f64::from_bits(((whole + 1023) as u64) << 52);
    }
    base.powf(exponent)
}

#[cfg(test)]
mod tests {
    use super::{floor, power, remainder};

    const NUMBERS: [f64; 20] = [
        0.0,
        -0.0,
        0.3,
        -0.3,
        1.0,
        -1.0,
        2.5,
        -2.5,
        3.0,
        16.0,
        1e6,
        65_536.0,
        9e15,
        -9e15,
        9_007_199_254_740_992.0,
        2e16,
        1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];

    /// Bits, since zeros of both signs are equal; all values that are no numbers are one.
    fn bits(x: f64) -> u64 {
        if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
    }

    #[test]
    fn floors_and_remainders_are_those_of_the_library() {
        for a in NUMBERS {
            assert_eq!(bits(floor(a)), bits(a.floor()), "{a}");
            for b in NUMBERS {
                assert_eq!(bits(remainder(a, b)), bits(a % b), "{a} {b}");
            }
        }
    }

    #[test]
    fn powers_of_two_equal_powf() {
        for exponent in [-1022.0, -3.0, -0.0, 0.0, 0.5, 1.0, 52.0, 1023.0, 1024.0, -1023.0, f64::INFINITY] {
            assert_eq!(power(2.0, exponent), 2f64.powf(exponent), "{exponent}");
        }
        assert!(power(2.0, f64::NAN).is_nan());
        assert_eq!(power(3.0, 2.0), 9.0);
    }
}
