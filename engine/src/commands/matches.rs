//! `alfiere match`: plays matches and tournaments between engines and evaluates the results.

mod journal;
mod output;
mod results;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use alfiere_arena::anchor::{Anchor, NamedAnchor, find_anchors};
use alfiere_arena::runner::{MatchEnd, MatchSettings, run_match};
use alfiere_arena::schedule::{Format, Schedule};
use alfiere_arena::spec::PlayerSpec;
use alfiere_arena::sprt::Sprt;
use alfiere_chess::files::check_outputs;
use alfiere_terminal::{Replace, interrupt};
use clap::Args;

use self::journal::{Journal, MatchSetup};
use self::output::{Files, MatchOutput};
use self::results::Results;
use super::arguments::{GameArgs, with_own_program};
use super::{CommandResult, Failure, numbered};

/// Play two or more engines against each other, in pairs of games with colours swapped.
#[derive(Args)]
#[command(after_help = "An engine is one argument, PROGRAM and these words:
  name=NAME           name in results
  option.NAME=VALUE   a UCI option; quote the word if the name has a space: 'option.Move Overhead=5'
  net=FILE player=P   short for option.EvalFile=FILE and option.Player=P
  elo=N               short for option.UCI_LimitStrength=true and option.UCI_Elo=N
  tc= nodes= depth= movetime=   limits of this engine
  dir=FOLDER arg=ARGUMENT
  restart=on          start the program again for every game
  log=FILE            append all lines sent and received to this file
\"alfiere\" as PROGRAM is this program itself.

Three or more engines play a round robin, or with --gauntlet the first engine plays all others: --games games per
pairing, in rounds of all pairings with the same openings. The result is a cross table with Elo ratings, relative to
their mean or to the engines named by --anchor (see \"alfiere ratings --help\"). OUT.json has the whole tournament,
and OUT-1.json, OUT-2.json ... have one pairing each (for \"alfiere play --results\").

With --syzygy, a game ends when the tables know its result: a draw (also a cursed win or a blessed loss) at once, a win
after the next capture or pawn move, when the fifty-move rule cannot change it.

Examples:
  alfiere match --engine alfiere --engine \"stockfish name=SF 'option.Skill Level=3'\" --tc 1+0.01 --games 100
  alfiere match --engine \"alfiere name=new net=new.nnue\" --engine \"alfiere name=old\" --tc 8+0.08 \\
      --games 20000 --sprt 0 5 --openings UHO_4060_v4.epd.gz --each option.Hash=16 --concurrency 2 \\
      --pgn games.pgn
  alfiere match --engine alfiere --engine stockfish --tc 8+0.08 --games 2000 --syzygy /tables/wdl
  alfiere match --gauntlet --engine alfiere --engine stockfish --engine glaurung --tc 1+0.01 --games 100")]
pub(crate) struct MatchArgs {
    /// An engine; give this option at least twice
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<OsString>,
    /// The first engine plays each of the others, who do not play each other
    #[arg(long)]
    gauntlet: bool,
    /// Words added to the description of every engine
    #[arg(long, value_name = "WORDS", default_value = "")]
    each: OsString,
    #[command(flatten)]
    play: GameArgs,
    /// Games per pairing; rounded up to whole pairs
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Rating of an engine in the table of a tournament, ERR with 95 % confidence; repeatable [default: the mean is 0]
    #[arg(long = "anchor", value_name = "NAME=ELO[±ERR]")]
    anchors: Vec<NamedAnchor>,
    /// Stop when the SPRT decides between E0 and E1 Elo (two engines only)
    #[arg(long, num_args = 2, value_names = ["E0", "E1"], allow_hyphen_values = true)]
    sprt: Option<Vec<f64>>,
    /// Number of concurrent games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Append finished games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Continue a match that was stopped or killed: repeat the command with the same --pgn
    #[arg(long, requires = "pgn")]
    resume: bool,
    /// Output file for the results, rewritten after each game
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Do not print a line per game
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    replace: Replace,
}

pub(crate) fn run(args: &MatchArgs) -> CommandResult {
    let players = players(&args.engines, &args.each)?;
    let schedule = schedule(args, players.len());
    let results = results_files(args, &schedule);
    check_files(args, &players, &results)?;
    let mut settings = settings(args, players, schedule)?;
    let anchors = anchors(args, &settings.players)?;
    let mut files = Files { json: args.json.as_deref(), ..Files::default() };
    if let Some(pgn) = &args.pgn {
        let (journal, finished) = Journal::open(pgn, &setup(args), args.resume)?;
        settings.finished = finished;
        files.journal = Some(journal);
    }
    // After the journal, which refuses with better advice if these are the results of an unfinished match.
    if settings.finished.is_empty()
        && let Err(refusal) = args.replace.check_new(&results)
    {
        files.journal.map_or(Ok(()), Journal::remove)?;
        return Err(refusal);
    }
    if let Some(pgn) = &args.pgn {
        files.pgn = Some((pgn, append(pgn)?));
    }
    let stop = interrupt::watch()?;
    let started = Instant::now();
    let mut output = MatchOutput::new(&settings, &anchors, files, &stop, args.quiet);
    let outcome = run_match(&settings, &stop, &mut output);
    let is_over = matches!(outcome, Ok((_, MatchEnd::Complete | MatchEnd::Decided)));
    let written = output.finish(is_over);
    let (scores, end) = outcome?;
    let (settings, scores, elapsed) = (&settings, &scores, started.elapsed());
    let results = Results { settings, scores, anchors: &anchors, end: Some(end), elapsed };
    results.print();
    if let Some(path) = &args.json {
        results.write(path)?;
    }
    written?;
    if end == MatchEnd::Stopped { Err(Failure::Stopped) } else { Ok(()) }
}

/// The files of results: one, or in a tournament another for each encounter.
fn results_files(args: &MatchArgs, schedule: &Schedule) -> Vec<PathBuf> {
    let encounters = schedule.encounters().len();
    let each = |path: &PathBuf| {
        let apart = (1..=encounters).filter(|_| encounters > 1);
        apart.map(|number| numbered(path, number)).chain([path.clone()]).collect::<Vec<_>>()
    };
    args.json.iter().flat_map(each).collect()
}

/// Checks that nothing that the match writes is an input, an engine's file, or another output. Games and logs are appended.
fn check_files(args: &MatchArgs, players: &[PlayerSpec], results: &[PathBuf]) -> CommandResult {
    let given = players.iter().flat_map(PlayerSpec::option_files).map(|(_, path)| path.to_path_buf());
    let programs = players.iter().map(|player| player.program.clone()).filter(|path| path.is_file());
    let inputs: Vec<PathBuf> = given.chain(programs).chain(args.play.openings.clone()).collect();
    // Several engines may share a log.
    let logs: BTreeSet<&PathBuf> = players.iter().filter_map(|player| player.log.as_ref()).collect();
    check_outputs(inputs.iter().map(PathBuf::as_path), logs.iter().map(|path| path.as_path()))?;
    let journal = args.pgn.as_deref().map(Journal::path);
    let inputs = inputs.iter().chain(logs).map(PathBuf::as_path);
    // Whether another match is writing them, the journal tells.
    Ok(check_outputs(inputs, args.pgn.iter().chain(&journal).chain(results).map(PathBuf::as_path))?)
}

/// The settings that must be the same when a match is continued. The number of games may differ.
fn setup(args: &MatchArgs) -> MatchSetup {
    let engines =
        args.engines.iter().zip(1..).map(|(spec, number)| (format!("--engine {number}"), spec.display().to_string()));
    let sprt = args.sprt.as_deref().map(|bounds| format!("{bounds:?}"));
    let rest = [
        ("--each", Some(args.each.display().to_string())),
        ("--gauntlet", args.gauntlet.then(String::new)),
        ("--sprt", sprt),
    ];
    let rest = rest.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    engines.chain(rest).chain(args.play.setup()).collect()
}

fn schedule(args: &MatchArgs, players: usize) -> Schedule {
    let format = if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
    Schedule::new(format, players, args.games)
}

/// Validates the arguments.
fn settings(args: &MatchArgs, players: Vec<PlayerSpec>, schedule: Schedule) -> Result<MatchSettings, Failure> {
    let sprt = match args.sprt.as_deref() {
        Some(_) if players.len() > 2 => {
            return Err(Failure::new(format!("--sprt tests two engines, found {} --engine", players.len())));
        }
        Some(&[elo0, elo1]) => {
            let message = || Failure::new(format!("--sprt {elo0} {elo1}: expected two numbers, E0 smaller than E1"));
            Some(Sprt::new(elo0, elo1).ok_or_else(message)?)
        }
        _ => None,
    };
    let concurrency = args.concurrency as usize;
    Ok(MatchSettings {
        players,
        schedule,
        limit: args.play.limit(),
        openings: args.play.openings()?,
        game: args.play.settings(),
        endgames: args.play.endgames()?,
        concurrency,
        sprt,
        finished: Vec::new(),
    })
}

/// Parses the players and makes their names unique.
fn players(engines: &[OsString], each: &OsStr) -> Result<Vec<PlayerSpec>, Failure> {
    if engines.len() < 2 {
        return Err(Failure::new(format!("a match needs at least two engines, found {} --engine", engines.len())));
    }
    let mut players: Vec<PlayerSpec> = Vec::with_capacity(engines.len());
    for text in engines {
        let mut player = with_own_program(PlayerSpec::parse(text, each)?)?;
        let is_taken = |name: &str| players.iter().any(|other| other.name == name);
        if is_taken(&player.name) {
            let mut numbered = (2_usize..).map(|number| format!("{}-{number}", player.name));
            player.name = numbered.find(|name| !is_taken(name)).unwrap_or_default();
        }
        players.push(player);
    }
    Ok(players)
}

/// The anchors of the rating table.
fn anchors(args: &MatchArgs, players: &[PlayerSpec]) -> Result<Vec<Anchor>, Failure> {
    if players.len() == 2 && !args.anchors.is_empty() {
        return Err(Failure::new(
            "--anchor is for the table of three or more engines, found 2 --engine; expected \"alfiere ratings\" on the \
             games of --pgn",
        ));
    }
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    Ok(find_anchors(&args.anchors, &names)?)
}

/// Opens a PGN file for appending, after an empty line if its last game may be incomplete. Refuses files that are no PGN.
fn append(path: &Path) -> Result<BufWriter<File>, Failure> {
    let failure = |error| Failure::at(path, error);
    let mut file = File::options().create(true).append(true).read(true).open(path).map_err(failure)?;
    let length = file.metadata().map_err(failure)?.len();
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(64).read_to_end(&mut start).map_err(failure)?;
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start).trim_ascii_start();
    if !start.is_empty() && !b"[%;".contains(&start[0]) {
        let path = path.display();
        return Err(Failure::new(format!(
            "{path}: expected PGN, to which games are appended; found a file that does not start with a tag"
        )));
    }
    let mut end = [0; 2];
    if length >= 2 {
        file.seek(SeekFrom::End(-2)).and_then(|_| file.read_exact(&mut end)).map_err(failure)?;
    }
    let mut file = BufWriter::new(file);
    if length > 0 && end != *b"\n\n" {
        file.write_all(b"\n\n").map_err(failure)?;
    }
    Ok(file)
}
