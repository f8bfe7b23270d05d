//! Decodes the pages of a column.

use super::kind::Kind;
use super::runs::numbers;
use super::{Problem, broken, codec};
use ::parquet::basic::{CompressionCodec, Encoding};
use ::parquet::column::page::{Page, PageReader};
use ::parquet::file::metadata::ColumnChunkMetaData;
use numalab_results::Cell;

/// Largest uncompressed size of a page in bytes; pandas and polars write pages of about 1 MiB.
const MOST_PAGE: usize = 1 << 26;
/// Number of values that a dictionary of any column may have. More than the column has cells are not needed.
const FEW_VALUES: usize = 1 << 16;

pub struct Column {
    kind: Kind,
    optional: bool,
    codec: CompressionCodec,
    /// Uncompressed bytes that are left for pages, by the metadata.
    left: usize,
    dictionary: Option<Vec<Cell>>,
    cells: Vec<Cell>,
}

impl Column {
    /// A column without cells, of a chunk whose size and codec are checked; `optional` if cells may be empty.
    pub fn new(kind: Kind, optional: bool, chunk: &ColumnChunkMetaData) -> Column {
        let left = usize::try_from(chunk.uncompressed_size()).unwrap_or(0);
        let codec = chunk.compression_codec();
        Column { kind, optional, codec, left, dictionary: None, cells: Vec::new() }
    }

    /// Reads the `count` cells of the column from compressed pages; nulls become empty cells. `texts` is the number of
    /// bytes that are left for the texts of all cells.
    pub fn read(
        mut self,
        mut pages: impl PageReader,
        count: usize,
        texts: &mut usize,
    ) -> Result<Vec<Cell>, Problem> {
        while self.cells.len() < count {
            let page = pages.get_next_page()?.ok_or_else(|| broken("a column is shorter than the others"))?;
            let most = match page {
                Page::DictionaryPage { .. } => count.max(FEW_VALUES),
                Page::DataPage { .. } | Page::DataPageV2 { .. } => count - self.cells.len(),
            };
            if page.num_values() as usize > most {
                return Err(broken("a column is longer than the others"));
            }
            self.take(&page, texts)?;
        }
        Ok(self.cells)
    }

    /// Decompresses a page, or the part of a page behind its levels.
    fn plain(&mut self, packed: &[u8]) -> Result<Vec<u8>, Problem> {
        let plain = codec::plain(self.codec, packed, self.left.min(MOST_PAGE))?;
        self.left -= plain.len();
        Ok(plain)
    }

    fn take(&mut self, page: &Page, texts: &mut usize) -> Result<(), Problem> {
        let short = || broken("a page is shorter than it says");
        match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                let plain = self.plain(buf)?;
                self.dictionary = Some(self.kind.plain(&plain, *num_values as usize).ok_or_else(short)?);
                Ok(())
            }
            Page::DataPage { buf, num_values, encoding, def_level_encoding, .. } => {
                let all = *num_values as usize;
                let plain = self.plain(buf)?;
                if !self.optional {
                    return self.fill(vec![1; all], &plain, *encoding, texts);
                }
                if *def_level_encoding != Encoding::RLE {
                    return Err(unknown(*def_level_encoding));
                }
                let (length, rest) = plain.split_first_chunk::<4>().ok_or_else(short)?;
                let parts = rest.split_at_checked(u32::from_le_bytes(*length) as usize);
                let (levels, values) = parts.ok_or_else(short)?;
                self.fill(numbers(levels, 1, all).ok_or_else(short)?, values, *encoding, texts)
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                ..
            } => {
                let all = *num_values as usize;
                let rest = buf.get(*rep_levels_byte_len as usize..).ok_or_else(short)?;
                let (levels, values) =
                    rest.split_at_checked(*def_levels_byte_len as usize).ok_or_else(short)?;
                let levels = if self.optional { numbers(levels, 1, all) } else { Some(vec![1; all]) };
                let levels = levels.ok_or_else(short)?;
                match is_compressed {
                    true => self.plain(values).and_then(|plain| self.fill(levels, &plain, *encoding, texts)),
                    false => self.fill(levels, values, *encoding, texts),
                }
            }
        }
    }

    /// Appends one cell per definition level: the next value at level 1, an empty cell at level 0.
    fn fill(
        &mut self,
        levels: Vec<u32>,
        data: &[u8],
        encoding: Encoding,
        texts: &mut usize,
    ) -> Result<(), Problem> {
        let count = levels.iter().filter(|level| **level > 0).count();
        let mut values = self.values(data, count, encoding, texts)?.into_iter();
        let cell = |level: u32| if level > 0 { values.next().unwrap_or_default() } else { Cell::Empty };
        self.cells.extend(levels.into_iter().map(cell));
        Ok(())
    }

    fn values(
        &self,
        data: &[u8],
        count: usize,
        encoding: Encoding,
        texts: &mut usize,
    ) -> Result<Vec<Cell>, Problem> {
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
                let values = indices.iter().map(|index| dictionary.get(*index as usize));
                let values: Option<Vec<&Cell>> = values.collect();
                let values = values.ok_or_else(|| broken("a value is not in its dictionary"))?;
                // Few bytes of indices repeat a text of any length.
                let length = |value: &&Cell| if let Cell::Text(text) = value { text.len() } else { 0 };
                *texts = texts.checked_sub(values.iter().map(length).sum()).ok_or_else(|| {
                    Problem::new("its texts are too long in all", "keep fewer rows or shorter texts in it")
                })?;
                Ok(values.into_iter().cloned().collect())
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
