//! How much is sent.

use presburger::Formula;

use crate::error::Result;
use crate::matching::Matching;
use crate::operation::Program;

impl Matching {
    /// The number of messages as a formula over the parameters, where it has a closed form.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn volume(&self, program: &Program) -> Result<Option<Formula>> {
        // How often an optional part is executed is not known.
        if program.has_options() {
            return Ok(None);
        }
        Ok(self.meets.coalesce()?.count_where(program.known())?)
    }
}
