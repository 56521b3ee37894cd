//! The trainer's options and epochs, which records hold.

#[path = "../../trainer/src/training/compute.rs"]
mod compute;
#[path = "../../trainer/src/training/observer.rs"]
mod observer;
#[path = "../../trainer/src/training/options.rs"]
mod options;
#[path = "../../trainer/src/training/schedule.rs"]
mod schedule;

pub use observer::EpochRecord;
pub use options::TrainingOptions;
