//! PGN: reading and writing games with scores and times in comments, and sampling positions from them.

mod comment;
mod games;
mod positions;
mod reader;
mod tokens;
mod writer;

pub use comment::read_eval;
pub use games::{GameTokenizer, Part, Tags};
pub use positions::{GameCount, PositionChoice, PositionSampler};
pub use reader::{
    PgnFault, PgnGame, PgnMove, PgnProblem, is_chess, read_each, read_file, read_file_with_null_moves, tagged_result,
};
pub use tokens::{NULL_MOVE, Token};
pub use writer::{GameTags, MoveText, format_game, push_tag};

/// The games of a text, all of them readable.
#[cfg(test)]
pub(crate) fn read_all(text: &str) -> Vec<PgnGame> {
    read_results(text.as_bytes()).into_iter().map(|game| game.expect("a game")).collect()
}

#[cfg(test)]
fn read_results(text: &[u8]) -> Vec<Result<PgnGame, PgnFault>> {
    let mut games = Vec::new();
    read_each(text, |game| {
        games.push(game);
        std::ops::ControlFlow::Continue(())
    })
    .expect("readable");
    games
}
