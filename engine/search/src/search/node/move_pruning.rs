//! Pruning of single moves: reasons not to search a late move at all.

use super::facts::{Candidate, MoveHistory, Node};
use crate::eval::Evaluator;
use crate::search::ordering::{MovePicker, QuietHistory};
use crate::search::score::Score;
use crate::search::thread::Worker;
use crate::search::tunables::{Tunables, when};

/// A move that is not searched.
pub(crate) struct Pruned {
    /// What it may reach at most, if that is known.
    pub(crate) reachable: Option<Score>,
}

impl Pruned {
    pub(crate) fn when(pruned: bool) -> Option<Self> {
        pruned.then_some(Self { reachable: None })
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Prunes a move, or nothing; may also tell the picker to skip the remaining quiet moves.
    ///
    /// Call it only after a move that does not lose was found, and only if the side to move has non-pawn material.
    pub(crate) fn prune_move(&self, node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) -> Option<Pruned> {
        self.late_move_pruning(node, candidate, picker);
        match candidate.history {
            MoveHistory::Quiet(_) if candidate.gives_check => self.exchange_pruning(node, candidate, 0),
            MoveHistory::Quiet(history) => self.prune_quiet(node, candidate, history),
            MoveHistory::Noisy { history, gain } => self
                .capture_futility(node, candidate, history, gain)
                .or_else(|| self.exchange_pruning(node, candidate, history)),
        }
    }

    /// Late move pruning: near the leaves, quiet moves late in the order are skipped.
    fn late_move_pruning(&self, node: &Node<'_>, candidate: &Candidate, picker: &mut MovePicker) {
        let (tunables, depth) = (self.input.tunables, candidate.depth.get());
        let hundredths = tunables.late_move_base() + tunables.late_move_slope() * depth * depth;
        let count = if node.improving { hundredths / 100 } else { hundredths / 200 };
        if candidate.number >= count as usize {
            picker.skip_quiets();
        }
    }

    /// Prunes a quiet move that gives no check, unless the line is still the last iteration's principal variation.
    fn prune_quiet(&self, node: &Node<'_>, candidate: &Candidate, history: QuietHistory) -> Option<Pruned> {
        if node.kind.is_pv() && self.frames.at(node.ply).follows_variation {
            return None;
        }
        let tunables = self.input.tunables;
        let by_history = 2 * history.butterfly + history.continuation + history.pawn;
        let reduced = candidate.reduced_depth() + by_history / tunables.pruning_history_divisor();
        // History pruning: it has done very badly after moves like the last ones.
        Pruned::when(history.continuation + history.pawn < -tunables.history_pruning_slope() * candidate.depth.get())
            .or_else(|| self.futility(node, candidate, reduced))
            .or_else(|| {
                let loss = tunables.see_quiet_slope() * reduced.max(0) * reduced.max(0);
                Pruned::when(!node.board.see_at_least(candidate.mv, -loss))
            })
    }

    /// Futility pruning: the static evaluation is too far below alpha for this quiet move.
    fn futility(&self, node: &Node<'_>, candidate: &Candidate, reduced: i32) -> Option<Pruned> {
        let (tunables, eval) = (self.input.tunables, node.static_eval?);
        let margin = tunables.futility_base()
            + tunables.futility_slope() * reduced
            + when(eval > candidate.alpha, tunables.futility_above());
        let reachable = eval + margin;
        (reduced < tunables.futility_depth() && reachable <= candidate.alpha)
            .then_some(Pruned { reachable: Some(reachable) })
    }

    /// Futility pruning of captures: even the captured piece is not enough.
    fn capture_futility(&self, node: &Node<'_>, candidate: &Candidate, history: i32, gain: i32) -> Option<Pruned> {
        let tunables = self.input.tunables;
        let reduced = candidate.reduced_depth();
        let gained = tunables.eval_of_material(gain)
            + tunables.capture_futility_base()
            + tunables.capture_futility_slope() * reduced
            + history / tunables.capture_futility_history_divisor();
        Pruned::when(
            !candidate.gives_check
                && reduced < tunables.capture_futility_depth()
                && node.static_eval? + gained <= candidate.alpha,
        )
    }

    /// Exchange pruning of captures and checks: it loses too much material.
    fn exchange_pruning(&self, node: &Node<'_>, candidate: &Candidate, history: i32) -> Option<Pruned> {
        let tunables = self.input.tunables;
        let least =
            -tunables.see_capture_slope() * candidate.depth.get() - history / tunables.see_capture_history_divisor();
        Pruned::when(!node.board.see_at_least(candidate.mv, least))
    }
}

impl Tunables {
    /// Static exchange to evaluation: its centipawns in those of the evaluation, which values a pawn at less than 100.
    pub(crate) fn eval_of_material(&self, material: i32) -> i32 {
        material * self.material_worth() / 64
    }

    /// Evaluation to static exchange: the inverse of [`Tunables::eval_of_material`].
    pub(crate) fn material_of_eval(&self, eval: i32) -> i32 {
        eval * 64 / self.material_worth()
    }
}
