//! A match of two players inside the program: pairs of games with colours swapped, at a fixed number of nodes.
//!
//! Each pair depends only on its number, and the pairs count in their order, so the outcome is independent of threads.

use std::convert::Infallible;
use std::ops::ControlFlow;

use alfiere_arena::elo::{GameCounts, Pentanomial};
use alfiere_arena::sprt::{Sprt, SprtDecision};
use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Adjudicator, DrawRule, GameResult, GameRules, Points, ResignRule};
use alfiere_chess::random::Random;
use alfiere_chess::types::Color;
use alfiere_search::eval::{AnyEvaluator, Classical, NetworkChoice};
use alfiere_search::genfens::{StartPositions, is_balanced};

use super::TABLE_MIB;
use crate::game_loop::{Step, by_rules, by_scores, play_game};
use crate::pool::{Event, Tasks, ordered};
use crate::row_files::FillError;
use crate::searcher::{Searcher, reported};

/// How games end early.
const RULES: GameRules = GameRules {
    draw: Some(DrawRule { from_move: 40, moves: 8, centipawns: 10 }),
    resign: Some(ResignRule { moves: 4, centipawns: 1_000 }),
    max_plies: 400,
};
/// Start positions have at most this score for either side, by a search of the second player.
const MAX_START_SCORE: i32 = 150;

#[derive(Clone, Debug)]
pub(super) enum Contestant {
    Network(NetworkChoice),
    /// The hand-written evaluation.
    Classical,
}

impl Contestant {
    fn searcher(&self) -> Searcher<AnyEvaluator> {
        let evaluator = match self {
            Self::Network(network) => AnyEvaluator::neural(network.clone()),
            Self::Classical => AnyEvaluator::Classical(Classical::new()),
        };
        Searcher::new(evaluator, TABLE_MIB)
    }
}

/// The conditions of a match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contest<'a> {
    /// The players; the score is the first one's.
    pub(super) players: [&'a Contestant; 2],
    /// Nodes per move.
    pub(super) nodes: u64,
    pub(super) starts: &'a StartPositions,
    /// Random seed of the start positions.
    pub(super) seed: u64,
    pub(super) pairs: u64,
    /// Ends the match as soon as it decides.
    pub(super) sprt: Option<Sprt>,
    pub(super) threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ContestScore {
    pub games: GameCounts,
    pub pairs: Pentanomial,
}

impl ContestScore {
    fn add(&mut self, pair: [Points; 2]) {
        for points in pair {
            self.games.add(points);
        }
        self.pairs.add(pair[0], pair[1]);
    }
}

impl Contest<'_> {
    /// Plays the match; `None` if the observer stops it.
    pub(super) fn play(
        &self,
        observer: &mut dyn FnMut(&ContestScore) -> ControlFlow<()>,
    ) -> Result<Option<ContestScore>, FillError> {
        let work = |tasks: &Tasks<'_, Option<[Points; 2]>, ()>| {
            let mut players = self.players.map(Contestant::searcher);
            while let Some(number) = tasks.next() {
                tasks.done(number, self.pair(number, &mut players));
            }
            Ok::<(), FillError>(())
        };
        let (mut score, mut is_stopped) = (ContestScore::default(), false);
        ordered(self.threads, 0..self.pairs, work, &mut |event| {
            if let Event::Done(_, Some(pair)) = event {
                score.add(pair);
                if self.sprt.is_some_and(|sprt| sprt.verdict(&score.pairs) != SprtDecision::Continue) {
                    return Ok(ControlFlow::Break(()));
                }
            }
            let wanted = observer(&score);
            is_stopped = wanted.is_break();
            Ok(wanted)
        })?;
        Ok((!is_stopped).then_some(score))
    }

    /// The first player's points in both games; `None` if no balanced start position was found.
    fn pair(&self, number: u64, players: &mut [Searcher<AnyEvaluator>; 2]) -> Option<[Points; 2]> {
        let mut random = Random::for_part(self.seed, number);
        let place = random.next_number();
        let mut judge = |board: &Board| -> Result<_, Infallible> {
            players[1].new_game();
            let found = players[1].search(board, &KeyHistory::new(), self.nodes);
            Ok(is_balanced(found.score, MAX_START_SCORE).then_some(()))
        };
        let Ok(start) = self.starts.find(place, &mut random, &mut judge);
        let (start, ()) = start?;
        Some(Color::ALL.map(|first| self.game(&start, first, players).points(first)))
    }

    /// Plays a game in which the first player has this colour.
    fn game(&self, start: &Board, first: Color, players: &mut [Searcher<AnyEvaluator>; 2]) -> GameResult {
        players.iter_mut().for_each(Searcher::new_game);
        let mut adjudicator = Adjudicator::new(RULES);
        let Ok::<_, Infallible>(result) =
            play_game((start.clone(), KeyHistory::new()), RULES.max_plies, by_rules, |board, keys| {
                let player = &mut players[usize::from(board.side_to_move() != first)];
                let found = player.search(board, keys, self.nodes);
                let Some(best) = found.best else { return Ok(Step::End(GameResult::Draw)) };
                let ended = by_scores(&mut adjudicator, board, reported(&found));
                Ok(ended.map_or(Step::Play(best, None), Step::End))
            });
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_against_itself_wins_as_much_as_it_loses_with_any_number_of_threads() {
        let starts = StartPositions::new(Vec::new(), "4-6".parse().expect("a range"));
        let play = |threads, sprt| {
            let players = [&Contestant::Classical, &Contestant::Classical];
            let contest = Contest { players, nodes: 60, starts: &starts, seed: 3, pairs: 6, sprt, threads };
            contest.play(&mut |_| ControlFlow::Continue(())).expect("played").expect("not stopped")
        };
        let once = play(1, None);
        assert_eq!(once.pairs.counts(), [0, 0, 6, 0, 0]);
        assert_eq!((once.games.games(), once.games.wins), (12, once.games.losses));
        assert_eq!(play(3, None), once);
        // Decided long before the last pair, and by the first ones, whichever are finished first.
        let decided = play(1, Sprt::new(-800.0, -400.0));
        assert!(decided.pairs.pairs() < 6, "{decided:?}");
        assert_eq!(play(3, Sprt::new(-800.0, -400.0)), decided);
    }
}
