//! What is left out: calls that are not followed, as far as it is known what follows them, and those that are looked at in another way.

use frontend::ir::{Expr, Span};
use frontend::mpi::{Class, Completion as Way, Function as MpiFunction, Role};

use crate::calls::{After, success};
use crate::error::{GivenUp, Result};
use crate::event::CallSite;
use crate::extract::{Branched, Extractor, Frame};
use crate::form::Form;
use crate::memory::Value;
use crate::state::State;

impl Extractor<'_> {
    /// Follows a call of MPI, or leaves it out where that is not possible and nothing else depends on it.
    pub(crate) fn mpi_call_or_left_out(
        &mut self,
        frame: &Frame,
        state: State,
        (site, args): (&CallSite, &[Expr]),
    ) -> Result<After> {
        let before = self.may_leave_out.then(|| (state.clone(), self.mark()));
        let followed = if communicates(site.mpi) && self.is_skipped() {
            self.give_up(frame, site.span, "this is looked at in another way")
        } else {
            self.mpi_call(frame, state, site, args)
        };
        let (Err(error @ GivenUp::Program { .. }), Some((before, mark)), true) =
            (&followed, before, may_be_left_out(site.mpi))
        else {
            return followed;
        };
        self.go_back(mark);
        self.leave_out(error.clone().placed(site.function, site.span));
        self.position();
        let after = self.after_left_out(frame, before, site, args)?;
        match self.part {
            Some(_) => self.after_call_of_part(frame, after, (site, args)),
            None => Ok(after),
        }
    }

    /// Leaves out what is done here.
    fn leave_out(&mut self, error: GivenUp) {
        let here = self.text();
        self.left_out.entry(here).or_insert(error);
        self.seen += 1;
        self.omitted += 1;
    }

    /// How much is communicated and left out by now, and how many ways have ended.
    pub(crate) fn progress(&self) -> [usize; 3] {
        [self.seen, self.omitted, self.ended]
    }

    /// Whether all that is communicated after a branch is left out, and all ways go on.
    pub(crate) fn is_left_out_since(&self, branched: &Branched) -> bool {
        let [seen, omitted, ended] = self.progress();
        let before = branched.counts;
        before[1] < omitted && seen - before[0] == omitted - before[1] && ended == before[2]
    }

    /// Whether the text of `main` that is followed is looked at in another way.
    pub(crate) fn is_skipped(&self) -> bool {
        match self.prefix.first().and_then(Form::as_number) {
            Some(outermost) => self.texts.get(&outermost).is_some_and(|text| self.skipped.contains(text)),
            None => !self.skipped.is_empty() && self.skipped.contains(&(self.calls.clone(), self.here)),
        }
    }

    /// Leaves out the loop that is followed, or gives up.
    pub(crate) fn left_out_or_given_up(&mut self, frame: &Frame, span: Span, reason: &str) -> Result<()> {
        if self.may_leave_out {
            let place = Some((frame.function, span));
            self.leave_out(GivenUp::Program { reason: reason.to_owned(), place });
            return Ok(());
        }
        self.give_up(frame, span, reason)
    }

    /// What is known after a call that is left out: nothing of what it writes, now or later.
    fn after_left_out(
        &mut self,
        frame: &Frame,
        mut state: State,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<After> {
        let is_blocking = matches!(
            site.mpi.class,
            Class::Receive { completion: Way::Blocking, .. }
                | Class::SendReceive { completion: Way::Blocking, .. }
                | Class::Collective { completion: Way::Blocking, .. }
        );
        for (param, argument) in site.mpi.params.iter().zip(args) {
            if !param.direction.writes() {
                continue;
            }
            // What comes in is written later, and at any time.
            if site.mpi.created().is_none()
                && !is_blocking
                && matches!(param.role, Role::RecvBuffer | Role::InOutBuffer)
                && let Value::Address(place) = self.evaluate(frame, &mut state, argument)?
            {
                self.shared.insert(place.object);
            }
            self.forget_pointed(frame, &mut state, argument)?;
        }
        Ok(success(state))
    }
}

/// Whether a call sends, receives or waits, or makes a communicator.
fn communicates(function: &MpiFunction) -> bool {
    matches!(
        function.class,
        Class::Send { .. }
            | Class::Receive { .. }
            | Class::SendReceive { .. }
            | Class::Wait(_)
            | Class::Test(_)
            | Class::Start(_)
            | Class::Probe { .. }
            | Class::Collective { .. }
            | Class::CommConstructor(_)
    )
}

/// Whether a call may be left out: nothing of what follows depends on it but what it writes.
fn may_be_left_out(function: &MpiFunction) -> bool {
    !matches!(function.class, Class::Abort | Class::Init { .. } | Class::Finalize)
}
