use super::{Cursor, Form, Interval, Item, PlaceKind, TextError};

/// Parses a whole place list.
pub(super) fn list(text: &str) -> Result<Form, TextError> {
    let mut cursor = Cursor::new(text);
    match cursor.peek() {
        Some(letter) if letter.is_ascii_alphabetic() => abstract_name(text, &mut cursor),
        Some(_) => explicit(text, &mut cursor),
        None => Err(cursor.unexpected("a name such as \"cores\", or places such as \"{0:4}:4:4\"")),
    }
}

/// `word`, `word(count)`, `word(count:stride)`.
fn abstract_name(text: &str, cursor: &mut Cursor) -> Result<Form, TextError> {
    let word = cursor.word();
    let kind = PlaceKind::named(&text[word.clone()])
        .ok_or_else(|| TextError::unknown(text, word, &PlaceKind::NAMES))?;
    let (mut count, mut stride) = (None, 1);
    if cursor.take(b'(') {
        count = Some(cursor.positive("the number of places")?);
        if cursor.take(b':') {
            stride = cursor.positive("the stride between places")?;
        }
        cursor.expect(b')', "\")\"")?;
        cursor.end("nothing after \")\"")?;
    }
    cursor.end("\"(\" and the number of places, or nothing more")?;
    Ok(Form::Abstract { kind, count, stride })
}

/// Places separated by commas.
fn explicit(text: &str, cursor: &mut Cursor) -> Result<Form, TextError> {
    let mut items = vec![item(text, cursor)?];
    while cursor.take(b',') {
        items.push(item(text, cursor)?);
    }
    cursor.end("\",\" or the end")?;
    Ok(Form::Explicit(items))
}

/// `place`, `place:copies`, `place:copies:stride` or `!place`.
fn item(text: &str, cursor: &mut Cursor) -> Result<Item, TextError> {
    let begin = cursor.begin();
    let excluded = cursor.take(b'!');
    let processors = match cursor.peek() {
        Some(b'{') => processors(cursor)?,
        Some(letter) if letter.is_ascii_alphabetic() => {
            let word = cursor.word();
            return Err(TextError::new(
                text,
                word,
                "an abstract name must be the whole value; a list is of places such as {0:4}",
            ));
        }
        _ => {
            let first = cursor.number("\"{\" or a processor's number")?;
            vec![Interval { span: cursor.since(begin), excluded: false, first, count: 1, stride: 1 }]
        }
    };
    let (copies, stride) = length_and_stride(cursor, excluded, "place")?;
    Ok(Item { span: cursor.since(begin), excluded, processors, copies, stride })
}

/// `{interval,interval,…}`.
fn processors(cursor: &mut Cursor) -> Result<Vec<Interval>, TextError> {
    cursor.expect(b'{', "\"{\"")?;
    let mut intervals = vec![interval(cursor)?];
    while cursor.take(b',') {
        intervals.push(interval(cursor)?);
    }
    cursor.expect(b'}', "\",\" or \"}\"")?;
    Ok(intervals)
}

/// `number`, `number:count`, `number:count:stride` or `!number`.
fn interval(cursor: &mut Cursor) -> Result<Interval, TextError> {
    let begin = cursor.begin();
    let excluded = cursor.take(b'!');
    let first = cursor.number("a processor's number")?;
    let (count, stride) = length_and_stride(cursor, excluded, "processor")?;
    Ok(Interval { span: cursor.since(begin), excluded, first, count, stride })
}

fn length_and_stride(cursor: &mut Cursor, excluded: bool, what: &str) -> Result<(u32, i64), TextError> {
    if cursor.peek() != Some(b':') {
        return Ok((1, 1));
    }
    if excluded {
        return Err(cursor.unexpected(&format!("no length: \"!\" excludes one {what}")));
    }
    cursor.take(b':');
    let count = cursor.positive(&format!("a number of {what}s"))?;
    let stride = if cursor.take(b':') { cursor.signed("a stride")? } else { 1 };
    Ok((count, stride))
}
