//! Gives rows new labels before they are written.

use super::sink::{Sink, Written};
use crate::error::DataError;
use crate::left_out::LeftOutReason;
use crate::rows::label::Label;
use crate::rows::row::Row;

/// Computes the label of each row; `None` leaves the row out.
pub type NewLabels<'a> = dyn Fn(&[Row]) -> Vec<Option<Label>> + 'a;

/// Rows per call of the labels' function: enough for all cores.
const BATCH: usize = 1 << 16;

/// Passes labelled rows to another sink.
pub(super) struct LabelSink<'a> {
    labels: &'a NewLabels<'a>,
    sink: Box<dyn Sink>,
    rows: Vec<Row>,
    written: u64,
    unlabelled: u64,
}

impl<'a> LabelSink<'a> {
    pub(super) fn new(labels: &'a NewLabels<'a>, sink: Box<dyn Sink>) -> Self {
        Self { labels, sink, rows: Vec::new(), written: 0, unlabelled: 0 }
    }

    fn write(&mut self) -> Result<(), DataError> {
        let labels = (self.labels)(&self.rows);
        let labelled = self.rows.iter().zip(labels).filter_map(|(row, label)| Some(row.with_label(label?)));
        let labelled: Vec<Row> = labelled.collect();
        self.unlabelled += (self.rows.len() - labelled.len()) as u64;
        self.written += labelled.len() as u64;
        self.rows.clear();
        self.sink.push(&labelled)
    }
}

impl Sink for LabelSink<'_> {
    fn push(&mut self, rows: &[Row]) -> Result<(), DataError> {
        self.rows.extend_from_slice(rows);
        if self.rows.len() >= BATCH { self.write() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<Written, DataError> {
        self.write()?;
        let Self { sink, written, unlabelled, .. } = *self;
        let mut all = if written > 0 { sink.finish()? } else { Written::default() };
        all.left_out.add(LeftOutReason::Unlabelled, unlabelled);
        Ok(all)
    }
}
