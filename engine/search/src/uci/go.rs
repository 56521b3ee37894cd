//! The `go` command: its parameters as a GUI writes them, and the limits they mean.

use std::time::Duration;

use alfiere_chess::board::Board;
use alfiere_chess::movegen::parse_uci_move;
use alfiere_chess::types::Color;

use crate::platform::Instant;
use crate::search::{Limits, SearchMode, TimeLimit};

/// The parameters of a `go` command, not yet checked against a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct GoRequest {
    pub(super) search_moves: Vec<String>,
    pub(super) ponder: bool,
    pub(super) infinite: bool,
    clocks: Clocks,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) mate: Option<u32>,
    pub(super) move_time: Option<Duration>,
    pub(super) perft: Option<u32>,
    /// Words that could not be understood.
    pub(super) problems: Vec<String>,
}

impl GoRequest {
    /// Reads the parameters; what is not understood is noted and left out, so that there is an answer all the same.
    pub(super) fn parse(text: &str) -> Self {
        let mut request = Self::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let clocks = &mut request.clocks;
            let target: Target<'_> = match word {
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| looks_like_move(word)) {
                        request.search_moves.push(mv.to_owned());
                    }
                    continue;
                }
                "ponder" => {
                    request.ponder = true;
                    continue;
                }
                "infinite" => {
                    request.infinite = true;
                    continue;
                }
                "wtime" => Target::Remaining(&mut clocks.remaining[0]),
                "btime" => Target::Remaining(&mut clocks.remaining[1]),
                "winc" => Target::Increment(&mut clocks.increment[0]),
                "binc" => Target::Increment(&mut clocks.increment[1]),
                "movetime" => Target::Remaining(&mut request.move_time),
                "movestogo" => Target::Count(&mut clocks.moves_to_go),
                "depth" => Target::Count(&mut request.depth),
                "mate" => Target::Count(&mut request.mate),
                "perft" => Target::Count(&mut request.perft),
                "nodes" => Target::Nodes(&mut request.nodes),
                other => {
                    request.problems.push(format!("unknown parameter '{other}'"));
                    continue;
                }
            };
            let value = words.next_if(|word| word.parse::<f64>().is_ok());
            if !value.is_some_and(|value| target.set(value)) {
                request.problems.push(format!("'{word}' needs a number"));
            }
        }
        // Some GUIs send 0, or less, where no period ends.
        request.clocks.moves_to_go = request.clocks.moves_to_go.filter(|&moves| moves > 0);
        request
    }

    /// Whether a move to play is asked for: no analysis, no thinking on the opponent's time, no problem to solve.
    pub(super) fn wants_a_move(&self) -> bool {
        !self.infinite && !self.ponder && self.mate.is_none() && self.search_moves.is_empty()
    }

    /// The limits for the side to move of `board`, counted from `start`, and what is wrong with them.
    pub(super) fn limits(&self, board: &Board, start: Instant) -> (Limits, Vec<String>) {
        let mut problems = self.problems.clone();
        let mut search_moves = Vec::new();
        for text in self.search_moves.iter().filter(|text| *text != "0000") {
            match parse_uci_move(board, text) {
                Ok(mv) => search_moves.push(mv),
                Err(error) => problems.push(format!("searchmoves: {error}")),
            }
        }
        let time = match self.move_time {
            _ if self.infinite => TimeLimit::None,
            Some(time) => TimeLimit::MoveTime(time),
            None => self.clocks.limit_for(board.side_to_move()),
        };
        // No mate takes 0 moves; without another limit the first iteration answers.
        let mate = self.mate.filter(|&moves| moves > 0);
        if mate != self.mate {
            problems.push("mate 0, expected at least 1; it is left out".to_owned());
        }
        let is_limited = self.nodes.is_some() || time != TimeLimit::None || self.infinite;
        let depth = self.depth.or((mate != self.mate && !is_limited).then_some(1));
        let mode = if self.ponder {
            SearchMode::Ponder
        } else if self.infinite {
            SearchMode::Infinite
        } else {
            SearchMode::Normal
        };
        let limits = Limits { start, depth, nodes: self.nodes, mate, time, mode, search_moves, ..Limits::default() };
        (limits, problems)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Clocks {
    /// Remaining time of White and of Black.
    remaining: [Option<Duration>; 2],
    /// Increments of White and of Black.
    increment: [Duration; 2],
    /// Moves until more time is given.
    moves_to_go: Option<u32>,
}

impl Clocks {
    /// The limit for one side; none if there is no clock at all.
    ///
    /// Where only the other side's clock is known, that one counts, and where only an increment is known, that is all
    /// there is: a GUI that sends clocks waits for an answer.
    fn limit_for(&self, side: Color) -> TimeLimit {
        let clock_of = |side: Color| {
            let increment = self.increment[side.index()];
            let remaining = self.remaining[side.index()].or((!increment.is_zero()).then_some(increment))?;
            Some(TimeLimit::Clock { remaining, increment, moves_to_go: self.moves_to_go })
        };
        clock_of(side).or_else(|| clock_of(!side)).unwrap_or(TimeLimit::None)
    }
}

/// Where a parameter's number goes.
enum Target<'a> {
    Remaining(&'a mut Option<Duration>),
    Increment(&'a mut Duration),
    Count(&'a mut Option<u32>),
    Nodes(&'a mut Option<u64>),
}

impl Target<'_> {
    /// Negative numbers, which some GUIs send for a flag that has fallen, count as nothing left; fractions are cut
    /// off, and what is too large for a number is the largest.
    fn set(self, text: &str) -> bool {
        let value = match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(value), _) => value.max(0) as u64,
            (_, Ok(value)) if value.is_finite() => value.clamp(0.0, i64::MAX as f64) as u64,
            _ => return false,
        };
        match self {
            Self::Remaining(place) => *place = Some(Duration::from_millis(value)),
            Self::Increment(place) => *place = Duration::from_millis(value),
            Self::Count(place) => *place = Some(u32::try_from(value).unwrap_or(u32::MAX)),
            Self::Nodes(place) => *place = Some(value),
        }
        true
    }
}

fn looks_like_move(word: &str) -> bool {
    word == "0000" || word.len() >= 4 && word.as_bytes()[1].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parameters_are_read() {
        let request =
            GoRequest::parse("wtime 1000 btime -5 winc 10 movestogo 3 searchmoves e2e4 0000 depth 7 nodes 99 mate 2");
        assert_eq!(request.clocks.remaining, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!(request.clocks.increment, [Duration::from_millis(10), Duration::ZERO]);
        assert_eq!(request.clocks.moves_to_go, Some(3));
        assert_eq!(request.search_moves, ["e2e4", "0000"]);
        assert_eq!((request.depth, request.nodes, request.mate), (Some(7), Some(99), Some(2)));
        assert!(request.problems.is_empty());
        let (limits, problems) = request.limits(&Board::startpos(), Instant::now());
        assert!(problems.is_empty());
        assert_eq!(limits.search_moves.len(), 1);
    }

    #[test]
    fn fractions_and_numbers_out_of_all_bounds_are_limits_all_the_same() {
        let request = GoRequest::parse("wtime 99.9 btime 99999999999999999999 movetime 1e3 nodes -1 depth 4294967296");
        assert_eq!(request.clocks.remaining[0], Some(Duration::from_millis(99)));
        assert!(request.clocks.remaining[1] >= Some(Duration::from_secs(1_000_000)));
        assert_eq!((request.move_time, request.nodes), (Some(Duration::from_secs(1)), Some(0)));
        assert_eq!((request.depth, request.problems.len()), (Some(u32::MAX), 0));
        assert_eq!(GoRequest::parse("depth NaN movetime inf").problems.len(), 2);
        // Not one move for the whole clock.
        for no_period in ["wtime 9000 movestogo 0", "wtime 9000 movestogo -5"] {
            assert_eq!(GoRequest::parse(no_period).clocks.moves_to_go, None);
        }
    }

    #[test]
    fn nonsense_is_noted_and_left_out() {
        let request = GoRequest::parse("depth much movetime 5 quickly");
        assert_eq!(request.depth, None);
        assert_eq!(request.move_time, Some(Duration::from_millis(5)));
        assert_eq!(request.problems.len(), 3);
        let limits = |text| GoRequest::parse(text).limits(&Board::startpos(), Instant::now());
        assert_eq!(limits("searchmoves e2e5").1.len(), 1);
        let [(alone, problems), (timed, _)] = [limits("mate 0"), limits("mate 0 movetime 5")];
        assert_eq!((alone.mate, alone.depth, problems.len()), (None, Some(1), 1));
        assert_eq!((timed.mate, timed.depth), (None, None));
    }

    #[test]
    fn one_known_clock_serves_both_sides() {
        let (second, tenth) = (Duration::from_secs(1), Duration::from_millis(100));
        let clock = |remaining, increment| TimeLimit::Clock { remaining, increment, moves_to_go: None };
        let both = Clocks { remaining: [Some(second), Some(tenth)], ..Clocks::default() };
        assert_eq!(both.limit_for(Color::Black), clock(tenth, Duration::ZERO));
        let white = Clocks { remaining: [Some(second), None], ..Clocks::default() };
        assert_eq!(white.limit_for(Color::Black), clock(second, Duration::ZERO));
        let increment = Clocks { increment: [tenth; 2], ..Clocks::default() };
        assert_eq!(increment.limit_for(Color::White), clock(tenth, tenth));
        assert_eq!(Clocks::default().limit_for(Color::White), TimeLimit::None);
    }
}
