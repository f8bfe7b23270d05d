//! Shortens messages that repeat long arguments, so that no argument fills more than a line.

/// Longest argument or word, in characters, that a message repeats in full.
const MOST: usize = 120;
/// Number of characters that are kept of a longer argument or word.
const KEPT: usize = 40;

/// Number of characters that [`beginning`] keeps.
const BEGINNING: usize = 60;
/// Largest number of closing punctuation marks that stay after a shortened word, as in `",` or `").`.
const MARKS: usize = 3;

/// Shortens every part of `message` that repeats an argument or a variable longer than `MOST` characters, and every
/// word longer than twice `MOST`.
pub fn in_a_line(message: &str) -> String {
    let is_ours = |name: &str| ["OMP_", "GOMP_", "KMP_"].iter().any(|start| name.starts_with(start));
    let variables = std::env::vars_os().filter(|(name, _)| is_ours(&name.to_string_lossy()));
    let arguments = std::env::args_os().skip(1).chain(variables.map(|(_, value)| value));
    let typed: Vec<String> = arguments
        .map(|text| text.to_string_lossy().into_owned())
        .filter(|text| text.chars().count() > MOST)
        .collect();
    // Excerpts of files keep their length: the line below an excerpt marks its columns.
    let is_shown =
        |line: &str| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|');
    let cut = |line| if is_shown(line) { line.to_owned() } else { cut(line, &typed) };
    message.split('\n').map(cut).collect::<Vec<_>>().join("\n")
}

/// Shortens one line of a message. `typed`: arguments and OpenMP variables that are longer than `MOST` characters.
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

/// Length in characters of the long word that `letters` begins with, without the word's closing punctuation; 0 if the
/// word is short.
fn word(letters: &[(usize, char)]) -> usize {
    let word = letters.iter().take_while(|(_, c)| !c.is_whitespace()).count();
    if word <= 2 * MOST {
        return 0;
    }
    let marks = letters[..word].iter().rev().take_while(|(_, c)| "\"'`,.;:!?)]}".contains(*c)).count();
    word - marks.min(MARKS)
}

/// The first `BEGINNING` characters of a typed text, with an ellipsis if the text is longer.
pub fn beginning(text: &str) -> String {
    let short: String = text.chars().take(BEGINNING).collect();
    let more = if text.chars().count() > BEGINNING { "…" } else { "" };
    format!("{}{more}", short.escape_debug())
}

/// Length in characters of the longest prefix of `text` that occurs in a typed argument; 0 if no argument contains
/// its first `window` bytes.
fn repeated(text: &str, window: usize, typed: &[String]) -> usize {
    let common = |argument: &String| {
        let start = argument.find(&text[..window])?;
        Some(text.chars().zip(argument[start..].chars()).take_while(|(a, b)| a == b).count())
    };
    typed.iter().filter_map(common).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_arguments_are_shortened() {
        let long = "a b,".repeat(1000);
        let message =
            format!("error: \"{long}\" is no list, and the columns are machine, policy and threads");
        let short = cut(&message, std::slice::from_ref(&long));
        assert!(short.chars().count() < MOST + KEPT && short.starts_with("error: \"a b,a b,"), "{short}");
        assert!(
            short.ends_with("…\" is no list, and the columns are machine, policy and threads"),
            "{short}"
        );
        // A part of an argument is shortened like the whole argument.
        assert!(cut(&message, &[format!("a={long}")]).chars().count() < MOST + KEPT);
        // The message is long, but neither typed nor a single word: a list of valid names is not shortened.
        assert_eq!(cut(&message, &[]), message);
    }

    #[test]
    fn long_words_keep_their_punctuation() {
        let digits = "9".repeat(309);
        assert_eq!(
            cut(&format!("at most {digits} times"), &[]),
            format!("at most {}… times", "9".repeat(KEPT))
        );
        assert_eq!(cut("short", &["short".to_owned()]), "short");
        // Closing punctuation stays, whether the word was typed or not.
        for typed in [&[][..], std::slice::from_ref(&digits)] {
            let message = cut(&format!("there is no \"{digits}\", look again"), typed);
            assert!(message.ends_with("9…\", look again"), "{message}");
        }
        assert_eq!(beginning(&digits), format!("{}…", "9".repeat(BEGINNING)));
        assert_eq!(beginning("0-7"), "0-7");
    }
}
