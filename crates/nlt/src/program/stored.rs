//! Encoding of numbers, words and lists.

use crate::columns::{ColumnReader, ColumnWriter};
use numalab_base::Bytes;
use std::sync::Arc;

/// A value that can be encoded and decoded.
pub(super) trait Stored: Sized {
    fn put(&self, to: &mut ColumnWriter);
    /// Decodes a value; `None` if the bytes are invalid.
    fn get(from: &mut ColumnReader<'_>) -> Option<Self>;
}

/// Declares the encoding of a struct, field by field. Fields after `elsewhere` are stored
/// separately and get their default here.
macro_rules! stored {
    ($name:ident { $($field:ident),* $(,)? } $(elsewhere { $($later:ident),* })?) => {
        impl Stored for $name {
            fn put(&self, to: &mut ColumnWriter) {
                let $name { $($field,)* $($($later: _),*)? } = self;
                $($field.put(to);)*
            }

            fn get(from: &mut ColumnReader<'_>) -> Option<Self> {
                Some($name { $($field: Stored::get(from)?,)* $($($later: Default::default()),*)? })
            }
        }
    };
}

/// Declares types that are stored as the text that users write.
macro_rules! stored_as_text {
    ($($name:ty),*) => {$(
        impl Stored for $name {
            fn put(&self, to: &mut ColumnWriter) {
                to.text(self.to_string().as_bytes());
            }

            fn get(from: &mut ColumnReader<'_>) -> Option<Self> {
                std::str::from_utf8(from.text()?).ok()?.parse().ok()
            }
        }
    )*};
}

pub(super) use {stored, stored_as_text};

impl Stored for u64 {
    fn put(&self, to: &mut ColumnWriter) {
        to.number(*self);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<u64> {
        from.number()
    }
}

impl Stored for u32 {
    fn put(&self, to: &mut ColumnWriter) {
        to.number(u64::from(*self));
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<u32> {
        from.number()?.try_into().ok()
    }
}

impl Stored for bool {
    fn put(&self, to: &mut ColumnWriter) {
        to.byte(u8::from(*self));
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<bool> {
        match from.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Stored for f64 {
    fn put(&self, to: &mut ColumnWriter) {
        // Most numbers are small integers, whose set bits are all at the upper end.
        to.number(self.to_bits().reverse_bits());
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<f64> {
        Some(f64::from_bits(from.number()?.reverse_bits()))
    }
}

impl Stored for String {
    fn put(&self, to: &mut ColumnWriter) {
        to.text(self.as_bytes());
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<String> {
        String::from_utf8(from.text()?.to_vec()).ok()
    }
}

impl Stored for Bytes {
    fn put(&self, to: &mut ColumnWriter) {
        self.0.put(to);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Bytes> {
        u64::get(from).map(Bytes)
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, to: &mut ColumnWriter) {
        self.is_some().put(to);
        if let Some(value) = self {
            value.put(to);
        }
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Option<T>> {
        Some(if bool::get(from)? { Some(T::get(from)?) } else { None })
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn put(&self, to: &mut ColumnWriter) {
        self.0.put(to);
        self.1.put(to);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<(A, B)> {
        Some((A::get(from)?, B::get(from)?))
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, to: &mut ColumnWriter) {
        to.number(self.len() as u64);
        self.iter().for_each(|value| value.put(to));
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Vec<T>> {
        // Each takes at least a byte.
        let count = usize::try_from(from.number()?).ok().filter(|count| *count <= from.left())?;
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(T::get(from)?);
        }
        Some(values)
    }
}

/// A list of numbers, each as the difference from the one before.
fn put_column(values: impl ExactSizeIterator<Item = u64>, to: &mut ColumnWriter) {
    to.number(values.len() as u64);
    to.column(values);
}

fn get_column(from: &mut ColumnReader<'_>) -> Option<Vec<u64>> {
    let count = usize::try_from(from.number()?).ok()?;
    from.column(count)
}

impl Stored for Arc<[u64]> {
    fn put(&self, to: &mut ColumnWriter) {
        put_column(self.iter().copied(), to);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Arc<[u64]>> {
        get_column(from).map(Arc::from)
    }
}

impl Stored for Arc<[u32]> {
    fn put(&self, to: &mut ColumnWriter) {
        put_column(self.iter().map(|value| u64::from(*value)), to);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Arc<[u32]>> {
        get_column(from)?.into_iter().map(|value| u32::try_from(value).ok()).collect()
    }
}

impl Stored for Arc<[f64]> {
    fn put(&self, to: &mut ColumnWriter) {
        put_column(self.iter().map(|value| value.to_bits()), to);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Arc<[f64]>> {
        get_column(from).map(|bits| bits.into_iter().map(f64::from_bits).collect())
    }
}

impl Stored for Arc<[(u64, u64)]> {
    fn put(&self, to: &mut ColumnWriter) {
        put_column(self.iter().map(|pair| pair.0), to);
        // Difference within each pair, often the same for all pairs.
        to.column(self.iter().map(|pair| pair.1.wrapping_sub(pair.0)));
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Arc<[(u64, u64)]>> {
        let first = get_column(from)?;
        let second = from.column(first.len())?;
        Some(first.into_iter().zip(second).map(|(first, more)| (first, first.wrapping_add(more))).collect())
    }
}
