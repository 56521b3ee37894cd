//! The main search: principal variation search, as a list of named steps.
//!
//! One long function by design, straight down. Pruning of whole nodes is in `pruning.rs`, the leaves in `quiescence.rs`,
//! every margin in `tunables.rs`.

use arrayvec::ArrayVec;

use super::{
    checks::Checks,
    depth::Depth,
    entry::{Bound, Entry, Importance},
    history::PieceTo,
    node::{Node, Site, refine},
    picker::{MovePicker, Scope, gain_of},
    score::{MAX_PLY, Score},
    tunables::{MoveFacts, Trend},
    window::Window,
    worker::{Searched, Worker, has_pieces},
};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::movegen::is_legal;
use crate::types::Move;

/// Moves of one kind that were tried before the best: as many as history can learn from.
pub(super) type Tried = ArrayVec<Move, 64>;

const INTERNAL_REDUCTION_DEPTH: Depth = Depth::plies(4);
const SINGULAR_DEPTH: Depth = Depth::plies(6);

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a position `ply` plies from the root, searched to `depth` plies, exact within the window.
    #[allow(clippy::too_many_lines, reason = "the list of steps reads best straight down")]
    pub(super) fn alpha_beta(
        &mut self,
        board: &Board,
        mut window: Window,
        mut depth: Depth,
        ply: usize,
        node: Node,
    ) -> Searched {
        // Leaf: only captures are left to look at.
        if depth.is_leaf() {
            let checks = self.shared.tunables.quiet_check_plies(self.care());
            return self.quiescence(board, window, ply, node, checks);
        }
        self.poll()?;
        let root = ply == 0;
        let in_check = board.in_check();
        self.selective_depth = self.selective_depth.max(ply);
        self.variations.clear(ply);

        if !root {
            // Draw: repetition, fifty moves, material.
            if self.is_draw(board) {
                return Ok(Score::DRAW);
            }
            // Horizon: the line is as long as it may get.
            if ply >= MAX_PLY {
                return Ok(if in_check { Score::DRAW } else { self.evaluate(board) });
            }
            // Mate distance pruning: a mate already found is shorter than any that could be found from here.
            window = window.within_mates(ply);
            if window.is_empty() {
                return Ok(window.alpha);
            }
        }

        // What the table knows.
        let excluded = self.frames.at(ply).excluded;
        let entry = self.shared.table.probe(board.key());
        let hash_move = if root {
            self.root.leader().map(|leader| leader.mv)
        } else {
            entry.and_then(Entry::mv).filter(|&mv| is_legal(board, mv))
        };
        let once_principal =
            node.is_principal() || entry.is_some_and(|entry| entry.importance() == Importance::Principal);

        // Static evaluation, from the table if it is there.
        let raw_eval = match entry.and_then(Entry::static_eval) {
            _ if in_check => None,
            Some(stored) => Some(stored),
            None => Some(self.evaluate(board)),
        };
        let static_eval = raw_eval.map(|raw| self.corrected(board, raw, ply));
        let estimate = static_eval.map_or(Score::DRAW, |eval| refine(eval, entry, ply));
        let trend = self.trend(static_eval, ply);
        self.frames.at_mut(ply).static_eval = static_eval;
        self.frames.at_mut(ply + 1).killers = [None; 2];
        self.frames.at_mut(ply + 2).cutoffs = 0;
        let site = Site { board, window, depth, ply, node, entry, hash_move, static_eval, estimate, trend };

        if !root && excluded.is_none() {
            if let Some(score) = self.table_cutoff(&site) {
                return Ok(score);
            }
            if let (None, Some(raw)) = (entry, raw_eval) {
                let importance = if once_principal { Importance::Principal } else { Importance::Ordinary };
                self.shared.table.store(board.key(), Entry::evaluation(raw, importance));
            }
            if !node.is_principal()
                && !in_check
                && let Some(score) = self.prune_node(&site)?
            {
                return Ok(score);
            }
        }

        // Internal iterative reduction: without a hash move the order is poor, and a shallower search finds one cheaper.
        if depth >= INTERNAL_REDUCTION_DEPTH && hash_move.is_none() && node != Node::All {
            depth -= 1;
        }

        let noisy_hash_move = hash_move.is_some_and(Move::is_noisy);
        let killers = self.frames.at(ply).killers;
        let past = self.frames.past(ply);
        let mut picker = MovePicker::new(Scope::All, hash_move, killers, past);
        let checks = Checks::of(board);
        let mut best_score = Score::MIN;
        let mut best_move = None;
        let mut searched = 0;
        let mut quiets = Tried::new();
        let mut noisies = Tried::new();

        while let Some(mv) = picker.next(board, self.history) {
            if Some(mv) == excluded || root && !self.root.allows(mv) {
                continue;
            }
            searched += 1;
            let quiet = !mv.is_noisy();
            let gives_check = checks.gives(board, mv);
            let history =
                if quiet { self.history.at(board, past).order(board, mv) } else { self.history.capture(board, mv) };
            let base_reduction =
                if quiet { self.reductions.quiet(depth, searched) } else { self.reductions.noisy(depth, searched) };

            if !root && !best_score.is_loss() && searched > 1 && !self.is_cautious() && has_pieces(board) {
                let reduced = (depth.get() - base_reduction / 1024 + history / 16_384).max(0);
                if quiet {
                    // Late move pruning: with good order, what comes late does not matter near the leaves.
                    if searched >= self.shared.tunables.late_move_count(depth, trend) {
                        picker.skip_quiets();
                    }
                    // Futility pruning: a quiet move does not gain what is missing.
                    if let Some(eval) = static_eval
                        && !gives_check
                        && reduced <= self.shared.tunables.futility_depth()
                        && eval + self.shared.tunables.futility_margin(reduced) <= window.alpha
                    {
                        picker.skip_quiets();
                        continue;
                    }
                    // History pruning: it has hardly ever worked.
                    if !gives_check
                        && depth <= Depth::plies(5)
                        && history < self.shared.tunables.history_pruning_margin(depth)
                    {
                        continue;
                    }
                    // Exchange pruning: the piece would be lost where it goes.
                    if !board.see_at_least(mv, self.shared.tunables.see_quiet_margin(reduced)) {
                        continue;
                    }
                } else {
                    // Futility pruning of captures: even the captured piece is not enough.
                    if let Some(eval) = static_eval
                        && reduced <= 6
                        && !gives_check
                        && picker.is_at_bad_noisy()
                        && eval + gain_of(board, mv) + self.shared.tunables.capture_futility_margin(reduced)
                            <= window.alpha
                    {
                        continue;
                    }
                    // Exchange pruning: it loses too much material.
                    if !board.see_at_least(mv, self.shared.tunables.see_capture_margin(depth) - history / 64) {
                        continue;
                    }
                }
            }

            // Singular extension: if all other moves are clearly worse than the hash move, it deserves more depth; if
            // several beat beta, none needs more.
            let mut extension = 0;
            if !root
                && Some(mv) == hash_move
                && excluded.is_none()
                && depth >= SINGULAR_DEPTH
                && ply < 2 * self.iteration.get() as usize
                && let Some(entry) = entry
                && entry.depth() >= depth - 3
                && entry.bound().is_lower()
                && !entry.score(ply).is_decisive()
            {
                let stored = entry.score(ply);
                let limit = stored - self.shared.tunables.singular_margin(depth);
                self.frames.at_mut(ply).excluded = Some(mv);
                let others = self.alpha_beta(
                    board,
                    Window::just_below(limit),
                    Depth::plies((depth.get() - 1) / 2),
                    ply,
                    if node == Node::Cut { Node::Cut } else { Node::All },
                );
                self.frames.at_mut(ply).excluded = None;
                let others = others?;
                if others < limit {
                    extension = 1;
                    if !node.is_principal() && others < limit - self.shared.tunables.double_extension_margin() {
                        extension = 2;
                    }
                } else if limit >= window.beta && !node.is_principal() {
                    return Ok(limit);
                } else if stored >= window.beta {
                    extension = -2;
                } else if node == Node::Cut {
                    extension = -1;
                }
            }

            let nodes_before = self.nodes;
            let child = self.play(board, mv, ply);

            // Check extension: a check leaves few answers; near the leaves it must lose nothing.
            if extension == 0
                && gives_check
                && ply < 2 * self.iteration.get() as usize
                && (self.is_cautious()
                    || depth <= Depth::plies(2) && !picker.is_at_bad_noisy() && board.see_at_least(mv, 0))
            {
                extension = 1;
            }

            let mut full = depth - 1 + extension;
            let mut score = Score::MIN;
            let mut unsettled = !node.is_principal() || searched > 1;

            // Late move reductions: what comes late in the order is first looked at less deeply.
            if depth >= Depth::plies(2)
                && !self.is_cautious()
                && searched > 1 + usize::from(root)
                && (quiet || !once_principal || picker.is_at_bad_noisy())
            {
                let facts = MoveFacts {
                    cut_node: node == Node::Cut,
                    principal: once_principal,
                    not_improving: trend == Trend::NotImproving,
                    noisy_hash_move,
                    gives_check,
                    killer: killers.contains(&Some(mv)),
                    many_cutoffs_below: self.frames.at(ply + 1).cutoffs > 3,
                    history,
                };
                let reduction = (base_reduction + self.shared.tunables.reduction_adjustment(&facts)) / 1024;
                let reduced = (full - reduction).clamp(Depth::plies(1), full + i32::from(node.is_principal()));
                score = -self.alpha_beta(&child, -Window::just_above(window.alpha), reduced, ply + 1, Node::Cut)?;
                unsettled = score > window.alpha && reduced < full;
                if unsettled {
                    // The move is better than expected: look again, as deeply as its score suggests.
                    full += i32::from(score > best_score + self.shared.tunables.deeper_margin());
                    full -= i32::from(score < best_score + full.get());
                    unsettled = reduced < full;
                    if quiet {
                        let bonus = self.shared.tunables.history_bonus(full);
                        self.history.update_continuation(past, PieceTo::of(board, mv), bonus);
                    }
                }
            }
            // Null window: is it better than the best so far?
            if unsettled {
                score = -self.alpha_beta(&child, -Window::just_above(window.alpha), full, ply + 1, node.child())?;
            }
            // Full window: the first move of a principal variation, and every one that is better.
            if node.is_principal() && (searched == 1 || score > window.alpha) {
                score = -self.alpha_beta(&child, -window, full, ply + 1, Node::Principal)?;
            }
            self.undo();

            if root {
                self.record_root_move(mv, searched, score, window, nodes_before);
            }

            if score > best_score {
                best_score = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if node.is_principal() {
                        self.variations.extend(ply, mv);
                    }
                    if window.fails_high(score) {
                        break;
                    }
                    window.alpha = score;
                    // Fewer plies for the rest, once something good is found at middle depths.
                    if depth > Depth::plies(2) && depth < Depth::plies(12) && !score.is_decisive() && !root {
                        depth -= 1;
                    }
                }
            }
            if quiet {
                let _ = quiets.try_push(mv);
            } else {
                let _ = noisies.try_push(mv);
            }
        }

        // No legal move: mate or stalemate.
        if searched == 0 {
            return Ok(match excluded {
                Some(_) => window.alpha,
                None if in_check => Score::mated_at(ply),
                None => Score::DRAW,
            });
        }

        if let Some(mv) = best_move {
            self.learn_from(&site, mv, best_score, (&quiets, &noisies));
        }
        if site.window.fails_high(best_score) {
            self.frames.at_mut(ply).cutoffs += 1;
            // A fail-high score is softened: it was found with less care than an exact one.
            if !best_score.is_decisive() && !site.window.beta.is_decisive() {
                let weight = site.depth.get();
                best_score = Score::centipawns((best_score.value() * weight + site.window.beta.value()) / (weight + 1));
            }
        }

        if excluded.is_none() && !(root && self.root.first > 0) {
            let bound = match best_move {
                _ if site.window.fails_high(best_score) => Bound::Lower,
                Some(_) if node.is_principal() => Bound::Exact,
                _ => Bound::Upper,
            };
            let importance = if once_principal { Importance::Principal } else { Importance::Ordinary };
            let entry = Entry::new(site.depth, bound, best_score, ply, best_move, raw_eval).with_importance(importance);
            self.shared.table.store(board.key(), entry);

            // Correction history learns from quiet nodes whose score contradicts the static evaluation.
            if let Some(eval) = static_eval
                && best_move.is_none_or(|mv| !mv.is_noisy())
                && !best_score.is_decisive()
                && !(bound == Bound::Lower && best_score <= eval)
                && !(bound == Bound::Upper && best_score >= eval)
            {
                self.corrections.learn(board, self.frames.last_two(ply), site.depth, eval, best_score);
            }
        }
        Ok(best_score)
    }

    /// Whether the side to move stands better than two (or, after a check, four) plies ago.
    fn trend(&self, static_eval: Option<Score>, ply: usize) -> Trend {
        let earlier = self.frames.before(ply, 2).static_eval.or(self.frames.before(ply, 4).static_eval);
        match (static_eval, earlier) {
            (Some(now), Some(then)) if now > then => Trend::Improving,
            (Some(_), None) => Trend::Improving,
            _ => Trend::NotImproving,
        }
    }

    /// Rewards the best move and punishes those tried before it.
    fn learn_from(&mut self, site: &Site<'_>, best: Move, score: Score, (quiets, noisies): (&Tried, &Tried)) {
        let board = site.board;
        let past = self.frames.past(site.ply);
        let surprise =
            i32::from(site.static_eval.is_some_and(|eval| eval <= site.window.alpha) && score > site.window.beta + 60);
        let bonus = self.shared.tunables.history_bonus(site.depth + surprise);
        let malus = self.shared.tunables.history_malus(site.depth);
        if best.is_noisy() {
            self.history.update_capture(board, best, bonus);
        } else {
            self.frames.at_mut(site.ply).add_killer(best);
            self.history.update_quiet(board, past, best, bonus);
            for &mv in quiets {
                self.history.update_quiet(board, past, mv, malus);
            }
        }
        for &mv in noisies {
            self.history.update_capture(board, mv, malus);
        }
    }

    /// Keeps what a root move came to.
    fn record_root_move(&mut self, mv: Move, searched: usize, score: Score, window: Window, nodes_before: u64) {
        let nodes = self.nodes - nodes_before;
        let selective_depth = self.selective_depth as u32;
        let Some(root) = self.root.get_mut(mv) else { return };
        root.nodes += nodes;
        if searched == 1 || score > window.alpha {
            root.score = score;
            root.selective_depth = selective_depth;
            root.variation.clear();
            root.variation.push(mv);
            root.variation.extend(self.variations.line(1));
            root.mean_score = Some(match root.mean_score {
                Some(mean) if !score.is_decisive() && !mean.is_decisive() => mean.midpoint(score),
                _ => score,
            });
        } else {
            root.score = Score::MIN;
        }
    }
}
