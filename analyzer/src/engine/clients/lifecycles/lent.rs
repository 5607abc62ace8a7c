//! Memory that is lent to MPI for buffered sends (MPI-4.1 section 3.6): how much there is, and how much of it messages may take at once.

use std::rc::Rc;

use frontend::mpi::{Class, Completion, Role, SendBufferOp, SendMode};
use lattice::Linear;

use super::super::At;
use super::accesses::{Detail, over_rank};
use super::lives::{Kind, Life, Lives, Stage};
use super::{Lifecycles, slot};
use crate::engine::eval::OVERHEAD;
use crate::engine::functions::is_silent;
use crate::engine::join::Join;
use crate::engine::mpi::{Call, Partner};
use crate::engine::state::SiteId;

/// The memory of a process. Numbers are over the member's rank.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lent {
    pub(crate) bytes: Linear,
    /// What messages need at least that have been sent since something was heard of others: all of them may still be there.
    pub(crate) taken: Linear,
    /// Whether there are several of them.
    pub(crate) several: bool,
}

impl Lent {
    pub(super) fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Option<Self> {
        let several = a.several || b.several;
        Some(Self {
            bytes: join.linear(&a.bytes, &b.bytes)?,
            taken: join.linear(&a.taken, &b.taken)?,
            several,
        })
    }
}

impl Lives {
    /// The memory that all members of the set have lent, and where they did, if it is known.
    pub(crate) fn lent(&self) -> Option<(&Lent, SiteId)> {
        let mut lent = self.iter().filter(|life| life.kind == Kind::Lent);
        let (only, None) = (lent.next()?, lent.next()) else { return None };
        match only.detail.as_deref()? {
            Detail::Lent(lent) if only.who.is_none() => Some((lent, only.made)),
            _ => None,
        }
    }

    /// Nothing is known any more of memory that was lent.
    pub(crate) fn forget_lent(&mut self) {
        self.retain(|life| life.kind != Kind::Lent);
    }

    fn change_lent(&mut self, change: impl Fn(&mut Lent)) {
        if !self.iter().any(|life| life.kind == Kind::Lent) {
            return;
        }
        for life in self.iter_mut().filter(|life| life.kind == Kind::Lent) {
            if let Some(Detail::Lent(lent)) = life.detail.as_mut().map(Rc::make_mut) {
                change(lent);
            }
        }
    }

    /// Messages that were sent may have arrived.
    pub(super) fn empty_lent(&mut self) {
        self.change_lent(|lent| (lent.taken, lent.several) = (Linear::zero(), false));
    }
}

/// Whether a call is a buffered send, which tells nothing of other processes.
pub(super) fn is_buffered_send(call: &Call<'_>) -> bool {
    matches!(
        call.mpi.class,
        Class::Send { mode: SendMode::Buffered, completion: Completion::Blocking | Completion::Nonblocking }
    )
}

/// Whether messages may have left when a call returns, as far as the process knows.
pub(super) fn may_empty(call: &Call<'_>) -> bool {
    match call.mpi.class {
        Class::Rma { .. } | Class::RmaSync(_) | Class::SendBuffer(_) => true,
        _ => !is_silent(call.mpi) && !is_buffered_send(call),
    }
}

impl Lifecycles {
    /// A call that lends memory, or takes it back.
    pub(super) fn lend(
        &mut self,
        at: &At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
        how: SendBufferOp,
    ) {
        let is_general = [Role::Communicator, Role::Session].iter().all(|&role| call.value(role).is_none());
        // What is lent for one communicator is used for its messages instead.
        self.lends_apart |= !is_general;
        match how {
            SendBufferOp::Attach if is_general => {
                lives.forget_lent();
                let bytes = call.value(Role::ByteSize).and_then(|bytes| bytes.as_int());
                let bytes = bytes.and_then(|bytes| over_rank(at.scope.ranks, at.scope.facts, bytes));
                let place = slot(at, call, call.mpi.param_with_role(Role::AttachedBuffer));
                if let Some((bytes, place)) = bytes.zip(place) {
                    let lent = Lent { bytes, taken: Linear::zero(), several: false };
                    let detail = Some(Rc::new(Detail::Lent(lent)));
                    lives.add(Life { detail, ..Life::new(Kind::Lent, place, site, Stage::Done) });
                }
            }
            SendBufferOp::Attach | SendBufferOp::Detach => lives.forget_lent(),
            SendBufferOp::Flush | SendBufferOp::Iflush => {}
        }
    }

    /// A buffered send takes as much memory as its message has bytes, and some more.
    pub(super) fn take_lent(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>) {
        if self.lends_apart {
            return lives.forget_lent();
        }
        let overhead = at.scope.engine.symbols.named(OVERHEAD);
        let bytes = || {
            let buffer = call.mpi.buffers().find(|buffer| buffer.dest.is_some())?;
            if !matches!(call.partner(buffer.dest), Ok(Partner::Rank(_) | Partner::Mixed(_))) {
                return None;
            }
            let size = at.scope.engine.size_of_type(call.at(buffer.datatype)?)?;
            let bytes = call.at(buffer.count)?.as_int()?.scale(i64::try_from(size).ok()?)?;
            over_rank(at.scope.ranks, at.scope.facts, &bytes.add(&overhead.into())?)
        };
        // A message of unknown length may have none.
        let Some(bytes) = bytes() else { return };
        lives.change_lent(|lent| {
            lent.several |= lent.taken != Linear::zero();
            if let Some(taken) = lent.taken.add(&bytes) {
                lent.taken = taken;
            }
        });
    }
}
