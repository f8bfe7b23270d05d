//! Tokens of an expression. A number followed by a unit is one token (`16 KiB`).

use super::ExpressionError;
use super::operators::WORDS;
use crate::toml_tree::OUT_OF_RANGE;
use crate::tree::shorten;
use numalab_base::Bytes;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A number, multiplied by its unit if it has one (`16 KiB`).
    Number(f64),
    Name(&'a str),
    /// An operator, a parenthesis or a comma.
    Symbol(&'a str),
    End,
}

pub(super) type Spanned<'a> = (Token<'a>, Range<usize>);

/// True if `text` can name a parameter.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name_length(text) == text.len()
}

fn name_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// Length of the number at the start of a text: digits, dots and underscores, and an exponent, if any.
pub fn number_length(text: &str) -> usize {
    let plain = |text: &str| text.find(|c: char| !matches!(c, '0'..='9' | '.' | '_')).unwrap_or(text.len());
    let mantissa = plain(text);
    let rest = &text[mantissa..];
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else { return mantissa };
    let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    match digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()) {
        0 => mantissa,
        length => mantissa + (rest.len() - digits.len()) + length,
    }
}

/// The longest operator at the start of a text.
fn symbol(rest: &str) -> Option<&'static str> {
    const ALL: [&str; 15] = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "^", "(", ")", ","];
    ALL.into_iter().find(|symbol| rest.starts_with(symbol))
}

pub(super) fn lex(text: &str) -> Result<Vec<Spanned<'_>>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = match c {
            _ if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '0'..='9' | '.' => number(rest, at)?,
            'a'..='z' | 'A'..='Z' | '_' => (Token::Name(&rest[..name_length(rest)]), name_length(rest)),
            _ if symbol(rest).is_some() => {
                let found = symbol(rest).unwrap_or_default();
                (Token::Symbol(found), found.len())
            }
            '=' => {
                let message = "`=` means nothing in an expression".to_owned();
                return Err(ExpressionError {
                    range: at..at + 1,
                    message,
                    label: "did you mean `==`?".to_owned(),
                });
            }
            _ => {
                let message = format!("`{}` means nothing in an expression", c.escape_debug());
                let label = "expected a number, a name or one of + - * / % ^ ( ) == != < <= > >=".to_owned();
                return Err(ExpressionError { range: at..at + c.len_utf8(), message, label });
            }
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}

/// Parses a number and, if a word follows it, the unit of a size.
fn number(rest: &str, at: usize) -> Result<(Token<'_>, usize), ExpressionError> {
    let length = number_length(rest);
    let digits = &rest[..length];
    let value = digits.replace('_', "").parse::<f64>().ok().filter(|value| value.is_finite());
    let Some(value) = value else {
        let message = format!("`{digits}` is not a number");
        let label = "expected a number such as 3840, 2.5 or 1e6".to_owned();
        return Err(ExpressionError { range: at..at + length, message, label });
    };
    if !numalab_base::is_sensible(value) {
        let message = format!("`{}` is out of range", shorten(digits));
        let label = OUT_OF_RANGE.to_owned();
        return Err(ExpressionError { range: at..at + length, message, label });
    }
    let gap = rest[length..].len() - rest[length..].trim_start().len();
    let unit = &rest[length + gap..];
    let unit = &unit[..name_length(unit)];
    // In `1 and`, the word is not a unit.
    if unit.is_empty() || WORDS.contains(&unit) {
        return Ok((Token::Number(value), length));
    }
    let end = length + gap + unit.len();
    match format!("{digits} {unit}").parse::<Bytes>() {
        Ok(bytes) => Ok((Token::Number(bytes.0 as f64), end)),
        Err(error) => Err(ExpressionError {
            range: at + length + gap..at + end,
            message: format!("`{unit}` cannot follow a number"),
            label: error.to_string(),
        }),
    }
}
