//! Compact, readable JSON: outer levels are indented; each object of an inner level, such as a thread or a resource,
//! is on one line. With all levels indented, a run on two thousand threads would be mostly spaces.

use numalab_base::is_printable;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// Deepest indented level. A comparison's runs are at depth 2, their threads at depth 4.
const INDENTED: usize = 4;

/// JSON of one record, with fields in the order of declaration and a newline at the end.
pub fn json(record: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let layout = Layout { pretty: PrettyFormatter::new(), depth: 0 };
    // Serialisation cannot fail: all keys are strings, and the output is memory.
    record.serialize(&mut Serializer::with_formatter(&mut bytes, layout)).expect("records serialise");
    escaped_json(String::from_utf8(bytes).expect("JSON is UTF-8")) + "\n"
}

/// The text of JSON with escapes for characters that JSON allows, but a terminal may obey.
pub fn escaped_json(json: String) -> String {
    let obeyed = |c: char| !c.is_ascii_control() && !is_printable(c) || c == '\u{7f}';
    if !json.contains(obeyed) {
        return json;
    }
    let escape = |c: char| match obeyed(c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    json.chars().map(escape).collect()
}

struct Layout {
    pretty: PrettyFormatter<'static>,
    depth: usize,
}

impl Layout {
    /// Calls the indenting formatter at outer levels, the compact formatter at inner levels.
    fn either<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        indented: impl FnOnce(&mut PrettyFormatter<'static>, &mut W) -> io::Result<()>,
        compact: impl FnOnce(&mut CompactFormatter, &mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.depth <= INDENTED {
            true => indented(&mut self.pretty, writer),
            false => compact(&mut CompactFormatter, writer),
        }
    }
}

macro_rules! at_depth {
    ($($name:ident($($arg:ident: $type:ty)?) enters $enters:expr, leaves $leaves:expr;)*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $arg: $type)?) -> io::Result<()> {
            self.depth += $enters;
            let done = self.either(
                writer,
                |pretty, writer| pretty.$name(writer $(, $arg)?),
                |compact, writer| compact.$name(writer $(, $arg)?),
            );
            self.depth -= $leaves;
            done
        }
    )*};
}

impl Formatter for Layout {
    at_depth! {
        begin_array() enters 1, leaves 0;
        end_array() enters 0, leaves 1;
        begin_array_value(first: bool) enters 0, leaves 0;
        end_array_value() enters 0, leaves 0;
        begin_object() enters 1, leaves 0;
        end_object() enters 0, leaves 1;
        begin_object_key(first: bool) enters 0, leaves 0;
        begin_object_value() enters 0, leaves 0;
        end_object_value() enters 0, leaves 0;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn threads_take_one_line() {
        let record =
            json!({ "runs": [{ "policy": "static", "team": [{ "bytes": [1, 2] }, {}], "empty": [] }] });
        let text = super::json(&record);
        assert!(text.contains("\n        {\"bytes\":[1,2]},\n"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), record);
    }
}
