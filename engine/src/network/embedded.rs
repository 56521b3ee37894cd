//! The network inside the program: `nets/default.nnue`, or the file that `EVALFILE` named when it was compiled.

use std::sync::OnceLock;

use super::nnue::Network;

static BYTES: &[u8] = include_bytes!(env!("ALFIERE_EVALFILE"));

impl Network {
    /// The network inside the program, read once.
    ///
    /// # Panics
    /// If the program was compiled with a file that is no network. A test sees to the default one.
    pub fn embedded() -> &'static Self {
        static NETWORK: OnceLock<Network> = OnceLock::new();
        NETWORK.get_or_init(|| match Self::from_bytes(BYTES) {
            Ok(network) => network,
            // There is nothing to play with: the program itself is broken, and better refuses than plays nonsense.
            Err(error) => panic!("the network compiled into this program ({}): {error}", env!("ALFIERE_EVALFILE")),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::network::Network;

    #[test]
    fn the_embedded_network_can_be_read() {
        let network = Network::embedded();
        network.architecture().validate().expect("a file's architecture is checked");
        assert!(std::ptr::eq(network, Network::embedded()));
    }
}
