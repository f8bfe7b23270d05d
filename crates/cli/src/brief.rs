//! Messages without what makes them long: what was typed, when it is more than a line.

/// Characters of a typed text that a message may repeat.
const MOST: usize = 120;
/// Characters that stand for a longer one.
const KEPT: usize = 40;

/// Characters of what was typed where a part of it is wrong.
const BEGINNING: usize = 60;
/// Marks that may end a word and stay: `",`, `").`.
const MARKS: usize = 3;

/// A message in which nothing that was typed, nor any other word, takes more than a line.
pub fn in_a_line(message: &str) -> String {
    let is_ours = |name: &str| ["OMP_", "GOMP_", "KMP_"].iter().any(|start| name.starts_with(start));
    let variables = std::env::vars_os().filter(|(name, _)| is_ours(&name.to_string_lossy()));
    let arguments = std::env::args_os().skip(1).chain(variables.map(|(_, value)| value));
    let typed: Vec<String> = arguments
        .map(|text| text.to_string_lossy().into_owned())
        .filter(|text| text.chars().count() > MOST)
        .collect();
    // Lines of files are shown around what is wrong in them already, with marks below.
    let is_shown =
        |line: &str| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|');
    let cut = |line| if is_shown(line) { line.to_owned() } else { cut(line, &typed) };
    message.split('\n').map(cut).collect::<Vec<_>>().join("\n")
}

/// A line without long parts of texts and without long words.
fn cut(line: &str, typed: &[String]) -> String {
    if line.chars().count() <= MOST {
        return line.to_owned();
    }
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    let at = |index: usize| letters.get(index).map_or(line.len(), |(at, _)| *at);
    let (mut text, mut index) = (String::with_capacity(line.len()), 0);
    while index < letters.len() {
        let (from, behind) = (at(index), at(index + MOST));
        let repeated = (index + MOST <= letters.len()).then(|| repeated(&line[from..], behind - from, typed));
        let starts = index == 0 || letters[index - 1].1.is_whitespace();
        let long = match repeated.unwrap_or(0) {
            0 if starts => word(&letters[index..]),
            repeated => repeated,
        };
        if long == 0 {
            text.push(letters[index].1);
            index += 1;
            continue;
        }
        text.push_str(&line[from..at(index + KEPT)]);
        text.push('…');
        index += long;
    }
    text
}

/// Characters of the word that letters begin with, where it is a long one: without the quotes and marks that end it.
fn word(letters: &[(usize, char)]) -> usize {
    let word = letters.iter().take_while(|(_, c)| !c.is_whitespace()).count();
    if word <= 2 * MOST {
        return 0;
    }
    let marks = letters[..word].iter().rev().take_while(|(_, c)| "\"'`,.;:!?)]}".contains(*c)).count();
    word - marks.min(MARKS)
}

/// The beginning of something that was typed, with a mark where it goes on.
pub fn beginning(text: &str) -> String {
    let short: String = text.chars().take(BEGINNING).collect();
    let more = if text.chars().count() > BEGINNING { "…" } else { "" };
    format!("{}{more}", short.escape_debug())
}

/// Characters at the start of a text that are part of something typed, if they are at least its first `window` bytes.
fn repeated(text: &str, window: usize, typed: &[String]) -> usize {
    let same = |one: &String| {
        let found = one.find(&text[..window])?;
        Some(text.chars().zip(one[found..].chars()).take_while(|(a, b)| a == b).count())
    };
    typed.iter().filter_map(same).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_is_repeated_in_part() {
        let long = "a b,".repeat(1000);
        let said = format!("error: \"{long}\" is no list, and the columns are machine, policy and threads");
        let short = cut(&said, std::slice::from_ref(&long));
        assert!(short.chars().count() < MOST + KEPT && short.starts_with("error: \"a b,a b,"), "{short}");
        assert!(
            short.ends_with("…\" is no list, and the columns are machine, policy and threads"),
            "{short}"
        );
        // A part of an argument is cut like the whole of it.
        assert!(cut(&said, &[format!("a={long}")]).chars().count() < MOST + KEPT);
        // Nobody typed it, and it has blanks: a list of names that help.
        assert_eq!(cut(&said, &[]), said);
    }

    #[test]
    fn words_have_an_end() {
        let digits = "9".repeat(309);
        assert_eq!(
            cut(&format!("at most {digits} times"), &[]),
            format!("at most {}… times", "9".repeat(KEPT))
        );
        assert_eq!(cut("short", &["short".to_owned()]), "short");
        // What ends a word is no part of it, whether it was typed or not.
        for typed in [&[][..], std::slice::from_ref(&digits)] {
            let said = cut(&format!("there is no \"{digits}\", look again"), typed);
            assert!(said.ends_with("9…\", look again"), "{said}");
        }
        assert_eq!(beginning(&digits), format!("{}…", "9".repeat(BEGINNING)));
        assert_eq!(beginning("0-7"), "0-7");
    }
}
