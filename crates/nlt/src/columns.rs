//! Numbers in columns: differences in as few bytes as they need.

/// Bytes that columns are written into.
#[derive(Clone, Debug, Default)]
pub struct ColumnWriter {
    bytes: Vec<u8>,
}

impl ColumnWriter {
    /// Columns that were written before, to which more may be added.
    pub fn of(bytes: &[u8]) -> ColumnWriter {
        ColumnWriter { bytes: bytes.to_vec() }
    }

    /// A number; 7 bits in a byte, the lowest first.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A difference, small ones in few bytes whatever their sign.
    pub fn difference(&mut self, value: u64, before: u64) {
        let difference = value.wrapping_sub(before) as i64;
        self.number(((difference << 1) ^ (difference >> 63)) as u64);
    }

    /// A byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Bytes after their number.
    pub fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A column: each number as the difference to the one before.
    pub fn column(&mut self, values: impl IntoIterator<Item = u64>) {
        let mut before = 0;
        for value in values {
            self.difference(value, before);
            before = value;
        }
    }

    /// The bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All bytes.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Bytes that columns are read from. Every method is `None` at their end.
#[derive(Clone, Debug)]
pub struct ColumnReader<'b> {
    bytes: &'b [u8],
}

impl<'b> ColumnReader<'b> {
    /// From the start of these.
    pub fn new(bytes: &'b [u8]) -> ColumnReader<'b> {
        ColumnReader { bytes }
    }

    /// A number.
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

    /// A number whose difference to another was written.
    pub fn difference(&mut self, before: u64) -> Option<u64> {
        let coded = self.number()?;
        Some(before.wrapping_add((coded >> 1) ^ (coded & 1).wrapping_neg()))
    }

    /// A byte.
    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// Bytes after their number.
    pub fn text(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(text)
    }

    /// A column of so many numbers. Each takes a byte at least, so that a wrong number of them costs nothing.
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

    /// All that is left.
    pub fn rest(&self) -> &'b [u8] {
        self.bytes
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }
}
