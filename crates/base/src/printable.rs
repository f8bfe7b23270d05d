//! Names and other texts from input, made safe for output.

/// Replaces by `?` what could control the program that shows the text: control characters and line separators, marks
/// that reorder text, characters that XML does not allow, and the start of a command to a CI runner (`::` before a
/// word, or `##[`). The result has one line and as many characters as the text.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let word =
            rest.strip_prefix("::").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        let command = rest.starts_with("##[") || word && !shown.ends_with(char::is_alphanumeric);
        shown.push(if command || !is_printable(c) { '?' } else { c });
    }
    shown
}

/// Like [`printable`], but line ends stay, for messages of several lines.
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// True for characters that change neither the terminal nor the place of other characters, and that XML 1.0 allows.
pub fn is_printable(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn a_printable_text_has_one_line_and_commands_nothing() {
        for (text, shown) in [
            ("loadbal", "loadbal"),
            ("a\nb\r\tc\u{1b}[1m\u{9b}1m\u{7f}", "a?b??c?[1m?1m?"),
            ("a\u{2028}b\u{202e}c\u{2066}\u{fffe}", "a?b?c??"),
            ("::error file=a::b", "?:error file=a::b"),
            ("a ::add-mask::e", "a ?:add-mask::e"),
            ("a:::error", "a:?:error"),
            ("##[error]", "?#[error]"),
            ("std::sort :: x", "std::sort :: x"),
            ("Größe × 2 · 🦀", "Größe × 2 · 🦀"),
        ] {
            assert_eq!(printable(text), shown);
        }
        assert_eq!(super::printable_lines("a\r\n::error::b\n"), "a?\n?:error::b\n");
    }
}
