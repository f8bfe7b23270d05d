//! Decodes the pages of a column.

use super::kind::Kind;
use super::runs::numbers;
use super::{Problem, broken};
use ::parquet::basic::Encoding;
use ::parquet::column::page::{Page, PageReader};
use numalab_results::Cell;

/// Reads the `count` cells of a column; nulls become empty cells.
pub fn read(
    mut pages: Box<dyn PageReader>,
    kind: Kind,
    optional: bool,
    count: usize,
) -> Result<Vec<Cell>, Problem> {
    let mut column = Column { kind, optional, dictionary: None, cells: Vec::new() };
    while column.cells.len() < count {
        let page = pages.get_next_page()?.ok_or_else(|| broken("a column is shorter than the others"))?;
        let left = count - column.cells.len();
        if !matches!(page, Page::DictionaryPage { .. }) && page.num_values() as usize > left {
            return Err(broken("a column is longer than the others"));
        }
        column.take(&page)?;
    }
    Ok(column.cells)
}

struct Column {
    kind: Kind,
    optional: bool,
    dictionary: Option<Vec<Cell>>,
    cells: Vec<Cell>,
}

impl Column {
    fn take(&mut self, page: &Page) -> Result<(), Problem> {
        let short = || broken("a page is shorter than it says");
        match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                self.dictionary = Some(self.kind.plain(buf, *num_values as usize).ok_or_else(short)?);
                Ok(())
            }
            Page::DataPage { buf, num_values, encoding, def_level_encoding, .. } => {
                let all = *num_values as usize;
                if !self.optional {
                    return self.fill(vec![1; all], buf, *encoding);
                }
                if *def_level_encoding != Encoding::RLE {
                    return Err(unknown(*def_level_encoding));
                }
                let (length, rest) = buf.split_first_chunk::<4>().ok_or_else(short)?;
                let parts = rest.split_at_checked(u32::from_le_bytes(*length) as usize);
                let (levels, values) = parts.ok_or_else(short)?;
                self.fill(numbers(levels, 1, all).ok_or_else(short)?, values, *encoding)
            }
            Page::DataPageV2 {
                buf, num_values, encoding, def_levels_byte_len, rep_levels_byte_len, ..
            } => {
                let all = *num_values as usize;
                let rest = buf.get(*rep_levels_byte_len as usize..).ok_or_else(short)?;
                let (levels, values) =
                    rest.split_at_checked(*def_levels_byte_len as usize).ok_or_else(short)?;
                let levels = if self.optional { numbers(levels, 1, all) } else { Some(vec![1; all]) };
                self.fill(levels.ok_or_else(short)?, values, *encoding)
            }
        }
    }

    /// Appends one cell per definition level: the next value at level 1, an empty cell at level 0.
    fn fill(&mut self, levels: Vec<u32>, data: &[u8], encoding: Encoding) -> Result<(), Problem> {
        let count = levels.iter().filter(|level| **level > 0).count();
        let mut values = self.values(data, count, encoding)?.into_iter();
        let cell = |level: u32| if level > 0 { values.next().unwrap_or_default() } else { Cell::Empty };
        self.cells.extend(levels.into_iter().map(cell));
        Ok(())
    }

    fn values(&self, data: &[u8], count: usize, encoding: Encoding) -> Result<Vec<Cell>, Problem> {
        let short = || broken("a page is shorter than it says");
        match encoding {
            Encoding::PLAIN => self.kind.plain(data, count).ok_or_else(short),
            Encoding::RLE if self.kind == Kind::Bool => {
                let bits = data.get(4..).and_then(|bits| numbers(bits, 1, count)).ok_or_else(short)?;
                Ok(bits.iter().map(|bit| Cell::Text((*bit == 1).to_string())).collect())
            }
            _ if !is_dictionary(encoding) => Err(unknown(encoding)),
            _ if count == 0 => Ok(Vec::new()),
            _ => {
                let dictionary = self.dictionary.as_ref().ok_or_else(|| broken("a dictionary is missing"))?;
                let (width, indices) = data.split_first().ok_or_else(short)?;
                let indices = numbers(indices, u32::from(*width), count).ok_or_else(short)?;
                let value = |index: &u32| dictionary.get(*index as usize).cloned();
                let values: Option<Vec<Cell>> = indices.iter().map(value).collect();
                values.ok_or_else(|| broken("a value is not in its dictionary"))
            }
        }
    }
}

/// Older writers use the deprecated name `PLAIN_DICTIONARY`.
#[allow(deprecated)]
fn is_dictionary(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}

fn unknown(encoding: Encoding) -> Problem {
    Problem::new(
        format!("a column is encoded as {encoding}"),
        "expected PLAIN or RLE_DICTIONARY, which pandas and polars write",
    )
}
