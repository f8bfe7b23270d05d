//! Parses the part of a kernel's output that the rounds need. Readers of the file parse the rest.

use serde_json::Value;

/// Line of a kernel's output, as far as the rounds need it.
#[derive(Debug, PartialEq)]
pub(super) enum Record {
    /// Samples of the measurement.
    Measurement(Vec<f64>),
    /// Measurement that is impossible on this machine, with the reason.
    Skipped(String),
    /// Any other line.
    Other,
}

/// Parses all lines; the error describes the fault of the first bad line. A text that ends within a line, or that has
/// neither a measurement nor a skipped one, is an error, too.
pub(super) fn read(text: &str) -> Result<Vec<Record>, String> {
    let records: Vec<Record> = text.lines().map(line).collect::<Result<_, _>>()?;
    if !text.ends_with('\n') || !records.iter().any(|record| *record != Record::Other) {
        return Err("printed no whole record".to_owned());
    }
    Ok(records)
}

fn line(text: &str) -> Result<Record, String> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("printed what is no JSON: {error}"))?;
    Ok(match value["record"].as_str() {
        Some("measurement") => {
            let values: Option<Vec<f64>> =
                value["values"].as_array().and_then(|values| values.iter().map(Value::as_f64).collect());
            let values = values.filter(|values| !values.is_empty());
            Record::Measurement(values.ok_or("printed a measurement without finite values")?)
        }
        Some("skipped") => Record::Skipped(value["reason"].as_str().unwrap_or("no reason given").to_owned()),
        _ => Record::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_counts() {
        let text = "{\"record\":\"measurement\",\"values\":[1,2.5]}\n{\"record\":\"note\"}\n";
        assert_eq!(read(text), Ok(vec![Record::Measurement(vec![1.0, 2.5]), Record::Other]));
        let text = "{\"record\":\"skipped\",\"reason\":\"needs 2 nodes\"}\n";
        assert_eq!(read(text), Ok(vec![Record::Skipped("needs 2 nodes".to_owned())]));
    }

    #[test]
    fn refuses_what_no_reader_could_use() {
        for (text, reason) in [
            ("", "no whole record"),
            ("{\"record\":\"measurement\",\"values\":[1]}", "no whole record"),
            ("{\"record\":\"note\"}\n", "no whole record"),
            ("{\"record\":\"measurement\",\"values\":[1,null]}\n", "without finite values"),
            ("{\"record\":\"measurement\",\"values\":[]}\n", "without finite values"),
            ("Segmentation\n", "no JSON"),
        ] {
            assert!(read(text).unwrap_err().contains(reason), "{text}");
        }
    }
}
