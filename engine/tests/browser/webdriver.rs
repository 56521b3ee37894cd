//! A minimal `WebDriver` client for Chromium and chromedriver.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::request;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Screen {
    Desktop,
    DesktopDark,
    Phone,
    PhoneDark,
    /// As narrow as phones are.
    SmallPhone,
}

/// A browser with a fresh profile; dropping it closes it.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: tempfile::TempDir,
}

/// The protocol's key of element ids.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const TIMEOUT: Duration = Duration::from_secs(30);

impl Browser {
    pub(crate) fn start(screen: Screen) -> Self {
        // Picks a free port.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = Command::new(std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned()))
            .args([&format!("--port={port}"), "--silent"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Self { driver, port, session: String::new(), profile };
        let until = Instant::now() + TIMEOUT;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "chromedriver does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        let mut arguments: Vec<String> = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1280,930",
        ]
        .map(String::from)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", browser.profile.path().display()));
        let mut options = json!({ "args": arguments });
        let phone = match screen {
            Screen::Desktop | Screen::DesktopDark => None,
            Screen::Phone | Screen::PhoneDark => Some((390, 844)),
            Screen::SmallPhone => Some((360, 640)),
        };
        if let Some((width, height)) = phone {
            options["mobileEmulation"] =
                json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2, "touch": true}});
        }
        if let Ok(binary) = std::env::var("CHROMIUM") {
            options["binary"] = json!(binary);
        }
        let capabilities = json!({"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
                            "unhandledPromptBehavior": "ignore"});
        let begun = browser.send("POST", "/session", &json!({"capabilities": {"alwaysMatch": capabilities}}));
        browser.session = format!("/session/{}", begun["sessionId"].as_str().unwrap());
        let theme = if matches!(screen, Screen::DesktopDark | Screen::PhoneDark) { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": theme}]);
        browser.ask(
            "POST",
            "/goog/cdp/execute",
            &json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}}),
        );
        browser
    }

    pub(crate) fn open(&self, page: &str) {
        self.ask("POST", "/url", &json!({ "url": page }));
    }

    pub(crate) fn reload(&self) {
        self.ask("POST", "/refresh", &json!({}));
    }

    /// The result of a script in the page.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until an expression in the page is true.
    pub(crate) fn wait(&self, condition: &str) {
        let until = Instant::now() + TIMEOUT;
        while self.script(&format!("return Boolean({condition})")) != true {
            if Instant::now() > until {
                self.picture("failed");
                panic!("timeout waiting for {condition}");
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Checks that the page does not overflow horizontally. `innerWidth` would grow with the page on a phone.
    pub(crate) fn has_no_overflow(&self, name: &str) {
        let widths = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]";
        let widths = self.script(widths);
        assert!(widths[0].as_u64() <= widths[1].as_u64(), "{name} is {widths} pixels wide");
    }

    pub(crate) fn click(&self, selector: &str) {
        self.ask("POST", &format!("/element/{}/click", self.find(selector)), &json!({}));
    }

    pub(crate) fn write(&self, selector: &str, text: &str) {
        self.ask("POST", &format!("/element/{}/value", self.find(selector)), &json!({ "text": text }));
    }

    /// Sends keys to the focused element; special keys are the protocol's private characters.
    pub(crate) fn keys(&self, keys: &str) {
        let key = |kind: &str, key: char| json!({"type": kind, "value": key.to_string()});
        let actions: Vec<Value> = keys.chars().flat_map(|each| [key("keyDown", each), key("keyUp", each)]).collect();
        self.ask("POST", "/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// Drags from the middle of one element to the middle of another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let over = |selector: &str| json!({"type": "pointerMove", "duration": 80, "origin": {ELEMENT: self.find(selector)}, "x": 0, "y": 0});
        let actions =
            json!([over(from), {"type": "pointerDown", "button": 0}, over(to), {"type": "pointerUp", "button": 0}]);
        self.ask("POST", "/actions", &json!({"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]}));
    }

    pub(crate) fn accept_question(&self) {
        self.ask("POST", "/alert/accept", &json!({}));
    }

    /// Saves a screenshot in the folder `PICTURES`, if it is set.
    pub(crate) fn picture(&self, name: &str) {
        let Ok(folder) = std::env::var("PICTURES") else { return };
        // Waits for animations.
        std::thread::sleep(Duration::from_millis(400));
        let text = self.ask("GET", "/screenshot", &Value::Null);
        let path = PathBuf::from(folder).join(format!("{name}.png"));
        std::fs::write(path, decode_base64(text.as_str().unwrap())).unwrap();
    }

    /// Checks that the page logged no error, except for requests that a test makes invalid on purpose.
    pub(crate) fn has_no_errors(&self) {
        let log = self.ask("POST", "/se/log", &json!({"type": "browser"}));
        let is_expected = |entry: &Value| entry["message"].as_str().unwrap().contains("status of 422");
        let errors: Vec<&Value> = log.as_array().unwrap().iter().filter(|entry| !is_expected(entry)).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }

    fn find(&self, selector: &str) -> String {
        let found = self.ask("POST", "/element", &json!({"using": "css selector", "value": selector}));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        self.send(method, &format!("{}{path}", self.session), body)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = request(self.port, method, path, &[("Content-Type", "application/json")], &body);
        assert_eq!(answer.status, 200, "{method} {path} {body}: {}", answer.body);
        answer.json()["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            request(self.port, "DELETE", &self.session, &[], "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn decode_base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|letter| LETTERS.iter().position(|&other| other == letter));
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_usize, 0);
    for value in values {
        held = held << 6 & 0xffff | value;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
        }
    }
    bytes
}
