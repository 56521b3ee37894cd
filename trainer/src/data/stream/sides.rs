//! Who is held out: whole games, as the split in memory deals them, and every row elsewhere with one of their positions.

use rayon::prelude::*;

use crate::data::dataset::LoadObserver;
use crate::data::error::DataError;
use crate::data::reader::ReadProgress;
use crate::data::row::{ROW_BYTES, Row};
use crate::data::split::{HeldOut, KeySet, SplitError, first_units};

use super::StreamError;
use super::bits::Bits;
use super::scan::{Game, Scan};
use super::shard::{Block, OpenShard, Shard};

/// Blocks that are compared between two reports of progress.
const GROUP: usize = 64;

/// The held-out rows, in order. The rows of `scan.kept` that stay are those to learn from.
pub(super) fn hold_out(scan: &mut Scan<'_>, held_out: HeldOut) -> Result<Vec<Row>, StreamError> {
    let wanted = held_out.of(u64::from(scan.kept_rows))?;
    let mut games = std::mem::take(&mut scan.games);
    if games.len() < 2 {
        return Err(SplitError::TooFew { what: "games", found: games.len(), sides: 2 }.into());
    }
    games.sort_unstable_by_key(|game| (game.place, game.start));
    games.truncate(first_units(games.iter().map(|game| game.kept as usize), wanted));
    games.sort_unstable_by_key(|game| game.first);
    let mut rows = Vec::with_capacity(games.iter().map(|game| game.kept as usize).sum());
    let mut shards = scan.shards.iter().peekable();
    let mut open: Option<OpenShard<'_>> = None;
    for game in &games {
        while let Some(shard) = shards.next_if(|shard| shard.first <= game.first) {
            open = Some(shard.open()?);
        }
        if let Some(open) = &mut open {
            take_game(open, game, &mut scan.kept, &mut rows)?;
        }
    }
    Ok(rows)
}

fn take_game(open: &mut OpenShard<'_>, game: &Game, kept: &mut Bits, rows: &mut Vec<Row>) -> Result<(), DataError> {
    let shard = open.shard;
    let numbers = game.first..game.first + game.rows;
    for (number, bytes) in numbers.clone().zip(open.rows(numbers)?) {
        if kept.get(number) {
            rows.push(OpenShard::row(shard, bytes)?);
            kept.clear(number);
        }
    }
    Ok(())
}

/// The second pass: drops the rows whose position is held out, and counts what each block has to learn from; how many
/// were dropped. It sees every byte again, so that it also notices a file that was changed meanwhile.
pub(super) fn drop_shared(
    scan: &mut Scan<'_>,
    held_out: &[Row],
    observer: &mut dyn LoadObserver,
) -> Result<u64, DataError> {
    let keys: KeySet = held_out.iter().map(Row::key).collect();
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
                block.lessons = kept.count(block.rows.clone());
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

/// The rows of a block that are kept though their position is held out.
fn shared_rows(shard: &Shard, block: &Block, kept: &Bits, keys: &KeySet) -> Result<Vec<u32>, DataError> {
    let mut open = shard.open()?;
    let mut shared = Vec::new();
    for (number, bytes) in block.rows.clone().zip(open.block(block)?) {
        if kept.get(number) && keys.contains(&OpenShard::row(shard, bytes)?.key()) {
            shared.push(number);
        }
    }
    Ok(shared)
}
