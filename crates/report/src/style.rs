//! Style of text output: width, characters, colours.

use numalab_base::printable;

/// Properties of the terminal or file that a text is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Width in columns; smaller widths than [`Style::NARROWEST`] count as `NARROWEST`.
    pub width: usize,
    /// True for ANSI colours.
    pub colour: bool,
    /// True for characters beyond ASCII.
    pub unicode: bool,
    pub bars: Bars,
    /// Hint on where to find rows that a view omits, as a part of a sentence; empty without a hint.
    pub elsewhere: &'static str,
}

/// Choice of the policies for which one bar per thread is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bars {
    /// All policies if there are at most three; otherwise the best and the worst.
    #[default]
    Few,
    All,
    None,
}

impl Default for Style {
    fn default() -> Style {
        Style { width: 80, colour: false, unicode: true, bars: Bars::Few, elsewhere: "" }
    }
}

/// Colours of texts: distinct for common colour blindnesses, and legible on light and dark backgrounds.
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
    /// Smallest width in columns.
    pub const NARROWEST: usize = 50;

    pub(crate) fn columns(&self) -> usize {
        self.width.max(Style::NARROWEST)
    }

    /// Returns `unicode` if characters beyond ASCII are allowed, else `ascii`.
    pub(crate) fn pick<T>(&self, unicode: T, ascii: T) -> T {
        if self.unicode { unicode } else { ascii }
    }

    /// Replaces control characters, which files of other users may contain, and characters that the terminal cannot
    /// show.
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

    /// Encloses a text in the escape sequences of a colour, if colours are allowed.
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
