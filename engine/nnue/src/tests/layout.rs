//! The flat layout: its length, and the shapes that have none.

use super::{ARCHITECTURES, quantised, random_network};
use crate::LayoutError;

#[test]
fn a_layout_has_the_length_of_its_table_and_other_shapes_are_refused() {
    for (text, width, buckets, kings) in
        [("dual [12]", 12, 1, 1), ("dual [7] screlu x8", 7, 8, 1), ("dual [7] x8 kings=4", 7, 8, 4)]
    {
        let network = quantised(&random_network(text, 3));
        let bytes = network.to_layout().expect(text);
        let numbers = kings * 768 * width + 2 * width + 2 * width * buckets;
        assert_eq!(bytes.len(), 128 + 2 * numbers + 4 * buckets, "{text}");
        assert_eq!(
            bytes[..16],
            [&b"ALFFLAT\x02"[..], &[width as u8, 0, 0, 0, buckets as u8, 0, 0, 0]].concat(),
            "{text}"
        );
        let has_mirror = kings > 1;
        assert_eq!((usize::from(bytes[28]), bytes[32 + 7] >= 128), (kings, has_mirror), "{text}");
        assert_eq!(usize::from(bytes[96 + 31]), buckets - 1, "{text}");
    }
    for text in ARCHITECTURES {
        let network = quantised(&random_network(text, 3));
        let architecture = network.architecture().clone();
        let is_simple = architecture.is_dual() && architecture.hidden.len() == 1;
        let expected = if is_simple { None } else { Some(LayoutError::Shape(architecture.to_string())) };
        assert_eq!(network.to_layout().err(), expected, "{text}");
    }
}
