//! The networks that engines use to generate or label data, and their fingerprints.

use std::path::Path;
use std::sync::Arc;

use alfiere_arena::spec::PlayerSpec;
use alfiere_data::{DataError, Fingerprint};
use alfiere_nnue::{Network, NetworkError};
use alfiere_search::eval::NetworkChoice;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Clone, Debug)]
pub struct PlayingNetwork {
    pub network: NetworkChoice,
    /// `xxh3:` followed by the hash of the network's bytes. Resuming a job requires the same fingerprint.
    pub fingerprint: String,
}

impl PlayingNetwork {
    /// Loads a network from a file, or the one embedded in the engine if `path` is `None`.
    ///
    /// # Errors
    /// If the file cannot be read or is not a network.
    pub fn load(path: Option<&Path>) -> Result<Self, NetworkError> {
        let network = match path {
            Some(path) => NetworkChoice::Loaded(Arc::new(Network::load(path)?)),
            None => NetworkChoice::default(),
        };
        let fingerprint = format!("xxh3:{:016x}", xxh3_64(&network.to_bytes()));
        Ok(Self { network, fingerprint })
    }
}

/// The files among the options of an external engine, each as ` NAME xxh3:HASH`: a job that is resumed needs the same.
///
/// # Errors
/// If a file cannot be read.
pub fn fingerprint_of_options(spec: &PlayerSpec) -> Result<String, DataError> {
    spec.option_files().map(|(name, path)| Ok(format!(" {name} xxh3:{:016x}", Fingerprint::of(path)?.hash))).collect()
}
