//! The strength of a network: games against players inside this program whose ratings are known.
//!
//! [`LADDER`] lists these players, and [`rate`] plays the games, as a match of this program against itself. Prints nothing.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_arena::elo::GameCounts;
use alfiere_arena::game::GameSettings;
use alfiere_arena::ladder::{Ladder, Round, is_one_sided, total};
use alfiere_arena::ratings::Rating;
use alfiere_arena::runner::{MatchEnd, MatchError, MatchObserver, MatchSettings, run_match};
use alfiere_arena::schedule::{Format, Schedule};
use alfiere_arena::score::{FaultCounts, FinishedGame, MatchScore};
use alfiere_arena::spec::PlayerSpec;
use alfiere_chess::game::{DrawRule, GameRecord, GameRules, Limit, ResignRule};
use alfiere_chess::movegen::CastlingNotation;
use alfiere_chess::openings::Opening;
use alfiere_chess::random::Random;
use alfiere_search::engine::Player;
use alfiere_search::genfens::{GenfensError, Request, generate};
use thiserror::Error;

/// A player of this program with a limit, and its rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rung {
    pub player: Player,
    /// The limit of its moves; `None` if the player limits itself.
    pub limit: Option<Limit>,
    pub elo: f64,
    /// Half of the 95 % interval of the differences to the neighbours.
    pub error: f64,
}

/// The rungs, weakest first. `scripts/ladder` measures the ratings and writes `docs/results/ladder.md`.
pub const LADDER: [Rung; 14] = [
    rung(Player::Random, None, -571.0, 109.0),
    rung(Player::Beam, Some(Limit::Depth(1)), -364.0, 87.0),
    rung(Player::Beam, Some(Limit::Depth(2)), -79.0, 99.0),
    rung(Player::Beam, None, 340.0, 101.0),
    at(Player::Perceptron, 100, 631.0, 87.0),
    at(Player::Classical, 20, 895.0, 79.0),
    at(Player::Classical, 200, 1_070.0, 76.0),
    at(Player::Classical, 500, 1_367.0, 71.0),
    at(Player::Perceptron, 5_000, 1_404.0, 68.0),
    at(Player::Classical, 1_000, 1_605.0, 69.0),
    at(Player::Classical, 2_000, 1_806.0, 65.0),
    at(Player::Nnue, 1_000, 1_870.0, 64.0),
    at(Player::Classical, 5_000, 2_000.0, 71.0),
    at(Player::Nnue, 5_000, 2_316.0, 107.0),
];

const fn rung(player: Player, limit: Option<Limit>, elo: f64, error: f64) -> Rung {
    Rung { player, limit, elo, error }
}

const fn at(player: Player, nodes: u64, elo: f64, error: f64) -> Rung {
    rung(player, Some(Limit::Nodes(nodes)), elo, error)
}

pub fn ladder() -> Ladder {
    Ladder::new(LADDER.iter().map(|&Rung { elo, error, .. }| Rating { elo, error }).collect())
}

/// The rungs next to a rating: the last that is not stronger, and the first that is.
pub fn neighbours(elo: f64) -> [Option<&'static Rung>; 2] {
    let weaker = LADDER.iter().rev().find(|rung| rung.elo <= elo);
    [weaker, LADDER.iter().find(|rung| rung.elo > elo)]
}

impl Rung {
    /// Its description for `alfiere match`, without the program.
    pub fn words(&self) -> String {
        let limit = match self.limit {
            Some(Limit::Nodes(nodes)) => format!(" nodes={nodes}"),
            Some(Limit::Depth(depth)) => format!(" depth={depth}"),
            _ => String::new(),
        };
        format!("player={}{limit}", self.player.name())
    }
}

impl fmt::Display for Rung {
    /// `classical at 500 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.player.name())?;
        self.limit.map_or(Ok(()), |limit| write!(f, " at {limit}"))
    }
}

/// Nodes per move of `beam` and `random`, which need fewer.
const UNLIMITED: u64 = 5_000;
/// The rules by which games are adjudicated; `scripts/ladder` plays by the same.
const RULES: GameRules = GameRules {
    draw: Some(DrawRule { from_move: 40, moves: 8, centipawns: 10 }),
    resign: Some(ResignRule { moves: 3, centipawns: 600 }),
    max_plies: 400,
};
/// Maximum score of an opening in internal units.
const BALANCE: i32 = 100;

#[derive(Clone, Debug)]
pub struct RateSettings {
    pub program: PathBuf,
    /// The network file; `None` for the embedded network.
    pub net: Option<PathBuf>,
    pub nodes: u64,
    /// The number of games, rounded down to whole pairs.
    pub games: u64,
    /// Seed of the openings and of the player `random`.
    pub seed: u64,
    /// Number of concurrent games, which changes no result.
    pub concurrency: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// Results against each rung with White and with Black.
    pub results: Vec<[GameCounts; 2]>,
}

#[derive(Debug, Error)]
pub enum RateError {
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(transparent)]
    Openings(#[from] GenfensError),
    #[error("games lost by faults give no rating; the network: {}; its opponents: {}", .0[0], .0[1])]
    Faults([FaultCounts; 2]),
}

impl Standings {
    fn new() -> Self {
        Self { results: vec![Default::default(); LADDER.len()] }
    }

    pub fn games(&self) -> GameCounts {
        total(&self.results)
    }

    pub fn against(&self, rung: usize) -> GameCounts {
        total(&self.results[rung..=rung])
    }

    /// The rating; `None` if no point was won or none lost.
    pub fn rating(&self) -> Option<Rating> {
        (!is_one_sided(self.games())).then(|| ladder().estimate(&self.results))
    }

    fn with_round(&self, round: &Round, scores: &[MatchScore]) -> Self {
        let mut sum = self.clone();
        for (&rung, score) in round.rungs.iter().zip(scores) {
            sum.results[rung].iter_mut().zip(score.by_color).for_each(|(sum, games)| sum.merge(games));
        }
        sum
    }
}

/// Plays the games and calls `each` with the results after every one. Also returns how the last round ended.
///
/// The results depend only on the program, the network, its nodes, the number of games and the seed.
///
/// # Errors
/// If a player cannot be started, there are no openings, or a game was lost by a fault.
pub fn rate(
    settings: &RateSettings,
    stop: &AtomicBool,
    mut each: impl FnMut(&Standings),
) -> Result<(Standings, MatchEnd), RateError> {
    let (ladder, mut standings) = (ladder(), Standings::new());
    let mut number = 0;
    while let Some(round) =
        ladder.next_round(&standings.results, settings.games.saturating_sub(standings.games().games()))
    {
        let mut observer = RoundObserver { before: &standings, round: &round, each: &mut each };
        let (scores, end) = run_match(&match_of(settings, &round, number)?, stop, &mut observer)?;
        let mut faults = [FaultCounts::default(); 2];
        for score in &scores {
            faults.iter_mut().zip(score.faults).for_each(|(sum, faults)| sum.merge(faults));
        }
        if faults.iter().any(|faults| faults.total() > 0) {
            return Err(RateError::Faults(faults));
        }
        standings = standings.with_round(&round, &scores);
        if end != MatchEnd::Complete {
            return Ok((standings, end));
        }
        number += 1;
    }
    Ok((standings, MatchEnd::Complete))
}

/// The match of a round, with openings of its own.
fn match_of(settings: &RateSettings, round: &Round, number: u64) -> Result<MatchSettings, GenfensError> {
    let seed = Random::for_part(settings.seed, number).next_number();
    let request = Request { count: round.pairs, seed, book: None, plies: None, max_centipawns: BALANCE, nodes: 1_000 };
    let mut openings = Vec::with_capacity(round.pairs as usize);
    generate(&request, |board| openings.push(Opening { start: board.clone(), moves: Vec::new() }))?;
    let opponents = round.rungs.iter().map(|&rung| opponent(&LADDER[rung], settings, seed));
    let players: Vec<PlayerSpec> = [rated(settings)].into_iter().chain(opponents).collect();
    Ok(MatchSettings {
        schedule: Schedule::new(Format::Gauntlet, players.len(), 2 * round.pairs),
        players,
        limit: Limit::Nodes(UNLIMITED),
        openings,
        game: GameSettings {
            rules: RULES,
            margin: Duration::ZERO,
            patience: Duration::from_mins(2),
            notation: CastlingNotation::Standard,
        },
        endgames: None,
        concurrency: settings.concurrency,
        sprt: None,
        finished: Vec::new(),
    })
}

fn rated(settings: &RateSettings) -> PlayerSpec {
    let net = settings.net.as_ref();
    PlayerSpec {
        program: settings.program.clone(),
        name: net.map_or_else(|| Player::Nnue.name().to_owned(), |net| net.display().to_string()),
        options: net.map(|net| ("EvalFile".to_owned(), net.into())).into_iter().collect(),
        limit: Some(Limit::Nodes(settings.nodes)),
        ..PlayerSpec::default()
    }
}

fn opponent(rung: &Rung, settings: &RateSettings, seed: u64) -> PlayerSpec {
    let is_random = rung.player == Player::Random;
    let mut options = vec![("Player".to_owned(), rung.player.name().into())];
    if is_random {
        // A seed of 0 is none.
        options.push(("Seed".to_owned(), (1 + seed % i32::MAX as u64).to_string().into()));
    }
    PlayerSpec {
        program: settings.program.clone(),
        name: rung.to_string(),
        options,
        limit: rung.limit,
        // Its moves also depend on the number of games that the program has played.
        restart: is_random,
        ..PlayerSpec::default()
    }
}

/// Adds the games of a round to those before it.
struct RoundObserver<'a, F> {
    before: &'a Standings,
    round: &'a Round,
    each: &'a mut F,
}

impl<F: FnMut(&Standings)> MatchObserver for RoundObserver<'_, F> {
    fn game_finished(&mut self, _: &FinishedGame, _: &GameRecord, scores: &[MatchScore]) {
        (self.each)(&self.before.with_round(self.round, scores));
    }
}

#[cfg(test)]
mod tests {
    use alfiere_arena::elo::score_of_elo;
    use alfiere_search::bench;
    use alfiere_search::eval::NetworkChoice;
    use alfiere_search::search::Control;

    use super::*;

    /// The nodes of `alfiere bench 8` by the search that played the games of the ladder.
    const SIGNATURE: u64 = 206_847;

    #[test]
    fn the_rungs_are_of_this_search() {
        let found = bench::run(8, NetworkChoice::default(), &Control::default(), |_| {}).expect("a search").nodes;
        assert_eq!(
            found, SIGNATURE,
            "the search has changed: play the ladder again (scripts/ladder), and state its signature"
        );
    }

    #[test]
    fn neighbours_are_in_order_and_near() {
        for pair in LADDER.windows(2) {
            let difference = pair[1].elo - pair[0].elo;
            // So that every player between them wins points against both.
            assert!(difference > 0.0 && score_of_elo(difference) < 0.95, "{} and {}", pair[0], pair[1]);
        }
    }
}
