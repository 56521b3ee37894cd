//! `alfiere tune`: tunes options of a UCI engine by games. In builds with the feature `tune` the search parameters of this
//! engine are options, and `alfiere tunables` lists them for a tuning server.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use alfiere_arena::elo::GameCounts;
use alfiere_arena::game::EndgameAdjudicator;
use alfiere_arena::runner::{MatchEnd, MatchObserver, MatchSettings, run_match};
use alfiere_arena::schedule::{Format, Schedule};
use alfiere_arena::score::{FinishedGame, MatchScore};
use alfiere_arena::spec::{DeclaredOption, OptionKind, PlayerSpec};
use alfiere_arena::spsa::{Parameter, Spsa, Trial};
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::game::{GameRecord, Limit};
use alfiere_chess::openings::Opening;
use alfiere_terminal::{Progress, interrupt, say};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::arguments::{GameArgs, start_failure, with_own_program};
use super::{CommandResult, Failure, write_json};

/// Parameters with smaller defaults are depths and switches: steps of 1 are too large to tune them with others.
const SMALLEST_DEFAULT: i32 = 10;
/// How the names of parameters begin that have an effect only with a time control.
const TIME_PREFIX: &str = "time_";
const DEFAULT_TRIALS: u64 = 5_000;

/// Tune numbers by games of an engine against itself (SPSA): all at once, a little in every trial.
///
/// The numbers are options of any UCI engine; of this one in builds with the feature `tune`, also its search parameters.
/// The state is saved after each trial; a stopped run continues from it.
#[derive(Args)]
#[command(
    after_help = "A trial changes each parameter by a step up or down at random, and plays this engine against one
with the opposite steps. Thousands of trials are needed. Test the result with \"alfiere match --sprt\" against the old
parameters.

Examples:
  alfiere tune --engine ./my-engine --tc 8+0.08 LmrBase=10 LmrDivisor=15 --trials 3000
  alfiere tune --nodes 5000 --openings UHO_4060_v4.epd.gz --each option.Hash=8 --concurrency 2 \\
      --state tune.json futility_base futility_slope=20"
)]
pub(crate) struct TuneArgs {
    /// Options to tune, each with its final step; without names all search parameters with a default of at least 10
    /// (those of time management only with --tc)
    #[arg(value_name = "NAME[=STEP]")]
    parameters: Vec<String>,
    /// The engine, described as for "alfiere match"
    #[arg(long, value_name = "SPEC", default_value = "alfiere")]
    engine: OsString,
    /// State file; if it exists, its run is continued
    #[arg(long, value_name = "FILE", default_value = "tune.json")]
    state: PathBuf,
    /// Total number of trials [default: 5000, or that of the continued run]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    trials: Option<u64>,
    /// Games per trial; rounded up to whole pairs
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Factor for the steps of "alfiere tunables", for parameters without an explicit step
    #[arg(long, default_value_t = 2.0)]
    widen: f64,
    /// Final learning rate: change in steps per unit of wins minus losses in a pair of games
    #[arg(long, default_value_t = 0.016)]
    rate: f64,
    #[command(flatten)]
    play: GameArgs,
    /// Words added to the description of both players, as in "alfiere match"
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: OsString,
    /// Number of concurrent trials
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
}

/// The contents of the state file.
#[derive(Serialize, Deserialize)]
struct State {
    /// Games so far, from the point of view of the first side of each trial.
    games: GameCounts,
    #[serde(flatten)]
    spsa: Spsa,
}

/// Settings common to all trials.
struct Games<'a> {
    args: &'a TuneArgs,
    player: PlayerSpec,
    openings: Vec<Opening>,
    /// The UCI options of the parameters, in order.
    names: Vec<String>,
    endgames: Option<Arc<dyn EndgameAdjudicator>>,
}

/// State shared by the threads.
struct Run<'a> {
    state: State,
    path: &'a Path,
    progress: Progress,
    failure: Option<Failure>,
}

pub(crate) fn run(args: &TuneArgs) -> CommandResult {
    let player = with_own_program(PlayerSpec::parse(&args.engine, &args.each)?)?;
    let stop = interrupt::watch()?;
    let state = if args.state.exists() { read(args)? } else { begin(args, &player, &stop)? };
    let names = state.spsa.parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let games = Games { args, player, openings: args.play.openings()?, names, endgames: args.play.endgames()? };
    write_json(&args.state, &state)?;
    let left = state.spsa.trials.saturating_sub(state.spsa.begun);
    let run =
        Mutex::new(Run { state, path: &args.state, progress: Progress::new("trials", left, "trials"), failure: None });
    thread::scope(|scope| {
        for _ in 0..args.concurrency {
            scope.spawn(|| play_trials(&games, &run, &stop));
        }
    });
    let run = run.into_inner().unwrap_or_else(PoisonError::into_inner);
    drop(run.progress);
    if let Some(failure) = run.failure {
        return Err(failure);
    }
    print(&run.state, &args.state);
    Ok(())
}

/// Plays trials until none is left.
fn play_trials(games: &Games, run: &Mutex<Run>, stop: &AtomicBool) {
    let lock = || run.lock().unwrap_or_else(PoisonError::into_inner);
    while !stop.load(Ordering::Relaxed) {
        let next = lock().state.spsa.next_trial();
        let Some(trial) = next else { return };
        let updated = match run_match(&games.of_trial(&trial), stop, &mut Unobserved) {
            Ok((scores, MatchEnd::Complete)) => lock().record(&trial, &scores[0]),
            Ok(_) => return,
            Err(error) => Err(error.into()),
        };
        if let Err(failure) = updated {
            lock().failure.get_or_insert(failure);
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Run<'_> {
    /// Updates the state with a finished trial, and saves it.
    fn record(&mut self, trial: &Trial, score: &MatchScore) -> CommandResult {
        let GameCounts { wins, losses, .. } = score.games;
        let pairs = score.pairs.pairs().max(1) as f64;
        self.state.spsa.update(trial, (wins as f64 - losses as f64) / pairs);
        self.state.games.merge(score.games);
        self.progress.advance(1, &self.state.games.to_string());
        write_json(self.path, &self.state)
    }
}

impl Games<'_> {
    fn of_trial(&self, trial: &Trial) -> MatchSettings {
        let players = trial.values.iter().zip(["ahead", "back"]).map(|(values, name)| {
            let mut player = PlayerSpec { name: name.to_owned(), ..self.player.clone() };
            let values = values.iter().map(|value| value.to_string().into());
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
            endgames: self.endgames.clone(),
            concurrency: 1,
            sprt: None,
            finished: Vec::new(),
        }
    }
}

/// An option that is a number: name, default, minimum and maximum.
type Number = (String, i32, i32, i32);

fn numbers(player: &PlayerSpec, stop: &AtomicBool) -> Result<Vec<Number>, Failure> {
    let engine = UciPlayer::start(player, stop).map_err(start_failure)?;
    let number = |option: &DeclaredOption| match option.kind {
        OptionKind::Spin { low, high } => {
            let within = |value: i64| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            let default = option.default.as_deref()?.parse().ok()?;
            Some((
                option.name.clone(),
                within(default),
                within(low.unwrap_or(i64::MIN)),
                within(high.unwrap_or(i64::MAX)),
            ))
        }
        _ => None,
    };
    Ok(engine.options().iter().filter_map(number).collect())
}

/// Whether an option is tuned without being named: search parameters of this engine that are no depths and switches.
fn by_default(name: &str, begin: i32, has_clock: bool) -> bool {
    #[cfg(feature = "tune")]
    let is_parameter = alfiere_search::search::TUNABLES.iter().any(|(tunable, ..)| *tunable == name);
    #[cfg(not(feature = "tune"))]
    let is_parameter = false;
    is_parameter && begin.abs() >= SMALLEST_DEFAULT && (has_clock || !name.starts_with(TIME_PREFIX))
}

/// Starts a run from the engine's defaults.
fn begin<'a>(args: &'a TuneArgs, player: &PlayerSpec, stop: &AtomicBool) -> Result<State, Failure> {
    let numbers = numbers(player, stop)?;
    let has_clock = matches!(args.play.limit(), Limit::Clock(_));
    let name_and_step = |text: &'a String| match text.rsplit_once('=') {
        Some((name, step)) => (name, Some(step)),
        None => (text.as_str(), None),
    };
    let requested: Vec<(&str, Option<&str>)> = args.parameters.iter().map(name_and_step).collect();
    let names = || numbers.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>().join(", ");
    let is_known = |name: &str| numbers.iter().any(|(number, ..)| number.eq_ignore_ascii_case(name));
    if let Some((unknown, _)) = requested.iter().find(|(name, _)| !is_known(name)) {
        return Err(Failure::new(format!("\"{unknown}\" is no number that this engine has as an option: {}", names())));
    }
    let mut parameters = Vec::new();
    for (name, begin, min, max) in &numbers {
        let (begin, min, max) = (*begin, *min, *max);
        let step = match requested.iter().find(|(requested, _)| requested.eq_ignore_ascii_case(name)) {
            Some((_, Some(step))) => step
                .parse()
                .ok()
                .filter(|&step: &f64| step > 0.0)
                .ok_or_else(|| Failure::new(format!("{name}: step \"{step}\" is not a positive number")))?,
            None if !requested.is_empty() || !by_default(name, begin, has_clock) => continue,
            _ => args.widen * step(begin, min, max),
        };
        parameters.push(Parameter { name: name.clone(), range: (min, max), step, begin, value: f64::from(begin) });
    }
    if parameters.is_empty() {
        return Err(Failure::new(format!("expected the names of options to tune: {}", names())));
    }
    let trials = args.trials.unwrap_or(DEFAULT_TRIALS);
    let spsa = Spsa { parameters, trials, begun: 0, rate: args.rate, seed: args.play.seed };
    Ok(State { games: GameCounts::default(), spsa })
}

fn read(args: &TuneArgs) -> Result<State, Failure> {
    let path = args.state.display();
    let fail = |error: &dyn std::error::Error| Failure::new(format!("{path}: {error}"));
    if !args.parameters.is_empty() {
        let advice = "continue it without names, or start another run with another --state";
        return Err(Failure::new(format!("{path}: a run is in this file, with its own parameters; {advice}")));
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
    say(format_args!("{begun} of {trials} trials, {}, saved in {}", state.games, path.display()));
}

/// Ignores single games.
struct Unobserved;

impl MatchObserver for Unobserved {
    fn game_finished(&mut self, _: &FinishedGame, _: &GameRecord, _: &[MatchScore]) {}
}

/// Number of initial steps in a parameter's range.
const STEPS: f64 = 20.0;
/// Final learning rate, a usual value for SPSA.
#[cfg(feature = "tune")]
const LAST_RATE: f64 = 0.002;

/// List the tunable search parameters: each is a UCI option of this build.
///
/// The format is `name, int, default, min, max, step, rate`, the input of `OpenBench`'s SPSA. Switches (0 or 1) are
/// skipped.
#[cfg(feature = "tune")]
#[derive(Args)]
#[command(after_help = "Example: alfiere tunables | grep futility")]
pub(crate) struct TunablesArgs {}

#[cfg(feature = "tune")]
#[allow(clippy::unnecessary_wraps, reason = "every command has an outcome")]
pub(crate) fn list_tunables(_: &TunablesArgs) -> CommandResult {
    for &(name, default, min, max) in alfiere_search::search::TUNABLES.iter().filter(|(_, _, min, max)| max - min > 1) {
        let step = step(default, min, max);
        say(format_args!("{name}, int, {default}, {min}, {max}, {step:.2}, {LAST_RATE}"));
    }
    Ok(())
}

/// The final perturbation of a parameter.
fn step(default: i32, min: i32, max: i32) -> f64 {
    // Ranges that can disable a technique are much wider than useful: the step is based on the default value.
    let useful_range = f64::from((max - min).min(2 * default.abs().max(1)));
    (useful_range / STEPS).max(0.5)
}
