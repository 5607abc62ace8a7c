//! What is found out about a program before it is walked, once for all of its walks.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

use frontend::program::{FunctionRef, Program};
use rustc_hash::FxHashSet;

use super::bytes;
use super::changes::Reached;
use super::deciding::{self, Deciding};
use super::functions;
use super::pointees::PointsTo;
use super::requests_stored;
use super::windows::window_memory;

/// A program and what holds of it for any number of processes and whatever path is followed.
#[derive(Debug)]
pub(crate) struct Groundwork<'p> {
    pub(crate) program: &'p Program,
    /// The functions that `main` may call, however indirectly.
    pub(crate) reachable: Vec<FunctionRef>,
    pub(crate) communicating: FxHashSet<FunctionRef>,
    /// The functions that make or give up objects behind handles.
    pub(crate) owning: FxHashSet<FunctionRef>,
    pub(crate) never_returning: FxHashSet<FunctionRef>,
    /// Numbers that the program compares something with, and their neighbours.
    pub(crate) thresholds: BTreeSet<i64>,
    /// Variables whose values matter to what processes do next.
    pub(crate) deciding: Deciding,
    /// Whether handles of requests are stored by calls of MPI only.
    pub(crate) requests_of_mpi_only: bool,
    /// Whether pointers to characters may point to other things than strings.
    pub(crate) bytes: bool,
    /// What pointers may point to, where that is found out, once somebody asks.
    points_to: OnceCell<Option<PointsTo>>,
    /// What may be memory of a window, once somebody asks.
    window_memory: OnceCell<Option<Reached>>,
    /// How often crate `hsm` was asked whether sends and receives match, on all walks.
    pub(crate) questions: Cell<u64>,
    /// Whether memory for buffered sends may be lent to MPI.
    pub(crate) lends_buffer: bool,
    /// Whether there are ready sends, and messages and collective calls alone put what processes do in order.
    pub(crate) sends_ready: bool,
    /// Whether somebody jumps back to where a function that has called `setjmp` goes on.
    pub(crate) jumps: bool,
    /// Whether messages are received from any source.
    pub(crate) wildcards: bool,
    /// Whether what happens may depend on which message or operation comes first.
    pub(crate) orders: bool,
}

impl<'p> Groundwork<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let reachable = program.reachable();
        let never_returning = functions::never_returning(program, &reachable);
        let wildcards = functions::has_wildcards(program, &reachable);
        let mut communicating = functions::communicating(program, &reachable, &never_returning);
        let jumps = functions::jumps(program, &reachable);
        if jumps {
            // What happens there is not followed, so it is not passed over either.
            communicating.extend(functions::marking(program, &reachable, &never_returning));
        }
        Self {
            program,
            communicating,
            owning: functions::owning(program, &reachable, &never_returning),
            thresholds: functions::thresholds(program, &reachable),
            deciding: deciding::deciding(program, &reachable, &never_returning),
            requests_of_mpi_only: !requests_stored::stores_requests(program, &reachable),
            bytes: bytes::looks_at_bytes(program, &reachable),
            points_to: OnceCell::new(),
            window_memory: OnceCell::new(),
            questions: Cell::new(0),
            never_returning,
            lends_buffer: functions::may_lend_buffer(program, &reachable),
            jumps,
            sends_ready: functions::has_ready_sends(program, &reachable),
            wildcards,
            orders: wildcards || functions::has_partial_waits(program, &reachable),
            reachable,
        }
    }

    /// What pointers may point to, where that is found out.
    pub(crate) fn points_to(&self) -> Option<&PointsTo> {
        self.points_to.get_or_init(|| PointsTo::new(self.program, &self.reachable)).as_ref()
    }

    /// Which memory of the program may be that of windows; `None`: there is none.
    pub(crate) fn window_memory(&self) -> Option<&Reached> {
        self.window_memory.get_or_init(|| window_memory(self)).as_ref()
    }
}
