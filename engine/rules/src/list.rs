//! Lists in questions, which end before they take much memory.

use std::fmt;
use std::marker::PhantomData;

use alfiere_chess::game::LONGEST_GAME;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// Maximum number of elements: the positions of the longest game.
const MAX_ELEMENTS: usize = LONGEST_GAME + 1;

/// A list of at most [`MAX_ELEMENTS`].
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAX_ELEMENTS} elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<List<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            if list.len() == MAX_ELEMENTS {
                return Err(A::Error::custom(format_args!("a list of more than {MAX_ELEMENTS} elements")));
            }
            list.push(element);
        }
        Ok(List(list))
    }
}
