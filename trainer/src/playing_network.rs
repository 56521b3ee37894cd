//! The network that the engine plays with where data is made, and what tells it from others.

use std::path::Path;
use std::sync::Arc;

use alfiere_nnue::{Network, NetworkError};
use alfiere_search::eval::NetworkChoice;
use xxhash_rust::xxh3::xxh3_64;

/// A network with its print.
#[derive(Clone, Debug)]
pub struct PlayingNetwork {
    /// The network.
    pub network: NetworkChoice,
    /// `xxh3:` and the hash of its bytes: what was made with it is continued with it alone.
    pub print: String,
}

impl PlayingNetwork {
    /// The network of a file; without one, that inside the engine.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no network.
    pub fn load(path: Option<&Path>) -> Result<Self, NetworkError> {
        let network = match path {
            Some(path) => NetworkChoice::Loaded(Arc::new(Network::load(path)?)),
            None => NetworkChoice::default(),
        };
        let print = format!("xxh3:{:016x}", xxh3_64(&network.to_bytes()));
        Ok(Self { network, print })
    }
}
