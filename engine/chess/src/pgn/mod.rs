//! PGN: reading and writing games with scores and times in comments, and sampling positions from them.

mod comment;
mod positions;
mod reader;
mod tokens;
mod writer;

pub use positions::{GamePositionsError, PositionChoice, PositionSampler};
pub use reader::{
    PgnError, PgnFault, PgnFileError, PgnGame, PgnMove, PgnProblem, read_each, read_file, read_games, tag,
};
pub use tokens::{Token, Tokenizer};
pub use writer::{GameTags, format_game, push_moves, push_tag, push_wrapped};
