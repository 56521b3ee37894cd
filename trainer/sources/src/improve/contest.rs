//! A match of two players inside the program: pairs of games with colours swapped, at a fixed number of nodes.
//!
//! Each pair depends only on its number, and the pairs count in their order, so the outcome is independent of threads.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use alfiere_arena::elo::{GameCounts, Pentanomial};
use alfiere_arena::sprt::{Sprt, SprtDecision};
use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Adjudicator, DrawRule, GameResult, GameRules, Points, ResignRule, Ruling, end_by_rules};
use alfiere_chess::random::Random;
use alfiere_chess::types::Color;
use alfiere_search::eval::{AnyEvaluator, Classical, NetworkChoice};
use alfiere_search::genfens::{StartPositions, is_balanced};
use alfiere_search::platform::STACK_BYTES;

use super::TABLE_MIB;
use crate::row_files::FillError;
use crate::searcher::{Searcher, reported};

/// Time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);
/// How games end early.
const RULES: GameRules = GameRules {
    draw: Some(DrawRule { from_move: 40, moves: 8, centipawns: 10 }),
    resign: Some(ResignRule { moves: 4, centipawns: 1_000 }),
    max_plies: 400,
};
/// Start positions have at most this score for either side, by a search of the second player.
const MAX_START_SCORE: i32 = 150;

/// A player of a match.
#[derive(Clone, Debug)]
pub enum Contestant {
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
pub struct Contest<'a> {
    /// The players; the score is the first one's.
    pub players: [&'a Contestant; 2],
    /// Nodes per move.
    pub nodes: u64,
    pub starts: &'a StartPositions,
    /// Random seed of the start positions.
    pub seed: u64,
    /// Most pairs.
    pub pairs: u64,
    /// Ends the match as soon as it decides.
    pub sprt: Option<Sprt>,
    pub threads: usize,
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

#[derive(Default)]
struct Finished {
    score: ContestScore,
    /// Those whose predecessors are not finished.
    waiting: BTreeMap<u64, Option<[Points; 2]>>,
    /// The number of the next pair that counts.
    next: u64,
    decision: Option<SprtDecision>,
}

impl Contest<'_> {
    /// Plays the match; `None` if the observer stops it.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub fn play(
        &self,
        observer: &mut dyn FnMut(&ContestScore) -> ControlFlow<()>,
    ) -> Result<Option<ContestScore>, FillError> {
        let (finished, next) = (Mutex::new(Finished::default()), AtomicU64::new(0));
        let (over, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            let mut handles = Vec::new();
            for _ in 0..self.threads.max(1) {
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                let work = || self.work(&finished, &next, &over);
                handles.push(thread.spawn_scoped(scope, work).map_err(FillError::Thread)?);
            }
            while handles.iter().any(|handle| !handle.is_finished()) {
                let score = finished.lock().unwrap_or_else(PoisonError::into_inner).score;
                if observer(&score).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                    over.store(true, Ordering::Relaxed);
                }
                thread::sleep(REPORT_INTERVAL);
            }
            Ok::<(), FillError>(())
        })?;
        let score = finished.into_inner().unwrap_or_else(PoisonError::into_inner).score;
        Ok((!stopped.load(Ordering::Relaxed)).then_some(score))
    }

    fn work(&self, finished: &Mutex<Finished>, next: &AtomicU64, over: &AtomicBool) {
        let mut players = self.players.map(Contestant::searcher);
        while !over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.pairs {
                break;
            }
            let pair = self.pair(number, &mut players);
            if self.count(&mut finished.lock().unwrap_or_else(PoisonError::into_inner), number, pair) {
                over.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Counts the pairs that are next; true if the match is decided.
    fn count(&self, finished: &mut Finished, number: u64, pair: Option<[Points; 2]>) -> bool {
        finished.waiting.insert(number, pair);
        while finished.decision.is_none()
            && let Some(pair) = finished.waiting.remove(&finished.next)
        {
            finished.next += 1;
            if let Some(pair) = pair {
                finished.score.add(pair);
                let verdict = self.sprt.map(|sprt| sprt.verdict(&finished.score.pairs));
                finished.decision = verdict.filter(|&verdict| verdict != SprtDecision::Continue);
            }
        }
        finished.decision.is_some()
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
        let (mut board, mut keys, mut adjudicator) = (start.clone(), KeyHistory::new(), Adjudicator::new(RULES));
        for _ in 0..RULES.max_plies {
            let side = board.side_to_move();
            let found = players[usize::from(side != first)].search(&board, &keys, self.nodes);
            let Some(best) = found.best else { break };
            match adjudicator.observe(side, Some(reported(&found)), u32::from(board.fullmove_number())) {
                Some(Ruling::Win(winner)) => return GameResult::Win(winner),
                Some(Ruling::Draw) => return GameResult::Draw,
                None => {}
            }
            keys.push(&board);
            board.play(best);
            if let Some((result, _)) = end_by_rules(&board, &keys) {
                return result;
            }
        }
        GameResult::Draw
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
