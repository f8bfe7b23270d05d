//! Columns of integers, stored as differences in variable-length encoding.

#[derive(Clone, Debug, Default)]
pub struct ColumnWriter {
    bytes: Vec<u8>,
}

impl ColumnWriter {
    /// Writer that appends to `bytes`, the output of an earlier writer.
    pub fn of(bytes: &[u8]) -> ColumnWriter {
        ColumnWriter { bytes: bytes.to_vec() }
    }

    /// Writes an integer: 7 bits per byte, lowest first.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Writes the difference of `value` from `before`. Small differences of either sign take few bytes (zigzag
    /// encoding).
    pub fn difference(&mut self, value: u64, before: u64) {
        let difference = value.wrapping_sub(before) as i64;
        self.number(((difference << 1) ^ (difference >> 63)) as u64);
    }

    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Writes the number of bytes, then the bytes.
    pub fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes bytes without a length.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes a column: each number as the difference from the one before.
    pub fn column(&mut self, values: impl IntoIterator<Item = u64>) {
        let mut before = 0;
        for value in values {
            self.difference(value, before);
            before = value;
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reader of columns. Methods that read a value return `None` at the end of the bytes.
#[derive(Clone, Debug)]
pub struct ColumnReader<'b> {
    bytes: &'b [u8],
}

impl<'b> ColumnReader<'b> {
    pub fn new(bytes: &'b [u8]) -> ColumnReader<'b> {
        ColumnReader { bytes }
    }

    /// Reads an integer of variable length.
    pub fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a number that was written as the difference from `before`.
    pub fn difference(&mut self, before: u64) -> Option<u64> {
        let coded = self.number()?;
        Some(before.wrapping_add((coded >> 1) ^ (coded & 1).wrapping_neg()))
    }

    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// Reads a number of bytes, then as many bytes.
    pub fn text(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(text)
    }

    /// Reads a column of `count` numbers. Each number takes at least a byte, so a wrong count allocates nothing.
    pub fn column(&mut self, count: usize) -> Option<Vec<u64>> {
        if count > self.bytes.len() {
            return None;
        }
        let mut before = 0;
        (0..count)
            .map(|_| {
                before = self.difference(before)?;
                Some(before)
            })
            .collect()
    }

    /// Bytes that have not been read.
    pub fn rest(&self) -> &'b [u8] {
        self.bytes
    }

    pub fn left(&self) -> usize {
        self.bytes.len()
    }
}
