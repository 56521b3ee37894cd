//! Compares a network's float weights with the engine's evaluation, over the same rows.

#[cfg(test)]
mod integer;

use alfiere_chess::board::Board;
use alfiere_chess::types::Color;
use alfiere_data::metrics::{MetricSums, Metrics, clipped};
use alfiere_data::{Row, Samples};
use alfiere_model::{FloatNetwork, Objective};
use alfiere_nnue::{AccumulatorStack, Network};
use alfiere_search::eval::{AnyEvaluator, Evaluator};
use alfiere_training::{Rows, predict_centipawns};
use rayon::prelude::*;
use serde::Serialize;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    #[error("the engine rejects `{fen}`: {reason}")]
    Position { fen: String, reason: String },
    #[error("there are no rows to compare on")]
    NoRows,
}

/// Absolute differences in centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Differences {
    pub largest: f64,
    pub mean: f64,
    pub unequal: u64,
}

/// The float weights compared with the engine.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct FloatAgreement {
    pub metrics: Metrics,
    pub differences: Differences,
}

/// The result of a comparison; all metrics are in clipped centipawns.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Agreement {
    pub rows: u64,
    pub float: Option<FloatAgreement>,
    pub engine: Metrics,
}

/// A comparison, and the engine's evaluations that it is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    pub agreement: Agreement,
    /// The engine's evaluation of each row, in centipawns from White's point of view.
    pub values: Vec<i32>,
}

/// Evaluates the rows selected by `picks` in each way. `float` are the weights before quantisation, and `label_scale` the number
/// of centipawns of the labels for each internal unit.
///
/// # Errors
/// If the engine rejects a row, or there are no rows.
pub fn compare(
    network: &Network,
    float: Option<(&FloatNetwork, Objective)>,
    label_scale: f64,
    rows: Samples<'_>,
    picks: &[u32],
) -> Result<Compared, CheckError> {
    let values: Vec<i32> = picks
        .par_chunks(4_096)
        .map(|picks| {
            let mut stack = AccumulatorStack::new(network);
            picks.iter().map(|&pick| engine_value(network, &mut stack, rows.row(pick))).collect()
        })
        .collect::<Result<Vec<Vec<_>>, CheckError>>()?
        .concat();
    let label = |pick: &u32| rows.row(*pick).label().clipped();
    let fit = |values: &mut dyn Iterator<Item = f64>| {
        let sums: MetricSums = values.zip(picks).map(|(value, pick)| (clipped(value), label(pick))).collect();
        sums.metrics().ok_or(CheckError::NoRows)
    };
    let engine = fit(&mut values.iter().map(|&value| f64::from(value) * label_scale))?;
    let float = match float {
        Some((weights, objective)) => {
            let floats = predict_centipawns(weights, objective, Rows::new(rows, picks));
            let metrics = fit(&mut floats.iter().map(|&value| f64::from(value)))?;
            let apart =
                floats.iter().zip(&values).map(|(&float, &value)| f64::from(float) - f64::from(value) * label_scale);
            Some(FloatAgreement { metrics, differences: differences(apart) })
        }
        None => None,
    };
    Ok(Compared { agreement: Agreement { rows: picks.len() as u64, float, engine }, values })
}

/// The static evaluations of rows in internal units from White's point of view, in the format of [`alfiere_teacher::values`]:
/// `None` in check.
///
/// # Errors
/// If the engine rejects a row.
pub fn evaluator_values(
    evaluator: impl Fn() -> AnyEvaluator + Sync + Send,
    rows: &[Row],
) -> Result<Vec<Option<i32>>, CheckError> {
    let value = |evaluator: &mut AnyEvaluator, row: &Row| {
        let evaluate = |board: &Board| {
            evaluator.reset(board);
            evaluator.evaluate(board)
        };
        if row.in_check() { Ok(None) } else { value_for_white(row, evaluate).map(Some) }
    };
    rows.par_iter().with_min_len(4_096).map_init(evaluator, value).collect()
}

/// The engine's evaluation of a row in centipawns, from White's point of view.
fn engine_value(network: &Network, stack: &mut AccumulatorStack, row: &Row) -> Result<i32, CheckError> {
    value_for_white(row, |board| {
        stack.reset(board);
        stack.evaluate(network, board)
    })
}

/// What an evaluation for the side to move makes of a row, from White's point of view.
fn value_for_white(row: &Row, evaluate: impl FnOnce(&Board) -> i32) -> Result<i32, CheckError> {
    let fen = row.to_fen();
    let board = Board::from_fen(&fen).map_err(|error| CheckError::Position { reason: error.to_string(), fen })?;
    let value = evaluate(&board);
    Ok(if board.side_to_move() == Color::White { value } else { -value })
}

fn differences(apart: impl Iterator<Item = f64>) -> Differences {
    let (mut found, mut count) = (Differences::default(), 0u64);
    for difference in apart.map(f64::abs) {
        found.largest = found.largest.max(difference);
        found.mean += difference;
        found.unequal += u64::from(difference > 0.0);
        count += 1;
    }
    found.mean /= count.max(1) as f64;
    found
}

#[cfg(test)]
mod tests {
    use alfiere_data::sample;
    use alfiere_model::{initialise, quantise};
    use alfiere_nnue::Provenance;

    use super::integer::IntegerNetwork;
    use super::*;

    #[test]
    fn plain_integers_and_engine_agree_on_every_architecture() {
        let rows = sample::rows(600);
        let picks: Vec<u32> = (0..rows.len() as u32).collect();
        for shape in [
            "dual [64] crelu x8",
            "white [32] crelu x1",
            "dual [40] screlu x1",
            "dual [32,16,8] crelu x8",
            "white [48,16] screlu x8",
            "white []",
            "dual [] x8",
            "dual [64] crelu x8 kings=1",
            "dual [40] screlu x1 kings=2",
            "dual [64] crelu x8 kings=4",
            "dual [32,16,8] crelu x8 kings=8",
            "dual [68,16,8] crelu x8 stacks pairwise kings=4",
            "dual [68,32,9] crelu x8 stacks pairwise skip wide kings=1",
            "white [40,17,5] screlu x1 skip",
            "white [40,9] screlu x1 pairwise",
            "dual [] x8 kings=16",
            "dual [32,16] outputs=0,0,0,0,0,0,0,0,0,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,1,2 stacks kings=2",
            "dual [32] x8 kings=0,0,1,1/2,2,2,2/2,2,2,2/2,2,2,2/2,2,2,2/2,2,2,2/2,2,2,2/2,2,2,2",
            "dual [32] kings=0,0,0,0,1,1,1,1/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2",
        ] {
            let weights = initialise(shape.parse().expect(shape), 7).expect(shape);
            let network = quantise(&weights, 400.0, Provenance::default()).expect(shape);
            let float = Some((&weights, Objective::Tanh { scale: 400.0 }));
            let Compared { agreement, values } =
                compare(&network, float, 1.0, Samples::from(&rows), &picks).expect(shape);
            let plain = IntegerNetwork::parse(&network.to_bytes()).expect(shape);
            let expected: Vec<i32> = rows.iter().map(|row| plain.evaluate(row)).collect();
            assert!(values == expected, "{shape}");
            let float = agreement.float.expect("given");
            assert!(float.differences.mean < 12.0, "{shape}: {:?}", float.differences);
        }
    }
}
