//! From a CSV of positions to a trained, quantised network.
