//! `alfiere eval`: evaluates a position with its parts.

use std::fmt::Write;
use std::path::PathBuf;

use alfiere_chess::board::Board;
use alfiere_chess::types::{Color, Square};
use alfiere_nnue::{FeatureLists, Network, piece_values};
use alfiere_search::engine::{Player, ScoreScale};
use alfiere_search::eval::ClassicalReport;
use alfiere_search::fit::{QuiescenceEval, StaticEval};
use alfiere_search::search::Score;
use alfiere_terminal::say;
use clap::Args;

use super::{CommandResult, Failure};

/// Show the evaluation of a position with its parts.
#[derive(Args)]
#[command(after_help = "Examples:
  alfiere eval --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"
  alfiere eval --player classical")]
pub(crate) struct EvalArgs {
    /// Position as FEN [default: the initial position]
    #[arg(long)]
    fen: Option<String>,
    /// Player whose evaluation is used: nnue, kaggle, perceptron and beam have networks, classical has terms
    #[arg(long, value_parser = super::player, default_value = "nnue")]
    player: Player,
    /// Network file instead of the player's own
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

pub(crate) fn run(args: &EvalArgs) -> CommandResult {
    let loaded = args.net.as_deref().map(Network::load).transpose()?;
    let Some(own) = args.player.network() else { return explain_terms(args) };
    let network = loaded.as_ref().unwrap_or_else(|| own.network());
    say(format_args!("network: {}", network.architecture()));
    explain(&position(args)?, network);
    Ok(())
}

fn position(args: &EvalArgs) -> Result<Board, Failure> {
    Ok(args.fen.as_deref().map_or_else(|| Ok(Board::startpos()), Board::from_fen)?)
}

/// Prints the classical evaluation, term by term.
fn explain_terms(args: &EvalArgs) -> CommandResult {
    let name = args.player.name();
    if args.net.is_some() {
        return Err(Failure::new(format!("player {name} has no network: --net cannot be used")));
    }
    if args.player != Player::Classical {
        return Err(Failure::new(format!("player {name} has no evaluation")));
    }
    let board = position(args)?;
    say(format_args!("{board}"));
    say(ClassicalReport::of(&board));
    Ok(())
}

/// Prints the evaluation, the contribution of every piece, and the values of the other output buckets.
fn explain(board: &Board, network: &Network) {
    let side = board.side_to_move();
    let white = |value: i32| if side == Color::White { value } else { -value };
    let values = piece_values(network, board);
    say(format_args!("{board}"));
    say(
        "internal units from White's point of view; a piece's contribution is the value minus the value without the piece (kings excluded)",
    );
    // Writing to a string cannot fail.
    for rank in (0..8).rev() {
        let mut line = String::new();
        for file in 0..8 {
            let square = Square::from_index(rank * 8 + file);
            let cell = match board.piece_on(square) {
                None => ".".to_owned(),
                Some(piece) => match values.pieces.iter().find(|(_, other, _)| *other == square) {
                    Some((_, _, part)) => format!("{}{part:+}", piece.letter()),
                    None => piece.letter().to_string(),
                },
            };
            let _ = write!(line, "{cell:>7}");
        }
        say(line);
    }
    let buckets = network.architecture().output_buckets;
    if buckets.count() > 1 {
        let pieces = board.occupied().into_iter().filter_map(|square| Some((board.piece_on(square)?, square)));
        let all = FeatureLists::new(network.architecture(), side, pieces);
        let own = buckets.bucket(all.piece_count);
        let mut line = "output buckets by number of pieces:".to_owned();
        for bucket in 0..buckets.count() {
            let piece_count = (2..=32).find(|&count| buckets.bucket(count) == bucket).unwrap_or(all.piece_count);
            let other = FeatureLists { piece_count, ..all.clone() };
            let mark = if bucket == own { "*" } else { "" };
            let _ = write!(line, " {mark}{:+}", white(network.evaluate_features(side, &other)));
        }
        say(line);
    }
    say(format_args!("quiescence search: {:+}", white(QuiescenceEval::new(network).evaluate(board))));
    let fast = StaticEval::new(network).evaluate(board);
    let (scale, score) = (ScoreScale::of(board), Score::evaluation(fast));
    let (shown, wdl_permille) = (scale.normalise(score), scale.wdl_permille(score));
    say(format_args!("as a search score for the side to move: {shown}, wdl {wdl_permille}"));
    say(format_args!("evaluation {:+} internal units ({:+} for the side to move)", white(fast), fast));
}
