//! Properties of the output streams: width, colour, character set.

use crate::output::Destination;
use numalab_report::{Bars, Style};
use std::env;
use std::io::IsTerminal;

/// Width in columns if neither the terminal nor `COLUMNS` gives one.
const DEFAULT_WIDTH: usize = 100;

/// Style of the text output to a destination.
pub fn style(destination: &Destination, bars: Bars) -> Style {
    if *destination != Destination::Stdout {
        // Text in a file must not depend on the terminal in which the command runs.
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

/// True if messages on standard error may have colours.
pub fn colour_on_stderr() -> bool {
    colour(std::io::stderr().is_terminal())
}

fn width(columns: Option<&str>, terminal: Option<u16>) -> usize {
    let columns = columns.and_then(|text| text.trim().parse::<usize>().ok()).filter(|width| *width > 0);
    // The terminal's own width is more recent than an exported variable.
    terminal.map(usize::from).filter(|width| *width > 0).or(columns).unwrap_or(DEFAULT_WIDTH).clamp(20, 1000)
}

fn colour(terminal: bool) -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced = env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0");
    let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
    !set("NO_COLOR") && (forced || terminal && !dumb)
}

/// True unless the locale names an encoding other than UTF-8.
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
