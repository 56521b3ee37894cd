//! Rows in both forms: as given, and with captures resolved. Only the rows that differ are held twice.

use super::row::Row;
use super::row_store::{RowPlace, RowStore};
use crate::error::DataError;

/// The rows of a set in one of their forms.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    given: &'a [Row],
    /// Those that stand in place of rows as given.
    changed: Option<&'a ChangedRows>,
}

impl<'a> Samples<'a> {
    /// Rows with captures resolved.
    pub(crate) fn resolved(given: &'a [Row], changed: &'a ChangedRows) -> Self {
        Self { given, changed: Some(changed) }
    }

    /// A row by its index.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(self, index: u32) -> &'a Row {
        match self.changed.and_then(|changed| changed.get(index)) {
            Some(end) => end,
            None => &self.given[index as usize],
        }
    }

    #[cfg(test)]
    pub(crate) fn to_vec(self) -> Vec<Row> {
        (0..self.given.len() as u32).map(|index| *self.row(index)).collect()
    }
}

/// Rows that are in no other form.
impl<'a, T: AsRef<[Row]> + ?Sized> From<&'a T> for Samples<'a> {
    fn from(rows: &'a T) -> Self {
        Self { given: rows.as_ref(), changed: None }
    }
}

/// The rows of a set that resolving captures changes, found by their indices in the set.
#[derive(PartialEq, Debug, Default)]
pub struct ChangedRows {
    /// A bit for each row up to the last one that is changed.
    is_changed: Vec<u64>,
    /// The number of changed rows before each word of bits.
    before: Vec<u32>,
    rows: RowStore,
}

impl ChangedRows {
    /// # Errors
    /// The folder cannot be written to.
    pub(crate) fn new(place: &RowPlace) -> Result<Self, DataError> {
        Ok(Self { rows: RowStore::new(place)?, ..Self::default() })
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        self.rows.reserve(more);
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Appends changed rows with their indices, which ascend.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn extend(&mut self, more: &[(u32, Row)]) -> Result<(), DataError> {
        for (count, &(index, _)) in (self.rows.len() as u32..).zip(more) {
            let word = (index / 64) as usize;
            if word >= self.is_changed.len() {
                self.is_changed.resize(word + 1, 0);
                self.before.resize(word + 1, count);
            }
            self.is_changed[word] |= 1 << (index % 64);
        }
        self.rows.extend(&more.iter().map(|&(_, row)| row).collect::<Vec<Row>>())
    }

    /// The changed row with this index; `None` if the row stays as given.
    pub(crate) fn get(&self, index: u32) -> Option<&Row> {
        let word = (index / 64) as usize;
        let (bits, bit) = (*self.is_changed.get(word)?, 1 << (index % 64));
        let number = || self.before[word] + (bits & (bit - 1)).count_ones();
        (bits & bit != 0).then(|| &self.rows[number() as usize])
    }

    /// The changed rows with their indices.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Row)> {
        let bits = 0..self.is_changed.len() * 64;
        let indices = bits.filter(|&index| self.is_changed[index / 64] >> (index % 64) & 1 == 1);
        indices.map(|index| index as u32).zip(self.rows.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn changed_rows_are_found_by_their_indices() {
        let rows = sample::rows(2_000);
        let ends: Vec<(u32, Row)> =
            [3u32, 4, 63, 64, 500, 1_999].map(|index| (index, rows[index as usize / 2])).to_vec();
        let mut changed = ChangedRows::default();
        changed.extend(&ends[..2]).expect("rows");
        changed.extend(&ends[2..]).expect("rows");
        assert!(changed.iter().map(|(index, row)| (index, *row)).eq(ends.iter().copied()));
        let mut expected = rows.clone();
        for &(index, end) in &ends {
            expected[index as usize] = end;
        }
        assert_eq!(Samples::resolved(&rows, &changed).to_vec(), expected);
        assert_eq!(Samples::from(&rows).to_vec(), rows);
    }
}
