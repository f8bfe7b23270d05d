//! Faults by rows of pages: a row is a range of pages of one region, so that a picture of all rows has a bounded
//! size.

use crate::directory::PageId;
use std::ops::Range;

/// Range of pages of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRow {
    pub region: usize,
    /// Pages of the row, counted from 0 at the start of the region.
    pub pages: Range<u64>,
}

/// Appends the end of a region of `bytes` to `regions`: first pages of all regions, and the end of the last region.
pub(crate) fn add_region(regions: &mut Vec<PageId>, bytes: u64, page_shift: u32) {
    let first = regions.last().copied().unwrap_or(0);
    regions.push(first + (bytes >> page_shift) + 1);
}

/// Rows by which the faults of `nodes` nodes are counted, for regions of `sizes` bytes.
pub fn page_rows(sizes: impl IntoIterator<Item = u64>, page_bytes: u64, nodes: u32) -> Vec<PageRow> {
    let mut regions = vec![0];
    sizes.into_iter().for_each(|bytes| add_region(&mut regions, bytes, page_bytes.trailing_zeros()));
    Rows::new(&regions, nodes).list()
}

/// Limit on the cells (rows times nodes), exceeded only because each region has at least one row.
const CELLS: u64 = 16 * 1024;
/// Most rows; the stricter limit with up to 32 nodes.
const MOST: u64 = 512;

/// Rows of all regions, found by the regions' first pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// First page of each region, number of pages of each of its rows, and number of its first row.
    regions: Vec<(PageId, u64, usize)>,
    end: PageId,
    pub count: usize,
}

impl Rows {
    /// Rows of all regions. `regions`: first page of each region, and as last entry the end of the last region.
    /// Larger regions have more rows.
    pub fn new(regions: &[PageId], nodes: u32) -> Rows {
        let end = regions.last().copied().unwrap_or(0);
        let most = (CELLS / u64::from(nodes.max(1))).min(MOST);
        let mut rows = Rows { end, ..Rows::default() };
        for bounds in regions.windows(2) {
            let pages = bounds[1] - bounds[0];
            let share = (u128::from(pages) * u128::from(most) / u128::from(end.max(1))) as u64;
            let each = pages.div_ceil(share.max(1)).max(1);
            rows.regions.push((bounds[0], each, rows.count));
            rows.count += pages.div_ceil(each) as usize;
        }
        rows
    }

    pub fn of(&self, page: PageId) -> usize {
        let region = self.regions.partition_point(|(first, ..)| *first <= page).saturating_sub(1);
        self.regions.get(region).map_or(0, |(first, each, row)| row + ((page - first) / each) as usize)
    }

    /// Region and pages of each row, in order.
    fn list(&self) -> Vec<PageRow> {
        let ends = self.regions.iter().skip(1).map(|(first, ..)| *first).chain([self.end]);
        let each = self.regions.iter().zip(ends).enumerate();
        each.flat_map(|(region, ((first, each, _), end))| {
            let (pages, each) = (end - first, *each);
            (0..pages.div_ceil(each)).map(move |row| {
                let from = row * each;
                PageRow { region, pages: from..(from + each).min(pages) }
            })
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;
    use proptest::prelude::*;

    proptest! {
        /// Every page is in the row that contains it, and rows are consecutive.
        #[test]
        fn rows_tile_regions(sizes in prop::collection::vec(1_u64..3000, 1..8), nodes in 1_u32..2000) {
            let ends = sizes.iter().scan(0, |sum, size| { *sum += size; Some(*sum) });
            let regions: Vec<u64> = [0].into_iter().chain(ends).collect();
            let rows = Rows::new(&regions, nodes);
            let list = rows.list();
            prop_assert_eq!(list.len(), rows.count);
            let mut page = 0;
            for (number, row) in list.iter().enumerate() {
                prop_assert_eq!(regions[row.region] + row.pages.start, page);
                for _ in row.pages.clone() {
                    prop_assert_eq!(rows.of(page), number);
                    page += 1;
                }
            }
            prop_assert_eq!(page, regions[regions.len() - 1]);
            let few = rows.count as u64 * u64::from(nodes) <= 2 * super::CELLS;
            prop_assert!(few || rows.count <= 2 * sizes.len() || nodes < 8);
        }
    }
}
