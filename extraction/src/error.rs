//! Why a program is not taken apart.

use frontend::ir::Span;
use frontend::program::FunctionRef;

/// Why nothing is said about a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GivenUp {
    /// Something in the program that is not followed.
    #[error("{reason}")]
    Program {
        /// What, as the end of a sentence that begins with a place.
        reason: String,
        /// Where.
        place: Option<(FunctionRef, Span)>,
    },
    /// Integer sets: the work is more than is allowed, above all.
    #[error(transparent)]
    Sets(#[from] presburger::Error),
    /// The model.
    #[error(transparent)]
    Model(#[from] model::Error),
}

impl GivenUp {
    /// The same at a place, if it has none.
    pub(crate) fn placed(self, function: FunctionRef, span: Span) -> Self {
        match self {
            Self::Program { reason, place: None } => Self::Program { reason, place: Some((function, span)) },
            other => other,
        }
    }
}

/// The result of taking a program apart.
pub type Result<T> = std::result::Result<T, GivenUp>;
