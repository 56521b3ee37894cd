//! The embedded networks: the default (`nets/default.nnue`, or the file named by `EVALFILE` at compile time) and those
//! of the other players.

use std::sync::OnceLock;

use super::nnue::Network;

/// A network inside the program.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EmbeddedNetwork {
    /// The default network of the engine.
    #[default]
    Default,
    /// The one that a CSV of Kaggle yields.
    Kaggle,
    /// The linear one.
    Perceptron,
    /// The deep one of the report.
    Beam,
}

impl EmbeddedNetwork {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Default, Self::Kaggle, Self::Perceptron, Self::Beam];

    /// Whether it was compiled in: the players' own networks are with the feature `players`.
    pub const fn is_compiled_in(self) -> bool {
        matches!(self, Self::Default) || cfg!(feature = "players")
    }

    /// The name and the bytes of the file, none if it was not compiled in.
    const fn source(self) -> (&'static str, &'static [u8]) {
        match self {
            Self::Default => (env!("ALFIERE_EVALFILE"), include_bytes!(env!("ALFIERE_EVALFILE"))),
            #[cfg(feature = "players")]
            Self::Kaggle => ("kaggle.nnue", include_bytes!(env!("ALFIERE_KAGGLE"))),
            #[cfg(feature = "players")]
            Self::Perceptron => ("perceptron.nnue", include_bytes!(env!("ALFIERE_PERCEPTRON"))),
            #[cfg(feature = "players")]
            Self::Beam => ("beam.nnue", include_bytes!(env!("ALFIERE_BEAM"))),
            #[cfg(not(feature = "players"))]
            Self::Kaggle | Self::Perceptron | Self::Beam => ("a network of the feature `players`", &[]),
        }
    }

    /// The network, read once.
    ///
    /// # Panics
    /// If the program was compiled with a file that is no network, which a test sees to for those of the repository, or
    /// without this network, as [`EmbeddedNetwork::is_compiled_in`] tells.
    pub fn network(self) -> &'static Network {
        static NETWORKS: [OnceLock<Network>; EmbeddedNetwork::ALL.len()] =
            [const { OnceLock::new() }; EmbeddedNetwork::ALL.len()];
        NETWORKS[self as usize].get_or_init(|| {
            let (name, bytes) = self.source();
            match Network::from_bytes(bytes) {
                Ok(network) => network,
                // Without a network the engine cannot play sensibly: the program itself is broken.
                Err(error) => panic!("the network compiled into this program ({name}): {error}"),
            }
        })
    }
}

impl Network {
    /// The default network inside the program, read once.
    ///
    /// # Panics
    /// As [`EmbeddedNetwork::network`].
    pub fn embedded() -> &'static Self {
        EmbeddedNetwork::Default.network()
    }
}

#[cfg(all(test, feature = "players"))]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_can_be_read() {
        for embedded in EmbeddedNetwork::ALL {
            let network = embedded.network();
            network.architecture().validate().expect("a file's architecture is checked");
            assert!(std::ptr::eq(network, embedded.network()));
        }
        let shape = |embedded: EmbeddedNetwork| embedded.network().architecture().to_string();
        assert_eq!(shape(EmbeddedNetwork::Beam), "white [769,384,192,96] crelu x1");
        assert_eq!(shape(EmbeddedNetwork::Perceptron), "white [] crelu x1");
    }
}
