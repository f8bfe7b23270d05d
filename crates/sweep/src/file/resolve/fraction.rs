//! Parses fractions such as `5 %` or `0.05`.

use super::Resolver;
use numalab_files::sweep_file::Word;
use numalab_syntax::tree::shorten;

impl Resolver<'_, '_> {
    /// Fraction in a word; 0 if the word is missing.
    pub(super) fn fraction(&mut self, path: &str, word: Option<&Word>) -> f64 {
        let Some(Word(text)) = word else { return 0.0 };
        match read(text) {
            Some(fraction) => fraction,
            None => {
                let message = format!("\"{}\" is no fraction", shorten(text));
                self.report.at(path, message, "expected for example 5 % or 0.05");
                0.0
            }
        }
    }
}

/// Parses a number from 0 to 1, or a percentage. A number above 1 is rejected, since it most likely lacks its `%`.
fn read(text: &str) -> Option<f64> {
    let (number, most, of) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim_end(), 1e6, 100.0),
        None => (text.trim(), 1.0, 1.0),
    };
    if !number.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value = number.parse::<f64>().ok().filter(|value| *value == 0.0 || (1e-13..=most).contains(value))?;
    Some(value / of)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn percents_and_fractions() {
        for (text, value) in [
            ("5 %", 0.05),
            ("5%", 0.05),
            ("0.05", 0.05),
            (" 12.5 % ", 0.125),
            ("0", 0.0),
            ("250 %", 2.5),
            ("1", 1.0),
        ] {
            assert_eq!(read(text), Some(value), "{text}");
        }
        for text in ["", "%", "5", "-1 %", "5 % %", "nan", "inf %", "1e300 %", "five", "+5 %"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
