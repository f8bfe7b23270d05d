//! Text of `KMP_AFFINITY`: modifiers, a type, and for some types a permutation and an offset.

use super::super::Binding;
use super::{Granularity, Kind, KmpAffinity};
use crate::ProcList;
use crate::places::{Cursor, TextError};
use std::ops::Range;

/// A value of `KMP_AFFINITY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KmpValue {
    pub word: KmpWord,
    /// Parts of the value that change nothing here.
    pub idle: Vec<String>,
}

/// Meaning of a value of `KMP_AFFINITY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KmpWord {
    /// `none` and `disabled`, or an affinity.
    Bound(Binding),
    /// `explicit` with single processors, in thread order.
    Listed(ProcList),
    /// Modifiers without a type.
    Nothing,
}

const TYPES: [&str; 6] = ["none", "disabled", "compact", "scatter", "balanced", "explicit"];
/// Modifiers that ask for what is done here anyway.
const AS_HERE: [&str; 5] = ["noverbose", "warnings", "nowarnings", "respect", "noreset"];
/// Modifiers that change nothing in a simulated run.
const IDLE: [&str; 3] = ["verbose", "norespect", "reset"];
const GRANULARITIES: [&str; 9] =
    ["fine", "thread", "core", "ll_cache", "numa_domain", "node", "socket", "package", "numa"];

/// Parts of a value, with their positions in the text.
#[derive(Default)]
struct Parts<'a> {
    kind: Option<(&'static str, Range<usize>)>,
    granularity: Option<Granularity>,
    numbers: Vec<(u32, Range<usize>)>,
    list: Option<&'a str>,
    idle: Vec<String>,
}

impl KmpValue {
    /// Parses a value of `KMP_AFFINITY`.
    pub fn parse(text: &str) -> Result<KmpValue, TextError> {
        let mut parts = Parts::read(text)?;
        let kind = match (&parts.kind, parts.list) {
            (Some((name, _)), _) => *name,
            (None, Some(_)) => "explicit",
            (None, None) => "",
        };
        if !matches!(kind, "compact" | "scatter") && !parts.numbers.is_empty() {
            let numbers: Vec<String> = parts.numbers.iter().map(|(number, _)| number.to_string()).collect();
            parts.idle.push(numbers.join(","));
        }
        let number = |at: usize| parts.numbers.get(at).map_or(0, |(number, _)| *number);
        let affinity = |kind| {
            let granularity = parts.granularity.unwrap_or_default();
            KmpWord::Bound(Binding::by_kmp(KmpAffinity { text: text.trim().to_owned(), kind, granularity }))
        };
        let word = match kind {
            "compact" | "scatter" => {
                let (permute, offset) = (number(0), number(1));
                affinity(Kind::Sorted { permute, scatter: kind == "scatter", offset })
            }
            "balanced" => affinity(Kind::Balanced),
            "none" | "disabled" => KmpWord::Bound(Binding::unbound()),
            "explicit" => {
                let Some(list) = parts.list else {
                    let span = parts.kind.map_or(0..text.len(), |(_, span)| span);
                    let problem = "explicit needs a list of processors, such as proclist=[0,2,4-6]";
                    return Err(TextError::new(text, span, problem));
                };
                match list.parse() {
                    Ok(list) => KmpWord::Listed(list),
                    Err(_) => affinity(Kind::Listed(places(text, list)?)),
                }
            }
            _ => KmpWord::Nothing,
        };
        Ok(KmpValue { word, idle: parts.idle })
    }
}

impl<'a> Parts<'a> {
    fn read(text: &'a str) -> Result<Parts<'a>, TextError> {
        let mut cursor = Cursor::new(text);
        let mut parts = Parts::default();
        loop {
            parts.part(text, &mut cursor)?;
            if !cursor.take(b',') {
                cursor.end("\",\" or the end")?;
                return Ok(parts);
            }
        }
    }

    fn part(&mut self, text: &'a str, cursor: &mut Cursor<'_>) -> Result<(), TextError> {
        if cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            let begin = cursor.begin();
            let number = cursor.number("a number")?;
            if self.numbers.len() == 2 {
                let problem = "a third number; expected a permutation and an offset";
                return Err(TextError::new(text, cursor.since(begin), problem));
            }
            self.numbers.push((number, cursor.since(begin)));
            return Ok(());
        }
        let span = cursor.word();
        let word = text[span.clone()].to_ascii_lowercase();
        match word.as_str() {
            "granularity" => self.granularity = Some(granularity(text, cursor)?),
            "proclist" => self.list = Some(list(text, cursor)?),
            _ if IDLE.contains(&word.as_str()) => self.idle.push(word),
            _ if AS_HERE.contains(&word.as_str()) => {}
            _ => {
                let kind = TYPES.into_iter().find(|known| *known == word);
                let kind = kind.ok_or_else(|| match span.is_empty() {
                    true => cursor.unexpected("a type such as compact, or a modifier"),
                    false => TextError::unknown(text, span.clone(), &TYPES),
                })?;
                if self.kind.is_some() {
                    return Err(TextError::new(text, span, format!("\"{kind}\" is a second type")));
                }
                self.kind = Some((kind, span));
            }
        }
        Ok(())
    }
}

fn granularity(text: &str, cursor: &mut Cursor<'_>) -> Result<Granularity, TextError> {
    cursor.expect(b'=', "\"=\"")?;
    let span = cursor.word();
    Ok(match text[span.clone()].to_ascii_lowercase().as_str() {
        "fine" | "thread" => Granularity::Thread,
        "core" => Granularity::Core,
        "ll_cache" => Granularity::Cache,
        "numa_domain" | "node" | "numa" => Granularity::Node,
        "socket" | "package" => Granularity::Socket,
        _ => return Err(TextError::unknown(text, span, &GRANULARITIES)),
    })
}

/// The text between the brackets of `proclist=[0,{1,2}]`.
fn list<'a>(text: &'a str, cursor: &mut Cursor<'_>) -> Result<&'a str, TextError> {
    cursor.expect(b'=', "\"=\"")?;
    cursor.expect(b'[', "\"[\"")?;
    let begin = cursor.begin();
    cursor.skip_to(b']');
    let inside = cursor.since(begin);
    cursor.expect(b']', "\"]\"")?;
    Ok(&text[inside])
}

/// Places of a list of processors, ranges and sets, such as `3,{0,8},4-6:2`.
fn places(text: &str, list: &str) -> Result<crate::places::PlaceList, TextError> {
    let begin = list.as_ptr() as usize - text.as_ptr() as usize;
    let wrong = |part: &str| {
        let at = begin + (part.as_ptr() as usize - list.as_ptr() as usize);
        let problem = format!("\"{part}\" is no processor, range such as 4-6:2, or set such as {{0,8}}");
        TextError::new(text, at..at + part.len(), problem)
    };
    let mut depth = 0;
    let items = list.split(|letter: char| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    let mut all = Vec::new();
    for item in items.map(str::trim) {
        let inside = item.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let list: ProcList = inside.unwrap_or(item).parse().map_err(|_| wrong(item))?;
        match inside {
            Some(_) => all.push(list.as_place()),
            None => all.push(list.as_places()),
        }
    }
    all.join(",").parse().map_err(|_| wrong(list.trim()))
}
