//! The record of a run and the page that shows it: JSON and pictures over HTTP, kills and resumes, and the page in
//! Chromium (`scripts/test-watch`).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::{Response, request};
use crate::support::{Folder, signal};
use crate::webdriver::{Browser, Screen};

const RUN: &str = "--net 'dual [16,8] x8' --batch 128 --rows 6000 --out mine.nnue";

/// A running `trainer`; killed when dropped.
struct Running {
    child: Child,
    port: u16,
}

impl Running {
    /// Starts it in a folder, and waits for the address of its page.
    fn start(folder: &Folder, line: &str) -> Self {
        let mut child = folder.start(line);
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let port = loop {
            let mut line = String::new();
            assert!(lines.read_line(&mut line).unwrap() > 0, "no address in: {said}");
            said += &line;
            let port = line.split_once("http://127.0.0.1:").and_then(|(_, rest)| rest.split('/').next()?.parse().ok());
            if let Some(port) = port {
                break port;
            }
        };
        // What it says later must not block it.
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        Self { child, port }
    }

    fn get(&self, path: &str) -> Response {
        request(self.port, "GET", path, &[], "")
    }

    fn runs(&self) -> Value {
        let answer = self.get("/api/runs");
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
        answer.json()
    }

    /// Waits until the runs fulfil a condition.
    fn wait_for(&self, condition: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_mins(1);
        loop {
            let answer = self.runs();
            if condition(&answer) {
                return answer;
            }
            assert!(Instant::now() < until, "timeout: {answer}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn page(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn train(options: &str) -> String {
    format!("train --data SAMPLE --no-cache {RUN} {options}")
}

#[test]
fn a_run_is_watched_killed_and_resumed() {
    let folder = Folder::new();
    let running = Running::start(&folder, &train("--epochs 100000 --watch"));
    // Browsers that send half a request, or vanish, disturb neither the run nor the page.
    let mut slow = TcpStream::connect(("127.0.0.1", running.port)).unwrap();
    slow.write_all(b"GET /api/runs HTTP/1.1\r\nHost: ").unwrap();
    let mut gone = TcpStream::connect(("127.0.0.1", running.port)).unwrap();
    gone.write_all(b"GET /api/runs HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    drop(gone);
    let answer = running.wait_for(|answer| answer["runs"][0]["last"]["epoch"].as_u64() > Some(3));
    let run = &answer["runs"][0];
    assert_eq!((&run["name"], &run["state"], &run["note"]), (&json!("mine"), &json!("running"), &json!("")));
    assert_eq!((&run["architecture"], &run["epochs"]), (&json!("dual [16,8] crelu x8"), &json!(100_000)));
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("no number: {value} in {run}"));
    for name in ["training_loss", "learning_rate", "positions_per_second", "seconds_left", "rows", "validation_rows"] {
        assert!(number(&run[name]) > 0.0, "{name}: {run}");
    }
    let last = &run["last"];
    assert!(
        number(&last["rmse"]) < 1_000.0 && number(&last["constant_rmse"]) > 100.0 && number(&last["r2"]) < 1.0,
        "{last}"
    );
    // R² is 1 − MSE / variance, so the two RMSE and R² must fit together.
    let share = number(&last["rmse"]) / number(&last["constant_rmse"]);
    assert!((1.0 - share * share - number(&last["r2"])).abs() < 1e-6, "{last}");
    let names: Vec<&str> =
        run["layers"].as_array().unwrap().iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["accumulator", "layer 2", "output"]);
    let mistakes = run["mistakes"].as_array().unwrap();
    // Each of another game, of which few rows are held out.
    assert!((6..=12).contains(&mistakes.len()), "{mistakes:?}");
    for phase in ["opening", "middlegame", "endgame"] {
        let part = mistakes.iter().filter(|mistake| mistake["phase"] == phase);
        let errors: Vec<f64> = part.map(|mistake| number(&mistake["error"])).collect();
        assert!(errors.is_sorted_by(|one, other| one >= other) && errors.len() <= 4, "{errors:?}");
        assert!(errors.iter().all(|&error| error <= 2.0), "{errors:?}");
    }
    assert_eq!((&run["measured"], &run["network"]), (&Value::Null, &Value::Null));
    let text = folder.text("mine.run.jsonl");
    assert!(mistakes.iter().all(|mistake| text.contains(mistake["fen"].as_str().unwrap())));

    let charts = answer["charts"].as_array().unwrap();
    assert_eq!(charts.len(), 5);
    for chart in charts {
        let points: Vec<usize> =
            chart["curves"].as_array().unwrap().iter().map(|curve| curve["points"].as_array().unwrap().len()).collect();
        assert!(!points.is_empty() && points.iter().all(|&count| count > 0), "{chart}");
    }
    assert_eq!(run["seconds"].as_array().unwrap().len() as u64, last["epoch"].as_u64().unwrap() + 1);
    assert_eq!((&run["phases"][0]["lesson"], &run["options"]["batch_size"]), (&json!("rows"), &json!(128)));

    // Killed, and resumed on the same record.
    drop(running);
    let watching = Running::start(&folder, "watch mine.nnue");
    let killed = watching.runs()["runs"][0]["last"]["epoch"].as_u64().unwrap();
    let resumed = Running::start(&folder, &train("--epochs 100000 --watch --resume"));
    let answer = watching.wait_for(|answer| answer["runs"][0]["last"]["epoch"].as_u64() > Some(killed + 3));
    assert_eq!(answer["runs"][0]["state"], "running");
    let text = folder.text("mine.run.jsonl");
    assert_eq!(text.matches("\"kind\":\"start\"").count(), 2);
    // Ctrl-C ends the run, which writes its network.
    signal(&resumed.child, "-INT");
    let answer = watching.wait_for(|answer| answer["runs"][0]["state"] == "ended");
    assert_eq!(answer["runs"][0]["note"], "the run was interrupted");
    watching.wait_for(|answer| answer["runs"][0]["play"] == "alfiere play --net mine.nnue");
    assert_eq!(answer["runs"][0]["seconds_left"], Value::Null);
}

#[test]
fn other_sites_ports_and_files_are_refused() {
    let folder = Folder::new();
    folder.trainer(&train("--epochs 2")).success();
    let watching = Running::start(&folder, "watch mine.run.jsonl");
    let port = watching.port;
    let ended = &watching.runs()["runs"][0];
    assert_eq!(
        (&ended["state"], &ended["note"], &ended["trained"]),
        (&json!("ended"), &json!("all epochs are done"), &json!(2.0))
    );
    let with = |name: &str, value: &str| request(port, "GET", "/api/runs", &[(name, value)], "");
    with("Host", "example.org").is_error(421, "this server is not called example.org");
    with("Origin", "http://example.org").is_error(403, "requests from the site http://example.org");
    assert_eq!(with("Origin", &format!("http://127.0.0.1:{port}")).status, 200);
    let page = watching.get("/");
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    assert!(page.body.contains("assets/watch.js"));
    assert!(page.body.contains("id=\"wk\""));
    assert!(watching.get("/assets/uplot.js").body.ends_with("export default uPlot;\n"));
    watching.get("/assets/none").is_error(404, "there is no file none");

    // The written network with its interval, and the board on which errors are analysed.
    let (measured, network) = (&ended["measured"], ended["network"].as_str().unwrap());
    let value = |name: &str| measured["interval"][name].as_f64().unwrap();
    let r2 = measured["r2"].as_f64().unwrap();
    assert!(value("low") < r2 && r2 < value("high") && measured["unit"] == "games", "{measured}");
    assert_eq!(network, "networks/0/mine.nnue");
    assert_eq!(watching.get("/networks/0/mine.nnue").status, 200);
    watching.get("/networks/1/mine.nnue").is_error(404, "there is no network of this run");
    assert!(watching.get("/board/analysis").body.contains("src=\"./assets/analysis.js\""));
    assert_eq!(watching.get("/board/assets/analysis.js").status, 200);
    let json = [("Content-Type", "application/json")];
    let evaluated = request(port, "POST", "/board/api/search", &json, r#"{"go": "depth 2"}"#);
    assert!(evaluated.body.contains("\nbestmove "), "{}", evaluated.body);
    request(port, "POST", "/api/runs", &[], "").is_error(405, "/api/runs does not support POST");

    // A port in use is refused before the data are read.
    let refused = folder.trainer(&format!("train --data none.csv --out other.nnue --watch={port}"));
    assert_eq!(refused.refusal(), format!("port {port} is in use: choose another, or 0 for any that is free"));
    folder.trainer(&format!("watch mine.nnue --port {port}")).refused(&format!("port {port} is in use"));
    folder.trainer("watch none.nnue").refused("none.run.jsonl: ");
    folder.trainer("watch mine.nnue SAMPLE").refused("sample.csv.run.jsonl: ");
    let many = folder.trainer(&format!("watch{}", " mine.nnue".repeat(8)));
    assert_eq!(many.refusal(), "8 runs; expected at most 7");
}

#[test]
fn a_page_sees_the_end_of_its_run() {
    let folder = Folder::new();
    let mut running = Running::start(&folder, &train("--epochs 8 --watch"));
    // As a page asks: every two seconds.
    let end = loop {
        let answer = running.runs();
        if answer["runs"][0]["state"] == "ended" {
            break answer;
        }
        std::thread::sleep(Duration::from_secs(2));
    };
    let run = &end["runs"][0];
    assert_eq!((&run["trained"], &run["last"]["epoch"]), (&json!(8.0), &json!(8)));
    assert_eq!(run["play"], "alfiere play --net mine.nnue");
    assert!(running.child.wait().unwrap().success());
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-watch"]
fn the_page_follows_a_run() {
    let folder = Folder::new();
    let mut running = Running::start(&folder, &train("--epochs 100000 --watch"));
    let browser = Browser::start(Screen::Desktop);
    browser.open(&running.page());
    browser.wait("document.querySelectorAll('.chart canvas').length === 8");
    let text = |selector: &str| browser.script(&format!("return document.querySelector('{selector}').textContent"));
    let facts = text(".facts");
    for part in [
        "Epochs",
        "Training loss",
        "Validation loss",
        "R²",
        "RMSE",
        "constant",
        "Learning rate",
        "Rows per second",
        "Time left",
    ] {
        assert!(facts.as_str().unwrap().contains(part), "{part} is missing in {facts}");
    }
    assert!(text(".run-head").as_str().unwrap().ends_with("running"));
    assert_eq!(
        browser.script("return document.querySelector('.facts dd').textContent.match(/\\.\\d\\d|\\.0/)"),
        Value::Null
    );
    // It changes by itself.
    browser.wait(&format!("document.querySelector('.facts').textContent !== {facts}"));
    // The values under the pointer, and other axes.
    let legend = "document.querySelector('#charts .u-legend').textContent";
    browser.script(
        "const over = document.querySelector('#charts .u-over'); const box = over.getBoundingClientRect(); \
         over.dispatchEvent(new MouseEvent('mousemove', {clientX: box.x + box.width / 2, clientY: box.y + 9, bubbles: true}))",
    );
    browser.wait(&format!("/epoch.*\\d.*training.*\\d/.test({legend})"));
    for axis in ["steps", "minutes"] {
        browser.script(&format!(
            "document.getElementById('axes').value = '{axis}'; document.getElementById('logarithmic').click(); \
             document.getElementById('axes').dispatchEvent(new Event('change'))"
        ));
        browser.wait(&format!("{legend}.startsWith('{axis}')"));
    }
    // A position of the record, its board and its FEN.
    browser.wait("document.querySelectorAll('.mistake').length >= 6");
    let pieces = "return [...document.querySelectorAll('.mistake:first-child use')].every(use => use.getBoundingClientRect().width > 0)";
    assert_eq!(browser.script(pieces), true);
    assert_eq!(
        browser.script("return [...document.querySelectorAll('#details h3')].map((phase) => phase.textContent).join()"),
        "Opening,Middlegame,Endgame"
    );
    browser.picture("running");
    browser.has_no_errors();

    // The run is killed: the last state stays, with a sentence. When it is resumed on the same port, the page follows it again.
    let port = running.port;
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    browser.wait("!document.getElementById('problem').hidden && document.querySelectorAll('.run .facts').length === 1");
    assert!(text(".run-head").as_str().unwrap().ends_with("not connected"));
    browser.picture("gone");
    let resumed = Running::start(&folder, &train(&format!("--epochs 100000 --resume --watch={port}")));
    browser.wait("document.getElementById('problem').hidden");
    drop(browser);
    signal(&resumed.child, "-INT");
    drop(resumed);
}

#[test]
#[ignore = "needs Chromium and chromedriver: scripts/test-watch"]
fn runs_are_side_by_side_on_every_screen() {
    let folder = Folder::new();
    for options in
        ["narrow.nnue --net 'dual [16]' --lr 0.002", "deep.nnue --net 'dual [32,16,16] x8 pairwise stacks' --lr 0.001"]
    {
        let train = format!("train --data SAMPLE --no-cache --rows 20000 --epochs 8 --batch 256 --out {options}");
        folder.trainer(&train).success();
    }
    let watching = Running::start(&folder, "watch narrow.nnue deep.nnue");
    for (screen, name) in [
        (Screen::Desktop, "two-runs"),
        (Screen::DesktopDark, "two-runs-dark"),
        (Screen::Phone, "two-runs-phone"),
        (Screen::PhoneDark, "two-runs-phone-dark"),
        (Screen::SmallPhone, "two-runs-small-phone"),
    ] {
        let browser = Browser::start(screen);
        browser.open(&watching.page());
        browser.wait(
            "document.querySelectorAll('.run').length === 2 && document.querySelectorAll('#charts canvas').length === 5",
        );
        browser.script("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
        browser.wait("document.querySelectorAll('.chart canvas').length === 11");
        browser.wait("document.querySelector('#differences table').textContent.includes('0.002')");
        browser.wait("document.querySelectorAll('.mistake').length >= 12");
        assert!(
            browser.script("return document.querySelector('.facts').textContent").as_str().unwrap().contains(" games)")
        );
        browser.has_no_overflow(name);
        let theme = if matches!(screen, Screen::DesktopDark | Screen::PhoneDark) { "dark" } else { "light" };
        assert_eq!(browser.script("return document.documentElement.dataset.theme"), theme);
        let nameless = browser.script(
            "return [...document.querySelectorAll('button, a, img:not([alt=\"\"])')].filter(element => element.offsetParent \
             && !(element.textContent.trim() || element.getAttribute('aria-label') || element.alt)).map(element => element.outerHTML)",
        );
        assert_eq!(nameless, json!([]), "{name}");
        for (place, part) in [
            ("0", ""),
            ("document.getElementById('charts').offsetTop", "-charts"),
            ("document.getElementById('details').offsetTop", "-details"),
        ] {
            browser.script(&format!("scrollTo(0, {place})"));
            browser.picture(&format!("{name}{part}"));
        }
        browser.has_no_errors();
        if name == "two-runs" {
            let address = browser.script("return document.querySelector('.mistake a').href");
            browser.open(address.as_str().unwrap());
            browser.wait(
                "document.querySelectorAll('#lines li').length > 0 && document.querySelectorAll('#other-lines li').length > 0 \
                 && document.getElementById('other').selectedOptions[0].textContent.startsWith('narrow.nnue, dual [16]')",
            );
            browser.picture("error-analysed");
        }
    }
}
