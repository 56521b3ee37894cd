//! The page of training runs: what `trainer train --watch` and `trainer watch` serve.
//!
//! The page reads only the records of the runs, so it cannot disturb them, and it shows a finished run as it showed a
//! running one. `view` is the JSON of the runs, `pictures` their charts, `server` the routes.
//!
//! | request | answer |
//! |---|---|
//! | `GET /` | the page |
//! | `GET /api/runs` | the runs and the list of pictures, see `view.rs` |
//! | `GET /pictures/NAME.svg?width=PIXELS` | a picture of that list |

pub mod pictures;
mod server;
mod view;

pub use server::{MAX_RUNS, WatchServer};
