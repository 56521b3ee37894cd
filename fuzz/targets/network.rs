//! Networks: one that loads evaluates positions without overflow, is written as the same bytes and can be made of its
//! integers.
#![no_main]

use alfiere_chess::board::Board;
use alfiere_chess::positions::POSITIONS;
use alfiere_nnue::{AccumulatorStack, Network, Provenance, piece_values};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let bytes = alfiere_fuzz::with_checksum(bytes);
    let Ok(network) = Network::from_bytes(&bytes) else { return };
    assert_eq!(network.to_bytes(), bytes);
    for fen in POSITIONS.iter().take(3) {
        let board = Board::from_fen(fen).expect("legal");
        AccumulatorStack::new(&network).evaluate(&network, &board);
    }
    piece_values(&network, &Board::startpos());
    Network::from_parameters(network.parameters().clone(), Provenance::default()).expect("checked when it was loaded");
});
