//! Style of texts: width, characters, colours.

/// Abilities of the terminal (or file) at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns. Less than [`Style::NARROWEST`] counts as that.
    pub width: usize,
    /// ANSI colours.
    pub colour: bool,
    /// Characters beyond ASCII.
    pub unicode: bool,
    /// Policies that get bars.
    pub bars: Bars,
    /// Place of what a view leaves out, in the words of whoever shows it; nothing if empty.
    pub elsewhere: &'static str,
}

/// Policies that get a bar per thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bars {
    /// All of up to three policies; of more, the best and the worst.
    #[default]
    Few,
    /// Every policy.
    All,
    /// None.
    None,
}

impl Default for Style {
    fn default() -> Style {
        Style { width: 80, colour: false, unicode: true, bars: Bars::Few, elsewhere: "" }
    }
}

/// The colours in use. Told apart by people with any of the usual colour blindnesses, and legible on
/// light and dark backgrounds alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Bold,
    Blue,
    Orange,
    Red,
    Purple,
    Green,
    Grey,
}

impl Style {
    /// Below this nothing useful fits.
    pub const NARROWEST: usize = 50;

    pub(crate) fn columns(&self) -> usize {
        self.width.max(Style::NARROWEST)
    }

    /// One of two texts, by whether characters beyond ASCII are allowed.
    pub(crate) fn pick<T>(&self, unicode: T, ascii: T) -> T {
        if self.unicode { unicode } else { ascii }
    }

    /// The text as it may reach the terminal: without control characters, which names in files of others may hold,
    /// and without signs that it cannot show.
    pub(crate) fn plain(&self, text: &str) -> String {
        const SIGNS: [(&str, &str); 8] = [
            (" · ", ", "),
            ("◀", "<"),
            ("×", "x"),
            ("≤ ", ""),
            ("±", "+-"),
            ("✓", "ok"),
            ("✗", "OFF"),
            ("…", "..."),
        ];
        let text = printable(text);
        match self.unicode {
            true => text,
            false => SIGNS.iter().fold(text, |text, (sign, ascii)| text.replace(sign, ascii)),
        }
    }

    /// The text in a colour, where colours are allowed.
    pub(crate) fn paint(&self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Plain => return text.to_owned(),
            Ink::Bold => "1",
            Ink::Blue => "38;5;32",
            Ink::Orange => "38;5;178",
            Ink::Red => "38;5;166",
            Ink::Purple => "38;5;133",
            Ink::Green => "38;5;35",
            Ink::Grey => "38;5;244",
        };
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The text with each control character replaced.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
