//! Earlier positions, for draws by repetition: those of the game and those of the line being searched.

/// The keys of earlier positions. Both lists grow as needed, so nothing is overwritten.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Positions of the game since its last capture, oldest first.
    played: Vec<u64>,
    /// Positions below the root of the search, and whether a capture led there.
    searched: Vec<(u64, bool)>,
}

impl History {
    /// Adds a position of the game. Whether it had occurred since the last capture.
    pub fn play(&mut self, key: u64, after_capture: bool) -> bool {
        if after_capture {
            self.played.clear();
        }
        let repeated = self.played.contains(&key);
        self.played.push(key);
        repeated
    }

    /// Adds a position of the search. Whether it had occurred since the last capture, in the search or in the game.
    pub fn enter(&mut self, key: u64, after_capture: bool) -> bool {
        let repeated = !after_capture && self.contains(key);
        self.searched.push((key, after_capture));
        repeated
    }

    /// Removes the last position of the search.
    pub fn leave(&mut self) {
        self.searched.pop();
    }

    // ANCHOR: history
    fn contains(&self, key: u64) -> bool {
        for &(earlier, after_capture) in self.searched.iter().rev() {
            if earlier == key {
                return true;
            }
            if after_capture {
                return false;
            }
        }
        self.played.contains(&key)
    }
    // ANCHOR_END: history
}
