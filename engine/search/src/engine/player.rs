//! The players: the evaluator and the search of each. They are declared only here.

use alfiere_nnue::EmbeddedNetwork;

use crate::eval::{AnyEvaluator, Classical, NetworkChoice};
use crate::search::{BeamShape, Reporter, SearchInput, SearchResult, ThreadData, beam, random_move, search};

/// A player: an evaluator and a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Player {
    /// The full search with the default network.
    #[default]
    Nnue,
    /// The full search with the hand-written evaluation.
    Classical,
    /// The full search with the network that a CSV of Kaggle yields.
    Kaggle,
    /// The full search with a linear network.
    Perceptron,
    /// A minimax over the few best moves of each node by a deep network, without endgame tables or contempt.
    Beam,
    Random,
}

/// Inputs that only some players use.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchContext {
    pub(super) beam: BeamShape,
    /// A random number for this move.
    pub(super) random: u64,
}

impl Player {
    /// All players, the default first.
    pub const ALL: [Self; 6] = [Self::Nnue, Self::Classical, Self::Kaggle, Self::Perceptron, Self::Beam, Self::Random];

    /// The players of this program: those whose network was compiled in.
    pub fn available() -> Vec<Self> {
        let is_available = |player: &Self| player.network().is_none_or(EmbeddedNetwork::is_compiled_in);
        Self::ALL.into_iter().filter(is_available).collect()
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Nnue => "nnue",
            Self::Classical => "classical",
            Self::Kaggle => "kaggle",
            Self::Perceptron => "perceptron",
            Self::Beam => "beam",
            Self::Random => "random",
        }
    }

    /// The player of this name, in upper or lower case.
    pub fn named(name: &str) -> Option<Self> {
        Self::available().into_iter().find(|player| player.name().eq_ignore_ascii_case(name))
    }

    /// The names of all players, separated by commas.
    pub fn names() -> String {
        Self::available().into_iter().map(Self::name).collect::<Vec<_>>().join(", ")
    }

    /// Its embedded network; `None` for players without one.
    pub const fn network(self) -> Option<EmbeddedNetwork> {
        match self {
            Self::Nnue => Some(EmbeddedNetwork::Default),
            Self::Kaggle => Some(EmbeddedNetwork::Kaggle),
            Self::Perceptron => Some(EmbeddedNetwork::Perceptron),
            Self::Beam => Some(EmbeddedNetwork::Beam),
            Self::Classical | Self::Random => None,
        }
    }

    /// Its network if this one was chosen: a loaded one replaces its own, except for `kaggle` and the perceptron, which
    /// are their networks.
    pub(super) fn network_of(self, chosen: &NetworkChoice) -> Option<NetworkChoice> {
        let own = self.network()?;
        Some(match (self, chosen) {
            (Self::Nnue | Self::Beam, NetworkChoice::Loaded(_)) => chosen.clone(),
            _ => NetworkChoice::Embedded(own),
        })
    }

    /// Its evaluator. `random` uses none, and gets the hand-written evaluation.
    pub fn evaluator(self, chosen: &NetworkChoice) -> AnyEvaluator {
        self.network_of(chosen).map_or_else(|| AnyEvaluator::Classical(Classical::new()), AnyEvaluator::neural)
    }

    /// Finds a move; `thread_data` must not be empty.
    pub(super) fn search(
        self,
        thread_data: &mut [ThreadData<AnyEvaluator>],
        context: SearchContext,
        input: &SearchInput<'_>,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        match self {
            Self::Nnue | Self::Classical | Self::Kaggle | Self::Perceptron => search(thread_data, input, reporter),
            Self::Beam => beam(thread_data, context.beam, input, reporter),
            Self::Random => random_move(context.random, input, reporter),
        }
    }
}
