//! The frame of a page, and the files that all pages share.

use std::hash::{DefaultHasher, Hash, Hasher};

use hyper::header::{ETAG, HeaderValue};

use super::{ApiError, Response, response};

/// A file of the pages, embedded in the program.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    pub name: &'static str,
    pub text: &'static str,
}

impl Asset {
    /// Changes when the content does.
    fn tag(&self) -> HeaderValue {
        let mut hasher = DefaultHasher::new();
        self.text.hash(&mut hasher);
        HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish())).unwrap_or(HeaderValue::from_static("\"\""))
    }

    fn kind(&self) -> &'static str {
        match self.name.rsplit_once('.') {
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml",
            _ => "text/javascript; charset=utf-8",
        }
    }
}

/// A page: its own content within the frame that all pages share. Its style is the asset `style.css`.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub title: &'static str,
    /// Name of its script, without `.js`.
    pub script: &'static str,
    pub main: &'static str,
    /// Links to the program's pages.
    pub links: &'static str,
}

const SHELL: &str = include_str!("../assets/shell.html");
/// The pieces are part of every page: a piece that is drawn later asks the server for nothing.
const PIECES: &str = include_str!("../assets/pieces.svg");

static SHARED: &[Asset] = &[
    Asset { name: "base.css", text: include_str!("../assets/base.css") },
    Asset { name: "icon.svg", text: include_str!("../assets/icon.svg") },
    Asset { name: "elements.js", text: include_str!("../assets/elements.js") },
    Asset { name: "mistakes.js", text: include_str!("../assets/mistakes.js") },
    Asset { name: "notation.js", text: include_str!("../assets/notation.js") },
    Asset { name: "theme.js", text: include_str!("../assets/theme.js") },
];

/// The file of this name: one of `own`, or one that all pages share.
///
/// # Errors
/// If there is none.
pub fn asset(own: &[Asset], name: &str) -> Result<Response, ApiError> {
    let found = own.iter().chain(SHARED).find(|asset| asset.name == name);
    let asset = found.ok_or_else(|| ApiError::not_found(format!("there is no file {name}")))?;
    let mut answer = response(asset.kind(), asset.text);
    answer.headers_mut().insert(ETAG, asset.tag());
    Ok(answer)
}

impl Page {
    pub fn send(&self) -> Response {
        let text = SHELL
            .replace("{links}", self.links)
            .replace("{title}", self.title)
            .replace("{script}", self.script)
            .replace("{main}", self.main.trim_end())
            .replace("{pieces}", PIECES.trim_end())
            .replace("{root}", "./");
        response("text/html; charset=utf-8", text)
    }
}
