//! `OMP_AFFINITY_FORMAT`: text with fields of the form `%[[[0].]size]type`.

use crate::places::TextError;

/// Upper limit of the width of a field in characters, so that a mistyped width does not fill the memory.
const WIDEST: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffinityFormat(pub(super) Vec<FormatPart>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormatPart {
    Text(String),
    Field { field: Field, zeros: bool, right: bool, width: usize },
}

/// Quantity that a field of the format shows. The variants have the names of the OpenMP specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    TeamNum,
    NumTeams,
    NestingLevel,
    ThreadNum,
    NumThreads,
    AncestorTnum,
    Host,
    ProcessId,
    NativeThreadId,
    ThreadAffinity,
}

const FIELDS: [(char, Field); 10] = [
    ('t', Field::TeamNum),
    ('T', Field::NumTeams),
    ('L', Field::NestingLevel),
    ('n', Field::ThreadNum),
    ('N', Field::NumThreads),
    ('a', Field::AncestorTnum),
    ('H', Field::Host),
    ('P', Field::ProcessId),
    ('i', Field::NativeThreadId),
    ('A', Field::ThreadAffinity),
];

/// Long names of the fields, in the order of `SHORT`.
const LONG: [&str; 10] = [
    "team_num",
    "num_teams",
    "nesting_level",
    "thread_num",
    "num_threads",
    "ancestor_tnum",
    "host",
    "process_id",
    "native_thread_id",
    "thread_affinity",
];

const SHORT: [&str; 10] = ["t", "T", "L", "n", "N", "a", "H", "P", "i", "A"];

impl Default for AffinityFormat {
    /// The default format of libomp, which shows thread numbers. The default format of libgomp shows a handle
    /// instead, which differs in every run.
    fn default() -> AffinityFormat {
        let text = |text: &str| FormatPart::Text(text.to_owned());
        let field = |field| FormatPart::Field { field, zeros: false, right: false, width: 0 };
        AffinityFormat(vec![
            text("OMP: pid "),
            field(Field::ProcessId),
            text(" tid "),
            field(Field::NativeThreadId),
            text(" thread "),
            field(Field::ThreadNum),
            text(" bound to OS proc set {"),
            field(Field::ThreadAffinity),
            text("}"),
        ])
    }
}

impl std::str::FromStr for AffinityFormat {
    type Err = TextError;

    fn from_str(text: &str) -> Result<AffinityFormat, TextError> {
        let (mut pieces, mut plain) = (Vec::new(), String::new());
        let mut at = 0;
        while let Some(found) = text[at..].find('%') {
            plain.push_str(&text[at..at + found]);
            let begin = at + found;
            if text[begin + 1..].starts_with('%') {
                plain.push('%');
                at = begin + 2;
                continue;
            }
            if !plain.is_empty() {
                pieces.push(FormatPart::Text(std::mem::take(&mut plain)));
            }
            let (piece, end) = piece(text, begin)?;
            pieces.push(piece);
            at = end;
        }
        plain.push_str(&text[at..]);
        if !plain.is_empty() {
            pieces.push(FormatPart::Text(plain));
        }
        Ok(AffinityFormat(pieces))
    }
}

/// Parses the field at the `%` at position `begin`. Returns the field and the position after the field.
fn piece(text: &str, begin: usize) -> Result<(FormatPart, usize), TextError> {
    let mut at = begin + 1;
    let mut take = |wanted: char| {
        let found = text[at..].starts_with(wanted);
        at += usize::from(found);
        found
    };
    let zeros = take('0');
    let right = take('.');
    let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let size = &text[at..at + digits];
    at += digits;
    let bad = |message: &str| Err(TextError::new(text, begin..at, message));
    if zeros && !right {
        return bad("a leading 0 goes with a dot and a size, such as %0.4n");
    }
    if size.starts_with('0') || right && size.is_empty() {
        return bad("expected a size that does not begin with 0, such as %.4n");
    }
    let width = match size.parse() {
        Ok(width) if width <= WIDEST => width,
        Err(_) if size.is_empty() => 0,
        _ => return bad("the field is wider than 1000 characters"),
    };
    let (field, end) = field(text, at)?;
    Ok((FormatPart::Field { field, zeros, right, width }, end))
}

/// Parses the type of a field at position `at`. Returns the type and the position after the type.
fn field(text: &str, at: usize) -> Result<(Field, usize), TextError> {
    let rest = &text[at..];
    if let Some(inner) = rest.strip_prefix('{') {
        let Some(length) = inner.find('}') else {
            return Err(TextError::new(text, at..text.len(), "a long name ends with \"}\""));
        };
        let span = at + 1..at + 1 + length;
        let found = LONG.iter().position(|name| *name == &text[span.clone()]);
        let known = found.and_then(|index| FIELDS.get(index));
        return match known {
            Some((_, field)) => Ok((*field, span.end + 1)),
            None => Err(TextError::unknown(text, span, &LONG)),
        };
    }
    let Some(letter) = rest.chars().next() else {
        return Err(TextError::new(text, at..at, "expected the type of a field, but the text ends"));
    };
    match FIELDS.iter().find(|(short, _)| *short == letter) {
        Some((_, field)) => Ok((*field, at + 1)),
        None => Err(TextError::unknown(text, at..at + letter.len_utf8(), &SHORT)),
    }
}
