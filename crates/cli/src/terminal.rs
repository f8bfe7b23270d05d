//! Abilities of the two output streams: width, colour, characters.

use crate::output::Destination;
use numalab_report::{Bars, Style};
use std::env;
use std::io::IsTerminal;

/// Columns where nothing says otherwise.
const DEFAULT_WIDTH: usize = 100;

/// Style in which to draw a text that goes there.
pub fn style(destination: &Destination, bars: Bars) -> Style {
    if *destination != Destination::Stdout {
        // The same bytes wherever the command was typed.
        return Style { width: DEFAULT_WIDTH, colour: false, unicode: true, bars, elsewhere: "" };
    }
    let terminal = std::io::stdout().is_terminal();
    let real = terminal.then(terminal_size::terminal_size).flatten();
    Style {
        width: width(env::var("COLUMNS").ok().as_deref(), real.map(|(width, _)| width.0)),
        colour: colour(terminal),
        unicode: !terminal || unicode(),
        bars,
        elsewhere: "",
    }
}

/// Whether messages may be coloured.
pub fn colour_on_stderr() -> bool {
    colour(std::io::stderr().is_terminal())
}

fn width(columns: Option<&str>, terminal: Option<u16>) -> usize {
    let columns = columns.and_then(|text| text.trim().parse::<usize>().ok()).filter(|width| *width > 0);
    // A terminal knows better than a variable that was exported before its window changed.
    terminal.map(usize::from).filter(|width| *width > 0).or(columns).unwrap_or(DEFAULT_WIDTH).clamp(20, 1000)
}

fn colour(terminal: bool) -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced = env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
    let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
    !set("NO_COLOR") && (forced || terminal && !dumb)
}

/// Only a locale that names another encoding says that a terminal cannot show it.
fn unicode() -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
        .is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8") || !locale.contains('.') && locale != "c"
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_comes_from_the_terminal_then_the_variable_then_the_default() {
        assert_eq!(width(Some("70"), Some(120)), 120);
        assert_eq!(width(Some("70"), None), 70);
        assert_eq!(width(Some("wide"), None), DEFAULT_WIDTH);
        assert_eq!(width(Some("0"), Some(0)), DEFAULT_WIDTH);
        assert_eq!(width(Some("3"), None), 20);
    }
}
