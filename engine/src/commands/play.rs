//! `alfiere play`: plays in a browser.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::net::{SocketAddr, ToSocketAddrs};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use alfiere::web::{Server, ServerSettings};
use alfiere_search::engine::Settings;
use alfiere_search::eval::NetworkChoice;
use alfiere_terminal::{interrupt, say};
use clap::Args;

use super::arguments::open_tablebases;
use super::{CommandResult, Failure};

/// The ports that are tried without `--port`.
const DEFAULT_PORTS: RangeInclusive<u16> = 8080..=8099;

/// Play against Alfiere in a browser. The page is served by this program and needs no internet connection.
#[derive(Args)]
#[command(after_help = "Examples:
  alfiere play
  alfiere play --no-open --port 0 --net nets/default.nnue --threads 2
  alfiere play --results a.json b.json # with a cross table of matches
  alfiere play --host 0.0.0.0          # for other devices in the same network")]
pub(crate) struct PlayArgs {
    /// Port to listen on, 0 for any free port; by default the first free one from 8080 on
    #[arg(long)]
    port: Option<u16>,
    /// Host name or address to listen on; other machines can connect unless it is a loopback address
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Open the page in the browser even without a terminal or screen
    #[arg(long, conflicts_with = "no_open")]
    open: bool,
    /// Do not open a browser, only print the address
    #[arg(long)]
    no_open: bool,
    /// Network file instead of the embedded network
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Folders of Syzygy endgame tables, separated as in the option `SyzygyPath`
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,
    /// Results of matches, written by "alfiere match --json", for the tournament page
    #[arg(long, value_name = "FILE", num_args = 1..)]
    results: Vec<PathBuf>,
    /// Number of search threads of an opponent
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Hash table size of an opponent in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=4096))]
    hash: u32,
}

pub(crate) fn run(args: &PlayArgs) -> CommandResult {
    let network = NetworkChoice::of(args.net.as_ref())?;
    let engine = Settings { threads: args.threads as usize, hash_mib: args.hash as usize, ..Settings::default() };
    let addresses = addresses(args)?;
    let tablebases = args.syzygy.as_deref().map(open_tablebases).transpose()?.unwrap_or_default();
    let results = args.results.clone();
    let server = Server::bind(ServerSettings { addresses, engine, network, tablebases, results })?;
    let stop = interrupt::watch()?;
    let address = server.address();
    if args.port.is_none() && address.port() != *DEFAULT_PORTS.start() {
        say(format_args!("port {} is in use: taking {}", DEFAULT_PORTS.start(), address.port()));
    }
    let page = if address.ip().is_unspecified() {
        format!("http://localhost:{}/", address.port())
    } else {
        format!("http://{address}/")
    };
    say(format_args!("Alfiere plays at {page} (Ctrl-C ends)"));
    if !address.ip().is_loopback() {
        say(format_args!("other machines can connect to this machine's name or address, port {}", address.port()));
    }
    if args.open || !args.no_open && is_interactive() {
        open_page(&page);
    }
    server.run(&stop)?;
    say("ended");
    Ok(())
}

/// The addresses to try: with the port that was asked for, or with any of the default ones.
fn addresses(args: &PlayArgs) -> Result<Vec<SocketAddr>, Failure> {
    let failure = |what: &str| Failure::new(format!("--host {}: {what}", args.host));
    let mut found = (args.host.as_str(), 0).to_socket_addrs().map_err(|error| failure(&error.to_string()))?;
    let ip = found.next().ok_or_else(|| failure("no such host"))?.ip();
    let ports = args.port.map_or(DEFAULT_PORTS, |port| port..=port);
    Ok(ports.map(|port| SocketAddr::new(ip, port)).collect())
}

/// Whether there is a terminal and a screen for a browser.
fn is_interactive() -> bool {
    let has_screen = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    has_screen && std::io::stdout().is_terminal()
}

/// Opens the page in the default browser. Without one, the printed address must do.
fn open_page(page: &str) {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(words).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let quiet = command.spawn();
    if let Err(error) = quiet {
        say(format_args!("cannot open a browser ({program}: {error})"));
    }
}
