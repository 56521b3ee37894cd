//! `alfiere tune`: the search's numbers made better by games; only in builds with the feature `tune`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use alfiere_arena::elo::GameCounts;
use alfiere_arena::finished::FinishedGame;
use alfiere_arena::runner::{MatchEnd, MatchObserver, MatchSettings, run_match};
use alfiere_arena::schedule::{Format, Schedule};
use alfiere_arena::score::MatchScore;
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::spsa::{Parameter, Spsa, Trial};
use alfiere_chess::game::GameRecord;
use alfiere_chess::openings::Opening;
use alfiere_search::search::Tunables;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::game_args::GameArgs;
use super::progress::{Progress, say};
use super::{Failure, Outcome, interrupt, own_program, tunables, write_json};

/// Numbers below this are depths and switches, which steps of a whole one change too much to be tuned beside others.
const SMALLEST_DEFAULT: i32 = 10;
const DEFAULT_TRIALS: u64 = 5_000;

/// Tune numbers of the search by games of this program against itself (SPSA): all at once, a little with every trial.
///
/// The state is saved after each trial; a run that was stopped goes on from it.
#[derive(Args)]
#[command(
    after_help = "A trial moves each number a step up or down by chance and plays the engine so against the engine with all steps the
other way. Thousands of trials are needed; what they found is then to be proved by \"alfiere match --sprt\" against the
numbers before.

Example: alfiere tune --nodes 5000 --openings UHO_4060_v4.epd.gz --each option.Hash=8 --concurrency 2 --state tune.json \\
             futility_base futility_slope=20"
)]
pub(crate) struct TuneArgs {
    /// What to tune, each with the step of its last trial; without any, all numbers from 10 on
    #[arg(value_name = "NAME[=STEP]")]
    numbers: Vec<String>,
    /// Where the run is kept; if the file is there, the run in it goes on
    #[arg(long, value_name = "FILE", default_value = "tune.json")]
    state: PathBuf,
    /// Trials of the whole run [default: 5000, or those of the run that goes on]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    trials: Option<u64>,
    /// Games of a trial; rounded up to whole pairs
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Steps of numbers without one of their own are so many times those of "alfiere tunables"
    #[arg(long, default_value_t = 2.0)]
    widen: f64,
    /// How much of its step a number moves for a win more than losses in a pair of games, in the last trial
    #[arg(long, default_value_t = 0.016)]
    rate: f64,
    #[command(flatten)]
    play: GameArgs,
    /// Words that both players' specs begin with, as in "alfiere match"
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: String,
    /// Trials at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
}

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct State {
    /// Games so far, as the sides see them whose steps were drawn.
    games: GameCounts,
    #[serde(flatten)]
    spsa: Spsa,
}

/// What the games of all trials have in common.
struct Games<'a> {
    args: &'a TuneArgs,
    player: PlayerSpec,
    openings: Vec<Opening>,
    /// The options that the numbers are, in their order.
    names: Vec<String>,
}

/// What the threads share.
struct Run<'a> {
    state: State,
    path: &'a Path,
    progress: Progress,
    failure: Option<Failure>,
}

pub(crate) fn run(args: &TuneArgs) -> Outcome {
    let state = if args.state.exists() { read(args)? } else { begin(args)? };
    let player = PlayerSpec { program: own_program()?, ..PlayerSpec::parse("alfiere", &args.each)? };
    let names = state.spsa.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let games = Games { args, player, openings: args.play.openings()?, names };
    let stop = interrupt::flag()?;
    write_json(&args.state, &state)?;
    let left = state.spsa.trials.saturating_sub(state.spsa.begun);
    let run = Mutex::new(Run { state, path: &args.state, progress: Progress::new(left, "trials"), failure: None });
    thread::scope(|scope| {
        for _ in 0..args.concurrency {
            scope.spawn(|| work(&games, &run, &stop));
        }
    });
    let run = run.into_inner().unwrap_or_else(PoisonError::into_inner);
    run.progress.finish();
    if let Some(failure) = run.failure {
        return Err(failure);
    }
    print(&run.state, &args.state);
    Ok(())
}

/// Plays trials until none is left.
fn work(games: &Games, run: &Mutex<Run>, stop: &AtomicBool) {
    let lock = || run.lock().unwrap_or_else(PoisonError::into_inner);
    while !stop.load(Ordering::Relaxed) {
        let next = lock().state.spsa.next_trial();
        let Some(trial) = next else { return };
        let learnt = match run_match(&games.of_trial(&trial), stop, &mut Unobserved) {
            Ok((scores, MatchEnd::Complete)) => lock().learn(&trial, &scores[0]),
            Ok(_) => return,
            Err(error) => Err(error.into()),
        };
        if let Err(failure) = learnt {
            lock().failure.get_or_insert(failure);
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Run<'_> {
    /// Takes in a trial that is played, and saves.
    fn learn(&mut self, trial: &Trial, score: &MatchScore) -> Outcome {
        let GameCounts { wins, losses, .. } = score.games;
        let pairs = score.pairs.pairs().max(1) as f64;
        self.state.spsa.update(trial, (wins as f64 - losses as f64) / pairs);
        self.state.games.merge(score.games);
        self.progress.advance(1, &self.state.games.to_string());
        write_json(self.path, &self.state)
    }
}

impl Games<'_> {
    /// The match of a trial.
    fn of_trial(&self, trial: &Trial) -> MatchSettings {
        let players = trial.values.iter().zip(["ahead", "back"]).map(|(values, name)| {
            let mut player = PlayerSpec { name: name.to_owned(), ..self.player.clone() };
            let values = values.iter().map(ToString::to_string);
            player.options.extend(self.names.iter().cloned().zip(values));
            player
        });
        let schedule = Schedule::new(Format::RoundRobin, 2, self.args.games);
        let pairs = (schedule.games() / 2) as usize;
        let first = (trial.number as usize).wrapping_mul(pairs) % self.openings.len();
        MatchSettings {
            players: players.collect(),
            schedule,
            limit: self.args.play.limit(),
            openings: self.openings.iter().cycle().skip(first).take(pairs).cloned().collect(),
            game: self.args.play.settings(),
            concurrency: 1,
            sprt: None,
            finished: Vec::new(),
        }
    }
}

/// A run of its own, from the numbers that play.
fn begin(args: &TuneArgs) -> Result<State, Failure> {
    let mut parameters = Vec::new();
    for &(name, begin, least, most) in Tunables::ALL {
        let asked = args.numbers.iter().find(|asked| asked.split('=').next() == Some(name));
        let step = match asked.map(|asked| asked.split_once('=')) {
            Some(Some((_, step))) => step
                .parse()
                .ok()
                .filter(|&step: &f64| step > 0.0)
                .ok_or_else(|| Failure::new(format!("{name}: step \"{step}\" is not a positive number")))?,
            None if !args.numbers.is_empty() || begin.abs() < SMALLEST_DEFAULT => continue,
            _ => args.widen * tunables::step(begin, least, most),
        };
        let name = name.to_owned();
        parameters.push(Parameter { name, range: (least, most), step, begin, value: f64::from(begin) });
    }
    let known = |asked: &&String| Tunables::ALL.iter().any(|&(name, ..)| asked.split('=').next() == Some(name));
    if let Some(unknown) = args.numbers.iter().find(|asked| !known(asked)) {
        return Err(Failure::new(format!("\"{unknown}\" is no number of the search; \"alfiere tunables\" lists them")));
    }
    let trials = args.trials.unwrap_or(DEFAULT_TRIALS);
    let spsa = Spsa { parameters, trials, begun: 0, rate: args.rate, seed: args.play.seed };
    Ok(State { games: GameCounts::default(), spsa })
}

/// The run that goes on.
fn read(args: &TuneArgs) -> Result<State, Failure> {
    let path = args.state.display();
    let fail = |error: &dyn std::error::Error| Failure::new(format!("{path}: {error}"));
    if !args.numbers.is_empty() {
        let advice = "go on without names, or begin another run with another --state";
        return Err(Failure::new(format!("{path}: a run is in this file, with numbers of its own; {advice}")));
    }
    let text = std::fs::read_to_string(&args.state).map_err(|error| fail(&error))?;
    let mut state: State = serde_json::from_str(&text).map_err(|error| fail(&error))?;
    state.spsa.trials = args.trials.unwrap_or(state.spsa.trials);
    Ok(state)
}

fn print(state: &State, path: &Path) {
    for parameter in &state.spsa.parameters {
        say(format_args!("{} = {:.0} (was {})", parameter.name, parameter.value, parameter.begin));
    }
    let Spsa { begun, trials, .. } = state.spsa;
    say(format_args!("{begun} of {trials} trials, {}, kept in {}", state.games, path.display()));
}

/// Nobody looks at single games.
struct Unobserved;

impl MatchObserver for Unobserved {
    fn game_finished(&mut self, _: &FinishedGame, _: &GameRecord, _: &[MatchScore]) {}
}
