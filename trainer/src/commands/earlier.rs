//! Checks whether the network of `--start` may have been trained on rows that are held out now.

use alfiere_data::HeldOutRule;
use alfiere_nnue::Network;
use alfiere_training::{Checkpoint, TrainingConfig, TrainingOptions};
use serde_json::Value;

use super::progress::remark;

/// The network in a file that a run continues from.
pub(crate) struct Earlier<'a> {
    pub(crate) name: &'a str,
    pub(crate) rule: Option<HeldOutRule>,
}

impl Earlier<'_> {
    /// The rule of a run that continues from this network. Prints a message if the two rules differ.
    pub(crate) fn continued(&self, now: &HeldOutRule) -> HeldOutRule {
        let (is_clean, sentence) = self.compare(now);
        if let Some(sentence) = sentence {
            remark(&sentence);
        }
        HeldOutRule { throughout: is_clean, ..now.clone() }
    }

    /// Whether the network was certainly not trained on rows that are held out now, and a message for the user.
    fn compare(&self, now: &HeldOutRule) -> (bool, Option<String>) {
        let path = self.name;
        let Some(earlier) = &self.rule else {
            let sentence = format!(
                "warning: {path} does not say which rows it held out, so it may be trained on rows that are held out now ({now})"
            );
            return (false, Some(sentence));
        };
        if !now.is_part_of(earlier) {
            let sentence = format!(
                "warning: {path} held out {earlier}, and this run holds out {now}: it may be trained on rows that are held out now"
            );
            return (false, Some(sentence));
        }
        if !earlier.throughout {
            let sentence = format!(
                "warning: {path} held out the same rows ({earlier}), but a network that it continues from may be trained on them"
            );
            return (false, Some(sentence));
        }
        if now.inner && !earlier.inner {
            let sentence = format!(
                "warning: {path} had no inner rows, so it may be trained on those that select the epoch now ({now}), whose loss is then too low"
            );
            return (false, Some(sentence));
        }
        let is_other = !HeldOutRule::are_same(Some(earlier), Some(now));
        (true, is_other.then(|| format!("{path} held out {earlier}, and this run a part of these rows, {now}")))
    }
}

/// Whether the network is of the checkpoint's run, after any epoch.
pub(crate) fn is_of_run(network: &Network, checkpoint: &Checkpoint) -> bool {
    let provenance = network.provenance();
    let own_searches = provenance.free.get("own_searches").and_then(Value::as_u64).unwrap_or(0);
    let options = serde_json::from_value(provenance.configuration.clone()).ok();
    let options = options.map(|options| TrainingOptions { own_searches, ..options });
    let config = options.and_then(|options| TrainingConfig::new(options).ok());
    checkpoint.best.network.architecture == *network.architecture()
        && config.is_none_or(|config| config.leads_to_same_network(&checkpoint.config))
}

/// Whether the network was made of the checkpoint's best weights.
pub(crate) fn is_of_best_weights(network: &Network, checkpoint: &Checkpoint) -> bool {
    let epoch = network.provenance().free.get("best_epoch").and_then(Value::as_u64);
    is_of_run(network, checkpoint)
        && checkpoint.best.epoch > 0
        && epoch.is_none_or(|epoch| epoch == u64::from(checkpoint.best_epoch()))
}

#[cfg(test)]
mod tests {
    use alfiere_data::{HASH_VERSION, HeldOut, HeldOutUnit};

    use super::*;

    fn rule(seed: u64, share: f64) -> HeldOutRule {
        HeldOutRule {
            hash_version: HASH_VERSION,
            unit: HeldOutUnit::Games,
            seed,
            amount: HeldOut::Share(share),
            last_rank: (share * 1e18) as u64,
            inner: false,
            throughout: true,
        }
    }

    #[test]
    fn rules_that_differ_are_named() {
        let said = |rule, now: &HeldOutRule| Earlier { name: "a.nnue", rule }.compare(now);
        let now = rule(1, 0.1);
        assert_eq!(said(Some(rule(1, 0.1)), &now), (true, None));
        let (is_clean, sentence) = said(None, &now);
        assert!(!is_clean && sentence.is_some_and(|sentence| sentence.contains("does not say which rows it held out")));
        for other in [rule(2, 0.1), rule(1, 0.05), HeldOutRule { unit: HeldOutUnit::Positions, ..now.clone() }] {
            let (is_clean, sentence) = said(Some(other.clone()), &now);
            let sentence = sentence.expect("a warning");
            assert!(!is_clean && sentence.starts_with("warning: a.nnue held out "), "{sentence}");
            assert!(sentence.contains(&other.to_string()) && sentence.contains(&now.to_string()), "{sentence}");
        }
        let (is_clean, sentence) = said(Some(rule(1, 0.2)), &now);
        assert!(is_clean && sentence.is_some_and(|sentence| sentence.contains("a part of these rows")));
        let inner = HeldOutRule { inner: true, ..now.clone() };
        let (is_clean, sentence) = said(Some(now.clone()), &inner);
        assert!(!is_clean && sentence.is_some_and(|sentence| sentence.contains("a.nnue had no inner rows")));
        assert_eq!(said(Some(inner.clone()), &inner), (true, None));
        let (is_clean, sentence) = said(Some(inner), &now);
        assert!(is_clean && sentence.is_some_and(|sentence| sentence.contains("a part of these rows")));
        let unclean = HeldOutRule { throughout: false, ..now.clone() };
        let (is_clean, sentence) = said(Some(unclean), &now);
        assert!(!is_clean && sentence.is_some_and(|sentence| sentence.contains("a network that it continues from")));
    }
}
