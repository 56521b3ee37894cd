//! The rounds: rows, training, a match, and the record.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use alfiere_arena::sprt::{Sprt, SprtDecision};
use alfiere_chess::openings::Opening;
use alfiere_chess::random::Random;
use alfiere_data::DataError;
use alfiere_data::packed::{existing_shards, read_packed};
use alfiere_nnue::{Network, Provenance};
use alfiere_search::eval::{AnyEvaluator, NetworkChoice};
use alfiere_search::genfens::StartPositions;
use alfiere_training::{TrainingObserver, TrainingOptions};

use super::contest::{Contest, ContestScore, Contestant};
use super::folder::{Folder, Round, read_rounds, write_rounds};
use super::learn::{Learnt, Lessons, learn, options};
use super::self_play::SelfPlay;
use super::settings::{GateSettings, ImproveError, ImproveSettings};
use crate::row_files::{Progress, RowFiles};

/// Nodes per move in matches against the hand-written evaluation.
const MEASURED_NODES: u64 = 5_000;

/// Observes an improvement and can stop it.
pub trait ImproveObserver {
    /// Called while rows are made, of `wanted`.
    fn on_rows(&mut self, round: u32, progress: Progress, wanted: u64) -> ControlFlow<()>;

    /// The observer of a training of this number of training and validation rows.
    fn training(
        &mut self,
        round: u32,
        options: &TrainingOptions,
        rows: [u64; 2],
    ) -> Box<dyn TrainingObserver + Send + '_>;

    /// Called while a match is played, at most of this number of games.
    fn on_match(&mut self, name: &str, score: &ContestScore, games: u32) -> ControlFlow<()>;

    fn on_round(&mut self, rounds: &[Round]);
}

pub struct Improvement<'a> {
    pub folder: &'a Folder,
    /// The network file that the last accepted network replaces.
    pub out: &'a Path,
    pub settings: &'a ImproveSettings,
    /// The openings of all games; none for the initial position.
    pub openings: Vec<Opening>,
    /// No round begins after this number of hours of all sessions.
    pub hours: f64,
    pub threads: usize,
}

/// The files of a round's rows, and the rows per second if some were made now.
type MadeRows = (Vec<PathBuf>, Option<f64>);

/// The seeds of a round's games, training and matches.
struct Seeds {
    rows: u64,
    training: u64,
    gate: u64,
    classical: u64,
}

impl Seeds {
    fn of(seed: u64, round: u32) -> Self {
        let mut numbers = Random::for_part(seed, u64::from(round));
        let mut next = || numbers.next_number();
        Self { rows: next(), training: next(), gate: next(), classical: next() }
    }
}

impl Improvement<'_> {
    /// Plays rounds until the hours are over. Returns all rounds, those of earlier sessions included; the observer may stop
    /// it at any time, and another call continues.
    ///
    /// # Errors
    /// If the folder belongs to another improvement, files cannot be read or written, or the training fails.
    pub fn run(&self, start: &Network, observer: &mut dyn ImproveObserver) -> Result<Vec<Round>, ImproveError> {
        self.folder.open(self.settings, start)?;
        let mut rounds = read_rounds(&self.folder.record())?;
        let starts = StartPositions::new(self.openings.clone(), self.settings.plies());
        self.clean(&rounds)?;
        while rounds.last().map_or(0.0, |round| round.hours) < self.hours {
            let Some(round) = self.round(&rounds, &starts, observer)? else { break };
            rounds.push(round);
            write_rounds(&self.folder.record(), &rounds)?;
            self.clean(&rounds)?;
            observer.on_round(&rounds);
        }
        Ok(rounds)
    }

    /// Writes the last accepted network to its place, and removes the files that no later round reads.
    fn clean(&self, rounds: &[Round]) -> Result<(), ImproveError> {
        let accepted = accepted(rounds);
        if accepted > 0 {
            Network::load(self.folder.network(accepted))?.save(self.out)?;
        }
        let Some(last) = rounds.last() else { return Ok(()) };
        let mut old: Vec<PathBuf> = vec![self.folder.candidate(last.round)];
        let kept = self.settings.learning.rounds.saturating_sub(1);
        old.extend((1..=last.round.saturating_sub(kept)).flat_map(|round| existing_shards(&self.folder.rows(round))));
        for path in old.iter().filter(|path| path.exists()) {
            std::fs::remove_file(path).map_err(|source| DataError::io(path, "remove it", source))?;
        }
        Ok(())
    }

    /// One round; `None` if the observer stops it.
    fn round(
        &self,
        rounds: &[Round],
        starts: &StartPositions,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<Round>, ImproveError> {
        let number = rounds.len() as u32 + 1;
        let seeds = Seeds::of(self.settings.seed, number);
        let begun = Instant::now();
        let path = self.folder.network(accepted(rounds));
        let current = NetworkChoice::Loaded(Arc::new(Network::load(&path)?));

        let Some((files, rows_per_second)) = self.rows(number, &seeds, &current, starts, observer)? else {
            return Ok(None);
        };
        let with_rows = begun.elapsed().as_secs_f64();

        let Some((candidate, learnt, trained_rows)) = self.train(number, &seeds, &path, &files, observer)? else {
            return Ok(None);
        };
        let trained = begun.elapsed().as_secs_f64();

        let candidate = Contestant::Network(NetworkChoice::Loaded(Arc::new(candidate)));
        let current = Contestant::Network(current);
        let Some((gate, decision)) = self.gate([&candidate, &current], starts, seeds.gate, observer)? else {
            return Ok(None);
        };
        let accepted = decision == Some(SprtDecision::AcceptAlternative);
        let mut classical = None;
        if accepted {
            Network::load(self.folder.candidate(number))?.save(self.folder.network(number))?;
            if self.settings.measured_games > 0 {
                let Some(score) = self.measure(&candidate, starts, seeds.classical, observer)? else {
                    return Ok(None);
                };
                classical = Some(score.into());
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        let before = rounds.last().map_or(0.0, |round| round.hours);
        Ok(Some(Round {
            round: number,
            hours: before + seconds / 3_600.0,
            accepted,
            undecided: decision.is_none(),
            rows: self.settings.rows.count,
            rows_per_second,
            trained_rows,
            loss: learnt.loss,
            scale: learnt.scale,
            seconds: [with_rows, trained - with_rows, seconds - trained],
            gate: gate.into(),
            classical,
        }))
    }

    /// The match of a new network against the last accepted one, and its decision, if there is one.
    fn gate(
        &self,
        players: [&Contestant; 2],
        starts: &StartPositions,
        seed: u64,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<(ContestScore, Option<SprtDecision>)>, ImproveError> {
        let GateSettings { nodes, elo0, elo1, games } = self.settings.gate;
        let (sprt, pairs) = (Sprt::new(elo0, elo1), u64::from(games / 2));
        let contest = Contest { players, nodes, starts, seed, pairs, sprt, threads: self.threads };
        let score = contest.play(&mut |score| observer.on_match("match", score, games))?;
        let decision = |score: &ContestScore| {
            let decision = sprt.map(|sprt| sprt.verdict(&score.pairs));
            decision.filter(|&decision| decision != SprtDecision::Continue)
        };
        Ok(score.map(|score| (score, decision(&score))))
    }

    /// The match of an accepted network against the hand-written evaluation.
    fn measure(
        &self,
        network: &Contestant,
        starts: &StartPositions,
        seed: u64,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<ContestScore>, ImproveError> {
        let games = self.settings.measured_games;
        let (players, pairs) = ([network, &Contestant::Classical], u64::from(games / 2));
        let contest =
            Contest { players, nodes: MEASURED_NODES, starts, seed, pairs, sprt: None, threads: self.threads };
        Ok(contest.play(&mut |score| observer.on_match("classical", score, games))?)
    }

    /// Makes the rows of a round; returns their files and the rows per second.
    fn rows(
        &self,
        number: u32,
        seeds: &Seeds,
        network: &NetworkChoice,
        starts: &StartPositions,
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<MadeRows>, ImproveError> {
        let settings = &self.settings.rows;
        let output = self.folder.rows(number);
        let count = settings.count.div_ceil(settings.per_file).max(2) as usize;
        let files = RowFiles { output: &output, count, rows: settings.per_file as usize, seed: seeds.rows };
        let wanted = files.missing().len() as u64 * settings.per_file;
        let begun = Instant::now();
        let new_player = || {
            let mut player = SelfPlay::new(AnyEvaluator::neural(network.clone()), settings, starts);
            move |numbers: &mut Random| player.rows(numbers)
        };
        let filled =
            files.fill(self.threads, new_player, &mut |progress| observer.on_rows(number, progress, wanted))?;
        let rate = (wanted > 0).then(|| filled.progress.rows as f64 / begun.elapsed().as_secs_f64());
        let is_complete = files.missing().is_empty();
        Ok(is_complete.then(|| ((1..=count).map(|number| files.path(number)).collect(), rate)))
    }

    /// Trains the network of a round; also returns what it has learnt from how many rows.
    fn train(
        &self,
        number: u32,
        seeds: &Seeds,
        start: &Path,
        files: &[PathBuf],
        observer: &mut dyn ImproveObserver,
    ) -> Result<Option<(Network, Learnt, u64)>, ImproveError> {
        let path = self.folder.candidate(number);
        let first = number.saturating_sub(self.settings.learning.rounds - 1).max(1);
        let rows_of = |provenance: &Provenance| provenance.free.get("training_rows")?.as_u64();
        if path.exists() {
            let network = Network::load(&path)?;
            let provenance = network.provenance();
            if let (Some(learnt), Some(rows)) = (Learnt::of(provenance), rows_of(provenance)) {
                return Ok(Some((network, learnt, rows)));
            }
        }
        let mut lessons = Lessons { training: Vec::new(), validation: Vec::new() };
        let (held_out, new) = files.split_last().map_or((None, files), |(last, rest)| (Some(last), rest));
        for file in (first..number).flat_map(|round| existing_shards(&self.folder.rows(round))).chain(new.to_vec()) {
            lessons.training.append(&mut read_packed(&file, None)?);
        }
        if let Some(file) = held_out {
            lessons.validation.append(&mut read_packed(file, None)?);
        }
        let rows = lessons.training.len() as u64;
        let options = options(&Network::load(start)?, rows, &self.settings.learning, (seeds.training, self.threads));
        let provenance = Provenance {
            data_fingerprint: format!("rows of rounds {first} to {number}"),
            configuration: serde_json::to_value(self.settings).unwrap_or_default(),
            seed: self.settings.seed,
            ..Provenance::default()
        }
        .with("round", number)
        .with("training_rows", rows);
        let mut watching = observer.training(number, &options, [rows, lessons.validation.len() as u64]);
        let Some(network) = learn(start, &lessons, options, provenance, &mut *watching)? else { return Ok(None) };
        network.save(&path)?;
        let Some(learnt) = Learnt::of(network.provenance()) else { return Ok(None) };
        Ok(Some((network, learnt, rows)))
    }
}

/// The round of the last accepted network; 0 for the start.
fn accepted(rounds: &[Round]) -> u32 {
    rounds.iter().rfind(|round| round.accepted).map_or(0, |round| round.round)
}
