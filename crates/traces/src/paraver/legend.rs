//! Names of the types of events and of their values.

use std::collections::BTreeMap;

/// Names from a `.pcf` file.
#[derive(Debug, Default)]
pub struct Legend {
    /// Names of types of events.
    pub types: BTreeMap<u64, String>,
    /// Names of values, by type and value.
    pub values: BTreeMap<(u64, u64), String>,
}

/// Reads the types and values of a legend; lines of other sections are ignored.
pub fn read(text: &str) -> Legend {
    let mut legend = Legend::default();
    let mut kinds: Vec<u64> = Vec::new();
    let mut values = false;
    for line in text.lines() {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "EVENT_TYPE" => {
                kinds.clear();
                values = false;
            }
            "VALUES" => values = true,
            "" => values = values && !line.is_empty(),
            _ if values => {
                let Ok(value) = word.parse() else { continue };
                for kind in &kinds {
                    legend.values.insert((*kind, value), rest.trim().to_owned());
                }
            }
            _ => {
                // A line holds a colour, a type and its name.
                let (kind, name) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
                if let (Ok(_), Ok(kind)) = (word.parse::<u64>(), kind.parse()) {
                    kinds.push(kind);
                    legend.types.insert(kind, name.trim().to_owned());
                }
            }
        }
    }
    legend
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_share_values_all_have_them() {
        let text = "STATES\n0    Idle\n1    Running\n\nEVENT_TYPE\n0    60000018    Function\n0    60000023    Task\nVALUES\n\
                    0      End\n7      solve (lb.c)\n\nEVENT_TYPE\n9    5    Other\n";
        let legend = read(text);
        assert_eq!(legend.types[&60_000_018], "Function");
        assert_eq!(legend.types[&5], "Other");
        assert_eq!(legend.values[&(60_000_018, 7)], "solve (lb.c)");
        assert_eq!(legend.values[&(60_000_023, 0)], "End");
        assert_eq!(legend.values.len(), 4);
    }
}
