//! PGN: reading and writing games with scores and times in comments, and sampling positions from them.

mod comment;
mod file;
mod positions;
mod reader;
mod tokens;
mod writer;

pub use file::{PgnFileError, read_file};
pub use positions::{GamePositionsError, PositionChoice, PositionSampler};
pub use reader::{PgnError, PgnFault, PgnGame, PgnMove, PgnProblem, read_each, read_games, tag};
pub use tokens::{Token, Tokenizer};
pub use writer::{GameTags, format_game, push_moves, push_tag, push_wrapped};
