//! CSV whose columns are known only when it is written, quoted as RFC 4180 has it.

/// The rows, all of one length, as text.
pub(crate) fn written(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).expect("rows of one length into memory");
    }
    let bytes = writer.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("written from strings")
}
