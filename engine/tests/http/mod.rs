//! The program's web server.
// Each test file uses a part of it.
#![allow(dead_code, unused_imports, clippy::unwrap_used)]

mod client;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub(crate) use client::{Response, exchange, request};
use serde_json::Value;

/// A running `alfiere play` on a free port; killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_in(&[], arguments)
    }

    pub(crate) fn start_in(environment: &[(&str, &str)], arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_alfiere"))
            .envs(environment.iter().copied())
            .args(["play", "--hash", "1"])
            .args(if arguments.contains(&"--port") { &[][..] } else { &["--port", "0"] })
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find(|line| line.contains("http://")).unwrap();
        let port = address.split(['/', ' ']).find_map(|word| word.rsplit_once(':')?.1.parse().ok());
        Self { child, port: port.unwrap_or_else(|| panic!("no port in: {address}")) }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn wait(&mut self) -> std::process::ExitStatus {
        self.child.wait().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        request(self.port, "GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        request(self.port, "POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
