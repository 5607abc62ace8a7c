//! When requests are complete, and what probes find.
//!
//! A call that waits for some of several requests is followed as if it waited for all of them, and one that tests requests as if it waited for
//! them: that asks for more than the program does, so what ends with it ends without it. Which request it was is not known.
//!
//! A probe does nothing but wait for a message; a receive of that message has to be what is done next.

use frontend::ir::Expr;
use frontend::mpi::{Direction, Role, Which};
use model::Kind;

use crate::error::Result;
use crate::event::{CallSite, Completion, Envelope, What};
use crate::extract::{Extractor, Frame};
use crate::form::{Bound, Form};
use crate::memory::{Place, Step, Value};
use crate::payload::Carried;
use crate::region::Condition;
use crate::state::{Probed, State};

/// A call in a loop that says whether something has happened.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    frame: Frame,
    site: CallSite,
    what: AskedFor,
}

#[derive(Clone, Debug, PartialEq)]
enum AskedFor {
    /// Whether so many requests from this one on are complete; one where there is no number.
    Requests { first: Place, count: Option<Form> },
    /// Whether there is a message, and where its status goes.
    Message { envelope: Envelope, status: Option<Place> },
    /// The same, and the message is received.
    Receive { envelope: Envelope, status: Option<Place>, message: Option<Place> },
}

impl Asked {
    /// Whether it has happened when a loop is left that is entered so.
    pub(crate) fn is_over(&self, entry: &State) -> bool {
        let is_open = matches!(self.what, AskedFor::Requests { .. }) && !entry.doubts.is_empty();
        self.what.is_over(&entry.region.coordinates) && !is_open
    }
}

impl AskedFor {
    fn is_over(&self, coordinates: &[u32]) -> bool {
        let is_over = |form: &Form| form.coordinates().all(|at| coordinates.contains(&at));
        match self {
            Self::Requests { first, count } => {
                Value::Address(first.clone()).coordinates().iter().all(|at| coordinates.contains(at))
                    && count.as_ref().is_none_or(is_over)
            }
            Self::Message { envelope, .. } | Self::Receive { envelope, .. } => {
                is_over(&envelope.partner) && is_over(&envelope.tag)
            }
        }
    }
}

impl Extractor<'_> {
    /// A call that waits for requests.
    pub(crate) fn wait(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        which: Which,
    ) -> Result<()> {
        let position = self.position();
        if let Some((first, count)) = self.requests(frame, state, (site, args), which)? {
            self.record(frame, state, site, position, What::Wait { first, count })?;
        }
        self.forget_outputs(frame, state, site, args)
    }

    /// A call that says whether requests are complete.
    pub(crate) fn test(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        which: Which,
    ) -> Result<()> {
        let position = self.position();
        let known = self.requests_if_known(frame, state, (site, args), which)?;
        if let Some((first, count)) = known {
            if !self.is_recording {
                let what = AskedFor::Requests { first, count };
                self.asked.push(Asked { frame: *frame, site: site.clone(), what });
            } else if state.doubts.is_empty() {
                self.record(frame, state, site, position, What::Wait { first, count })?;
            }
        }
        self.forget_outputs(frame, state, site, args)
    }

    /// A call that waits for a message, or says whether there is one.
    pub(crate) fn probe(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        (is_blocking, is_matched): (bool, bool),
    ) -> Result<()> {
        let argument = |role: Role| site.mpi.param_with_role(role).and_then(|at| args.get(at));
        let ends = (argument(Role::Source), argument(Role::RecvTag));
        let envelope = self.envelope(frame, state, ends, args, site)?;
        let status = self.status(frame, state, site, args)?;
        let message = self.pointed(frame, state, argument(Role::Message))?;
        self.forget_outputs(frame, state, site, args)?;
        let what = match is_matched {
            true => AskedFor::Receive { envelope, status, message },
            false => AskedFor::Message { envelope, status },
        };
        let asked = Asked { frame: *frame, site: site.clone(), what };
        if is_blocking {
            return self.happens(state, &asked);
        }
        if !self.is_recording {
            self.asked.push(asked);
        } else if is_matched {
            return self.give_up(frame, site.span, format!("`{}` is not followed here", site.mpi.name));
        }
        Ok(())
    }

    /// Where a call puts its status.
    pub(crate) fn status(
        &mut self,
        frame: &Frame,
        state: &mut State,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<Option<Place>> {
        let at = site.mpi.param_with_role(Role::Status).and_then(|at| args.get(at));
        self.pointed(frame, state, at)
    }

    fn pointed(
        &mut self,
        frame: &Frame,
        state: &mut State,
        argument: Option<&Expr>,
    ) -> Result<Option<Place>> {
        let Some(argument) = argument else { return Ok(None) };
        Ok(match self.evaluate(frame, state, argument)? {
            Value::Address(place) => Some(place),
            _ => None,
        })
    }

    /// What is asked for is there.
    fn happens(&mut self, state: &mut State, asked: &Asked) -> Result<()> {
        let Asked { frame, site, what } = asked;
        match what {
            AskedFor::Requests { first, count } => {
                let position = self.position();
                let what = What::Wait { first: first.clone(), count: count.clone() };
                self.record(frame, state, site, position, what)?;
            }
            AskedFor::Message { envelope, status } => {
                self.set_status(state, status.as_ref(), envelope, true)?;
                state.probed = match state.probed {
                    Probed::Nothing => Probed::Message(envelope.clone()),
                    _ => Probed::Unclear,
                };
            }
            AskedFor::Receive { envelope, status, message } => {
                let carried = Carried {
                    count: None,
                    named: None,
                    datatype: "unknown".to_owned(),
                    bytes: None,
                    length: None,
                    is_in_buffer: false,
                };
                let what = What::Message {
                    envelope: envelope.clone(),
                    kind: Kind::Receive,
                    completion: Completion::Here,
                    carried,
                };
                let position = self.position();
                self.record(frame, state, site, position, what)?;
                if let Some(message) = message {
                    let event = self.events.len().saturating_sub(1);
                    self.write(state, message, Value::Matched(event));
                } else if self.is_recording {
                    return self.give_up(frame, site.span, "it is not known where the message is kept");
                }
                self.set_status(state, status.as_ref(), envelope, false)?;
            }
        }
        Ok(())
    }

    /// What was asked for in a loop that has been left is there.
    pub(crate) fn has_happened(&mut self, state: &mut State, entry: &State, asked: &[Asked]) -> Result<()> {
        // The branches of the loop have been taken by then.
        let doubts = std::mem::replace(&mut state.doubts, entry.doubts.clone());
        let mut done: Vec<&AskedFor> = Vec::new();
        for one in asked {
            if done.contains(&&one.what) {
                continue;
            }
            done.push(&one.what);
            match (one.is_over(entry), &one.what) {
                (true, _) => self.happens(state, one)?,
                (false, AskedFor::Requests { .. }) => {}
                (false, _) => state.probed = Probed::Unclear,
            }
        }
        state.doubts = doubts;
        Ok(())
    }

    /// The receive of a message that a probe has matched: the call that the message is received by.
    pub(crate) fn matched_receive(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
    ) -> Result<()> {
        let message = site.mpi.param_with_role(Role::Message).and_then(|at| args.get(at));
        let message = self.pointed(frame, state, message)?;
        let carried = self.carried(frame, state, (site, args), Direction::Out)?;
        let kept = message.as_ref().and_then(Place::cell).and_then(|cell| state.memory.read(&cell).cloned());
        let Some(Value::Matched(event)) = kept else {
            let reason = "it is not known which message this is";
            self.unless_trying(frame, site, reason, ())?;
            return self.forget_outputs(frame, state, site, args);
        };
        if self.is_recording {
            let event = &mut self.events[event];
            event.site = site.clone();
            if let What::Message { carried: of, .. } = &mut event.what {
                // Its number may be known here only.
                *of = Carried { count: None, length: None, ..carried };
            }
        }
        self.forget_outputs(frame, state, site, args)
    }

    /// What a status says of a message: whom it is from, and its tag. Where that may be anybody, `is_probed` keeps that a receive from there
    /// is one from whoever the probe has found; else that this is the sender of what the last event has received.
    pub(crate) fn set_status(
        &mut self,
        state: &mut State,
        status: Option<&Place>,
        envelope: &Envelope,
        is_probed: bool,
    ) -> Result<()> {
        let Some(status) = status else { return Ok(()) };
        let members = [(&envelope.partner, "MPI_ANY_SOURCE"), (&envelope.tag, "MPI_ANY_TAG")];
        for (field, (form, any)) in (0_u32..).zip(members) {
            let any = crate::assemble::special(any);
            let anything = Condition::is(Bound::equal(form, &Form::number(any)));
            let value = if state.region.meet(&anything, &self.parameters)?.is_empty()? {
                Value::Number(form.clone())
            } else if is_probed && form.as_number() == Some(any) {
                Value::Probed(any)
            } else if !is_probed && field == 0 && form.as_number() == Some(any) {
                Value::Sender(self.events.len().saturating_sub(1))
            } else {
                Value::Open
            };
            self.write(state, &status.with(Step::Field(field)), value);
        }
        Ok(())
    }
}
