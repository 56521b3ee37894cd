//! Holds out games and positions up to a rank, exactly as the split in memory, and drops all other rows with one of
//! their positions.

use rayon::prelude::*;

use crate::captures::resolve_rows;
use crate::dataset::LoadObserver;
use crate::error::DataError;
use crate::rows::bits::Bits;
use crate::rows::row::{ROW_BYTES, Row};
use crate::splits::held_out::{HeldOutRule, rank};
use crate::splits::split::KeySet;
use crate::text::reader::ReadProgress;

use super::scan::StreamError;
use super::scan::{Game, Scan};
use super::shard::{Block, OpenShard, Shard};

/// Number of blocks between two progress reports.
const GROUP: usize = 64;

/// The rows that are not trained on, in order.
#[derive(Default)]
pub(super) struct HeldOutRows {
    pub(super) validation: Vec<Row>,
    /// The rank of each validation row: that of its game, if it is known.
    pub(super) ranks: Vec<u64>,
    pub(super) inner: Vec<Row>,
}

impl HeldOutRows {
    fn push(&mut self, row: Row, rank: u64, rule: &HeldOutRule) {
        if rank <= rule.last_rank {
            self.validation.push(row);
            self.ranks.push(rank);
        } else {
            self.inner.push(row);
        }
    }

    /// Drops inner rows whose position is also in validation; returns their number.
    pub(super) fn drop_shared(&mut self) -> u64 {
        if self.inner.is_empty() {
            return 0;
        }
        let keys = keys_of(&self.validation);
        let before = self.inner.len();
        self.inner.retain(|row| !is_among(row, &keys));
        (before - self.inner.len()) as u64
    }
}

/// The keys of the rows, as given and with captures resolved.
fn keys_of(rows: &[Row]) -> KeySet {
    rows.iter().chain(&resolve_rows(rows)).map(Row::symmetric_key).collect()
}

/// True if the row's position is among these, as given or with captures resolved.
fn is_among(row: &Row, keys: &KeySet) -> bool {
    keys.contains(&row.symmetric_key()) || row.resolved().is_some_and(|end| keys.contains(&end.symmetric_key()))
}

/// Returns the held-out rows and their rule, and removes them from `scan.kept`, which leaves the training rows.
///
/// In shards in game order only the held-out games are read; other shards are read completely.
pub(super) fn hold_out(scan: &mut Scan<'_>) -> Result<(HeldOutRows, HeldOutRule), StreamError> {
    let rule = HeldOutRule { inner: scan.options.inner, ..scan.threshold.rule()? };
    let games = std::mem::take(&mut scan.games);
    let mut games = games.into_iter().filter(|game| game.rank <= rule.last_untrained_rank()).peekable();
    let mut rows = HeldOutRows::default();
    for (number, shard) in scan.shards.iter().enumerate() {
        let end = scan.shards.get(number + 1).map_or(u32::MAX, |next| next.first);
        if !shard.order.is_known() {
            let blocks: Vec<&Block> = scan.blocks.iter().filter(|block| block.shard as usize == number).collect();
            let found: Result<Vec<Vec<HeldPosition>>, DataError> =
                blocks.par_iter().map(|block| held_positions(shard, block, &scan.kept, &rule)).collect();
            for HeldPosition { number, rank, row } in found?.into_iter().flatten() {
                scan.kept.clear(number);
                rows.push(row, rank, &rule);
            }
        } else if games.peek().is_some_and(|game| game.first < end) {
            let mut open = shard.open()?;
            while let Some(game) = games.next_if(|game| game.first < end) {
                take_game(&mut open, &game, &mut scan.kept, &mut |row| rows.push(row, game.rank, &rule))?;
            }
        }
    }
    Ok((rows, rule))
}

/// A row that is held out by its own rank.
struct HeldPosition {
    number: u32,
    rank: u64,
    row: Row,
}

/// The kept rows of a block that are held out as single positions.
fn held_positions(
    shard: &Shard,
    block: &Block,
    kept: &Bits,
    rule: &HeldOutRule,
) -> Result<Vec<HeldPosition>, DataError> {
    let mut open = shard.open()?;
    let mut held = Vec::new();
    for (number, bytes) in block.rows.clone().zip(open.block(block)?).filter(|&(number, _)| kept.get(number)) {
        let row = OpenShard::row(shard, bytes)?;
        let rank = rank(row.symmetric_key(), rule.seed);
        if rank <= rule.last_untrained_rank() {
            held.push(HeldPosition { number, rank, row });
        }
    }
    Ok(held)
}

fn take_game(
    open: &mut OpenShard<'_>,
    game: &Game,
    kept: &mut Bits,
    take: &mut dyn FnMut(Row),
) -> Result<(), DataError> {
    let shard = open.shard;
    let numbers = game.first..game.first + game.rows;
    for (number, bytes) in numbers.clone().zip(open.rows(numbers)?) {
        if kept.get(number) {
            take(OpenShard::row(shard, bytes)?);
            kept.clear(number);
        }
    }
    Ok(())
}

/// The second pass: drops rows whose position is held out, counts the training rows of each block, and returns the
/// number of dropped rows. It reads all bytes again and so detects changed files.
pub(super) fn drop_shared(
    scan: &mut Scan<'_>,
    held_out: &HeldOutRows,
    observer: &mut dyn LoadObserver,
) -> Result<u64, DataError> {
    let keys = keys_of(&[&held_out.validation[..], &held_out.inner].concat());
    let kept = &mut scan.kept;
    let mut dropped = 0;
    for blocks in scan.blocks.chunk_by_mut(|one, next| one.shard == next.shard) {
        let shard = &scan.shards[blocks[0].shard as usize];
        let total = blocks.iter().map(|block| block.rows.len() as u64).sum::<u64>();
        let mut done = 0;
        observer.file(shard.path());
        for group in blocks.chunks_mut(GROUP) {
            let shared: Result<Vec<Vec<u32>>, DataError> =
                group.par_iter().map(|block| shared_rows(shard, block, kept, &keys)).collect();
            for (block, shared) in group.iter_mut().zip(shared?) {
                for &row in &shared {
                    kept.clear(row);
                }
                dropped += shared.len() as u64;
                block.training_rows = kept.count(block.rows.start.into()..block.rows.end.into()) as u32;
                done += block.rows.len() as u64;
            }
            let size = |rows: u64| rows * ROW_BYTES as u64;
            let progress = ReadProgress { bytes: size(done), total_bytes: size(total), rows: done };
            if observer.progress(progress).is_break() {
                return Err(DataError::Stopped { path: shard.path().to_path_buf() });
            }
        }
        observer.compared(shard.path());
    }
    Ok(dropped)
}

fn shared_rows(shard: &Shard, block: &Block, kept: &Bits, keys: &KeySet) -> Result<Vec<u32>, DataError> {
    let mut open = shard.open()?;
    let mut shared = Vec::new();
    for (number, bytes) in block.rows.clone().zip(open.block(block)?) {
        if kept.get(number) && is_among(&OpenShard::row(shard, bytes)?, keys) {
            shared.push(number);
        }
    }
    Ok(shared)
}
