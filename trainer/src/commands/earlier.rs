//! Checks whether the network of `--start` may have been trained on rows that are held out now.

use alfiere_data::HeldOutRule;
use alfiere_nnue::Network;
use alfiere_terminal::remark;
use alfiere_training::{Checkpoint, TrainingConfig, TrainingOptions};
use serde_json::Value;

/// The rule of a run that continues from the network in a file with this rule. Prints a message if the two rules differ.
pub(crate) fn continued(file: &str, earlier: Option<&HeldOutRule>, now: &HeldOutRule) -> HeldOutRule {
    let (is_clean, sentence) = compare(file, earlier, now);
    if let Some(sentence) = sentence {
        remark(&sentence);
    }
    HeldOutRule { throughout: is_clean, ..now.clone() }
}

/// Whether the network was certainly not trained on rows that are held out now, and a message for the user.
fn compare(file: &str, earlier: Option<&HeldOutRule>, now: &HeldOutRule) -> (bool, Option<String>) {
    let warning = |text: String| (false, Some(format!("warning: {file} {text}")));
    let Some(earlier) = earlier else {
        return warning(format!(
            "does not say which rows it held out, so it may be trained on rows that are held out now ({now})"
        ));
    };
    if !now.is_part_of(earlier) {
        return warning(format!(
            "held out {earlier}, and this run holds out {now}: it may be trained on rows that are held out now"
        ));
    }
    if !earlier.throughout {
        return warning(format!(
            "held out the same rows ({earlier}), but a network that it continues from may be trained on them"
        ));
    }
    if now.inner && !earlier.inner {
        return warning(format!(
            "had no inner rows, so it may be trained on those that select the epoch now ({now}), whose loss is then too low"
        ));
    }
    let is_other = !HeldOutRule::are_same(Some(earlier), Some(now));
    (true, is_other.then(|| format!("{file} held out {earlier}, and this run a part of these rows, {now}")))
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
        let now = rule(1, 0.1);
        let inner = HeldOutRule { inner: true, ..now.clone() };
        let positions = HeldOutRule { unit: HeldOutUnit::Positions, ..now.clone() };
        let unclean = HeldOutRule { throughout: false, ..now.clone() };
        for (earlier, now, is_clean, part) in [
            (Some(&now), &now, true, None),
            (Some(&inner), &inner, true, None),
            (Some(&rule(1, 0.2)), &now, true, Some("a part of these rows")),
            (Some(&inner), &now, true, Some("a part of these rows")),
            (None, &now, false, Some("does not say which rows it held out")),
            (Some(&rule(2, 0.1)), &now, false, Some("seed 2")),
            (Some(&rule(1, 0.05)), &now, false, Some("held out 0.05 of the games")),
            (Some(&positions), &now, false, Some("held out 0.1 of the positions")),
            (Some(&now), &inner, false, Some("had no inner rows")),
            (Some(&unclean), &now, false, Some("a network that it continues from")),
        ] {
            let (found, sentence) = compare("a.nnue", earlier, now);
            assert_eq!((found, sentence.is_some()), (is_clean, part.is_some()), "{sentence:?}");
            let sentence = sentence.unwrap_or_default();
            assert!(sentence.contains(part.unwrap_or_default()), "{sentence}");
            assert!(is_clean || sentence.starts_with("warning: a.nnue ") && sentence.contains(&now.seed.to_string()));
        }
    }
}
