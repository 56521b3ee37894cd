//! The flat layout: its length, and the shapes that have none.

use super::{ARCHITECTURES, quantised, random_network};
use crate::LayoutError;

#[test]
fn a_layout_has_the_length_of_its_table_and_other_shapes_are_refused() {
    for (text, width, buckets) in [("dual [12]", 12, 1), ("dual [7] screlu x8", 7, 8)] {
        let network = quantised(&random_network(text, 3));
        let bytes = network.to_layout().expect(text);
        assert_eq!(bytes.len(), 32 + 2 * (770 * width + 2 * width * buckets) + 4 * buckets, "{text}");
        assert_eq!(
            bytes[..16],
            [&b"ALFFLAT\x01"[..], &[width as u8, 0, 0, 0, buckets as u8, 0, 0, 0]].concat(),
            "{text}"
        );
    }
    for text in ARCHITECTURES {
        let network = quantised(&random_network(text, 3));
        let architecture = network.architecture().clone();
        let is_simple =
            architecture.is_dual() && architecture.hidden.len() == 1 && !architecture.inputs.is_king_relative();
        let expected = if is_simple { None } else { Some(LayoutError::Shape(architecture)) };
        assert_eq!(network.to_layout().err(), expected, "{text}");
    }
}
