//! What makes the rows of lessons.

use alfiere_data::Row;
use alfiere_nnue::FloatNetwork;

use super::error::TrainingError;
use super::evaluate::Rows;
use super::observer::TrainingObserver;
use super::plan::Phase;
use super::source::RowSource;

/// The rows of a lesson.
pub struct LessonRows<'a> {
    pub training: Box<dyn RowSource + 'a>,
    /// They select the epoch.
    pub validation: Vec<Row>,
}

/// Makes the rows of lessons, by the phase and the weights alone: a resumed run makes the same ones again.
pub trait Lessons: Sync {
    /// The rows of a phase; those that are rehearsed, for the phase of the user's rows. `near` are rows of the user, `weights`
    /// those at the end of each phase before. `None` if the observer stops.
    ///
    /// # Errors
    /// If weights cannot be quantised to play, or no rows can be made.
    fn rows<'a>(
        &'a self,
        phase: &Phase,
        near: Rows<'a>,
        weights: &[FloatNetwork],
        observer: &mut (dyn TrainingObserver + Send),
    ) -> Result<Option<LessonRows<'a>>, TrainingError>;
}
