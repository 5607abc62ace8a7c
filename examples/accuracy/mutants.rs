//! Mutants: right programs with one known defect each.

use std::ops::Range;

use analyzer::rules::Rule;
use frontend::mpi::{
    Class, CollectiveOp, Completion, Direction, Object, RequestState, RmaSync, Role, SendMode, Which,
};

use crate::calls::{Call, Source, variable_of};

/// A program with one defect.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    /// What was done to it.
    pub(crate) operator: &'static str,
    pub(crate) text: String,
    /// The line that was changed.
    pub(crate) line: u32,
    /// What may be reported, the best first, and where.
    pub(crate) expected: Vec<(Rule, Lines)>,
}

/// Lines at which a defect may be reported.
#[derive(Clone, Debug)]
pub(crate) enum Lines {
    Any,
    These(Vec<u32>),
}

impl Lines {
    pub(crate) fn have(&self, line: u32) -> bool {
        match self {
            Self::Any => true,
            Self::These(lines) => lines.contains(&line),
        }
    }
}

/// Replacements of parts of a text, which do not overlap.
fn edited(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|(range, _)| range.start);
    let mut result = String::new();
    let mut at = 0;
    for (range, new) in edits {
        result.push_str(&text[at..range.start]);
        result.push_str(&new);
        at = range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// Whatever a statement says on several lines takes as many afterwards.
fn removed(text: &str) -> String {
    format!(";{}", "\n".repeat(text.matches('\n').count()))
}

/// One line of what several say.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a call may wait for another process.
fn may_wait(call: &Call) -> bool {
    let class = call.mpi.class;
    // The line of a nonblocking operation stands for that of its wait.
    class.sends()
        || class.receives()
        || call.mpi.is_collective()
        || matches!(class, Class::Wait(_) | Class::Probe { .. })
}

/// All mutants of a program.
pub(crate) fn mutants(source: &Source) -> Vec<Mutant> {
    let mut made = Made { source, mutants: Vec::new() };
    for call in source.calls.iter().filter(|call| source.is_executed(call)) {
        if call.mpi.class.communicates() {
            made.arguments(call);
            made.point_to_point(call);
            made.collectives(call);
        }
        made.requests(call);
        made.lifecycles(call);
        made.windows(call);
    }
    made.arrays();
    made.mutants
}

pub(crate) struct Made<'s> {
    pub(crate) source: &'s Source,
    mutants: Vec<Mutant>,
}

impl Made<'_> {
    pub(crate) fn add(
        &mut self,
        operator: &'static str,
        call: &Call,
        edits: &[(Range<usize>, String)],
        expected: &[(Rule, Lines)],
    ) {
        let text = edited(&self.source.text, edits);
        if text != self.source.text {
            self.mutants.push(Mutant { operator, text, line: call.line, expected: expected.to_vec() });
        }
    }

    /// Replaces an argument.
    pub(crate) fn replace(
        &mut self,
        operator: &'static str,
        call: &Call,
        index: usize,
        new: &str,
        expected: &[(Rule, Lines)],
    ) {
        self.add(operator, call, &[(call.args[index].clone(), new.to_owned())], expected);
    }

    /// Removes a statement.
    fn remove(&mut self, operator: &'static str, call: &Call, expected: &[(Rule, Lines)]) {
        if let Some(statement) = call.statement.clone() {
            let nothing = removed(&self.source.text[statement.clone()]);
            self.add(operator, call, &[(statement, nothing)], expected);
        }
    }

    /// Executes a statement twice.
    fn repeat(&mut self, operator: &'static str, call: &Call, expected: &[(Rule, Lines)]) {
        if let Some(statement) = call.statement.clone() {
            let text = &self.source.text[statement.clone()];
            let twice = format!("{{ {text} {} }}", joined(text));
            // Where the second one stands in the last line of the first, both lines will do.
            self.add(operator, call, &[(statement, twice)], expected);
        }
    }

    fn lines(&self, wanted: impl Fn(&Call) -> bool) -> Lines {
        let calls = self.source.calls.iter().filter(|call| wanted(call));
        Lines::These(calls.flat_map(|call| call.line..=call.last_line).collect())
    }

    pub(crate) fn here(&self, call: &Call) -> Lines {
        Lines::These((call.line..=call.last_line).collect())
    }

    pub(crate) fn is_number(&self, call: &Call, index: usize) -> Option<u64> {
        self.source.arg(call, index).parse().ok()
    }

    fn point_to_point(&mut self, call: &Call) {
        let source = self.source;
        let here = self.here(call);
        let class = call.mpi.class;
        let sends = self.lines(|call| call.mpi.class.sends());
        let receives = self.lines(|call| call.mpi.class.receives());
        // Where the others wait for what waits for the message, all of that is reported in one place.
        let waits = self.lines(may_wait);
        if !source.text.contains("MPI_ANY_TAG") && !source.text.contains("partitioned") {
            for (index, param) in call.mpi.params.iter().enumerate() {
                if !matches!(param.role, Role::SendTag | Role::RecvTag)
                    || !(class.sends() || class.receives())
                    || param.direction != Direction::In
                {
                    continue;
                }
                let new = format!("({}) + 5000", source.arg(call, index));
                let at = if class.receives() && param.role != Role::SendTag {
                    here.clone()
                } else {
                    receives.clone()
                };
                let expected = [
                    (Rule::TagMismatch, at.clone()),
                    (Rule::UnmatchedRecv, at),
                    (Rule::UnmatchedSend, sends.clone()),
                    (Rule::Deadlock, waits.clone()),
                ];
                self.replace("another tag", call, index, &new, &expected);
            }
        }
        match class {
            Class::Send { completion: Completion::Blocking, .. } => {
                let expected = [
                    (Rule::UnmatchedRecv, receives.clone()),
                    (Rule::TagMismatch, receives.clone()),
                    (Rule::CommunicatorMismatch, receives),
                    (Rule::Deadlock, waits),
                ];
                self.remove("a send is missing", call, &expected);
            }
            Class::Receive { completion: Completion::Blocking, matched: false } => {
                let expected = [(Rule::UnmatchedSend, sends), (Rule::Deadlock, waits)];
                self.remove("a receive is missing", call, &expected);
                if let Some(count) = call.mpi.param_with_role(Role::Count)
                    && self.is_number(call, count).is_some_and(|number| number > 0)
                {
                    self.replace(
                        "a shorter receive",
                        call,
                        count,
                        "0",
                        &[(Rule::MessageTruncation, here.clone())],
                    );
                }
            }
            _ => {}
        }
        if matches!(class, Class::Send { mode: SendMode::Standard, .. })
            && let Some(dest) = call.mpi.param_with_role(Role::Dest)
            && let Some((inner, _)) = source.arg(call, dest).split_once(") %")
            && let Some(inner) = inner.strip_prefix('(')
            && inner.contains("+ 1")
            && !inner.contains('(')
        {
            self.replace("the last rank has no successor", call, dest, inner, &[(Rule::InvalidRank, here)]);
        }
    }

    fn collectives(&mut self, call: &Call) {
        let source = self.source;
        let Class::Collective { operation, completion: Completion::Blocking, neighbor: false } =
            call.mpi.class
        else {
            return;
        };
        let here = self.here(call);
        let all = self.lines(|call| call.mpi.is_collective());
        let is_world = source.arg_of(call, Role::Communicator) == Some("MPI_COMM_WORLD");
        let Some(rank) = source.rank_before(call).filter(|_| is_world).map(str::to_owned) else { return };
        // Where only some ranks are, what is done to rank 0 may be nothing.
        if source.is_conditional_on(call, &rank) {
            return;
        }
        let waits = self.lines(may_wait);
        if let Some(root) = call.mpi.param_with_role(Role::Root)
            && self.is_number(call, root).is_some()
        {
            self.replace(
                "roots that differ",
                call,
                root,
                &format!("{rank} % 2"),
                &[(Rule::RootMismatch, here.clone())],
            );
        }
        if let Some(op) = call.mpi.param_with_role(Role::Op) {
            let mine = source.arg(call, op);
            let other = if mine == "MPI_SUM" { "MPI_MAX" } else { "MPI_SUM" };
            if mine.starts_with("MPI_") {
                let new = format!("({rank} % 2 ? {other} : {mine})");
                self.replace("operations that differ", call, op, &new, &[(Rule::OpMismatch, here.clone())]);
            }
        }
        if let Some(count) = call.mpi.param_with_role(Role::Count)
            && matches!(operation, CollectiveOp::Bcast | CollectiveOp::Reduce | CollectiveOp::Allreduce)
            && self.is_number(call, count).is_some_and(|number| number > 0)
        {
            let new = format!("{rank} % 2 ? 0 : {}", source.arg(call, count));
            self.replace("counts that differ", call, count, &new, &[(Rule::CountMismatch, here.clone())]);
        }
        if let Some(comm) = call.mpi.param_with_role(Role::Communicator) {
            let new = format!("({rank} == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD)");
            let expected = [
                (Rule::MissingCollective, all.clone()),
                (Rule::CollectiveMismatch, all.clone()),
                (Rule::CommunicatorMismatch, all.clone()),
                (Rule::InvalidRoot, here.clone()),
                (Rule::Deadlock, waits.clone()),
            ];
            self.replace("another communicator on rank 0", call, comm, &new, &expected);
        }
        let Some(statement) = call.statement.clone() else { return };
        let text = &source.text[statement.clone()];
        let expected = [
            (Rule::MissingCollective, all.clone()),
            (Rule::CollectiveMismatch, all.clone()),
            (Rule::CountMismatch, all.clone()),
            (Rule::RootMismatch, all.clone()),
            (Rule::Deadlock, waits),
        ];
        self.add(
            "a collective that rank 0 leaves out",
            call,
            &[(statement.clone(), format!("if ({rank} > 0) {text}"))],
            &expected,
        );
        let Some(next) = call.next.map(|next| &source.calls[next]) else { return };
        let is_collective = matches!(
            next.mpi.class,
            Class::Collective { completion: Completion::Blocking, neighbor: false, .. }
        );
        let same_comm = source.arg_of(next, Role::Communicator) == Some("MPI_COMM_WORLD");
        if let Some(second) =
            next.statement.clone().filter(|_| is_collective && same_comm && next.mpi.name != call.mpi.name)
        {
            let other = &source.text[second.clone()];
            let edits = [
                (statement, format!("if ({rank} == 0) {} else {text}", joined(other))),
                (second, format!("if ({rank} == 0) {} else {other}", joined(text))),
            ];
            let expected = [(Rule::CollectiveMismatch, all)];
            self.add("two collectives in another order on rank 0", call, &edits, &expected);
        }
    }

    fn requests(&mut self, call: &Call) {
        let here = self.here(call);
        let starts =
            self.lines(|call| call.mpi.request_made().is_some() || matches!(call.mpi.class, Class::Start(_)));
        match call.mpi.class {
            Class::Wait(which) => {
                let collectives = self.lines(|call| call.mpi.is_collective());
                let expected = [
                    (Rule::RequestMissingWait, starts.clone()),
                    (Rule::RequestReuse, starts),
                    (Rule::BufferRace, Lines::Any),
                    // Where the number that comes too late decides.
                    (Rule::MissingCollective, collectives),
                ];
                // Which operation is complete is a result, and what a program does without it another matter.
                if matches!(which, Which::One | Which::All) && self.needs_wait(call) {
                    self.remove("a wait is missing", call, &expected);
                }
                if which == Which::One && self.completes(call) {
                    self.repeat("waited for twice", call, &[(Rule::RequestNotActive, here.clone())]);
                }
                self.early_use(call, &here);
            }
            Class::Start(_) => {
                let waits = self.lines(|call| {
                    matches!(call.mpi.class, Class::Wait(_)) || call.mpi.request_made().is_some()
                });
                let expected = [
                    (Rule::PersistentNotStarted, waits),
                    (Rule::MissingCollective, self.lines(|call| call.mpi.is_collective())),
                    (Rule::UnmatchedSend, self.lines(|call| call.mpi.class.sends())),
                    (Rule::UnmatchedRecv, self.lines(|call| call.mpi.class.receives())),
                    (Rule::Deadlock, self.lines(may_wait)),
                ];
                self.remove("never started", call, &expected);
                self.repeat("started twice", call, &[(Rule::RequestReuse, here)]);
            }
            _ => {}
        }
    }

    /// The calls with the request of a wait, in the same function and before it: the last of those that start an operation, and the
    /// ones behind that.
    fn since_start(&self, wait: &Call) -> Option<(&Call, Vec<&Call>)> {
        let request = variable_of(self.source.arg_of(wait, Role::Request)?);
        let mut before = self.source.with_request(&wait.function, request);
        before.retain(|call| call.name.start < wait.name.start);
        let starts = |call: &Call| {
            matches!(call.mpi.class, Class::Start(_))
                || call.mpi.request_made().is_some_and(|(_, state)| state == RequestState::Active)
        };
        let start = before.iter().rposition(|call| starts(call))?;
        Some((before[start], before.split_off(start + 1)))
    }

    /// Whether nothing may tell that an operation is complete but its wait. A persistent send may be given up while it is active, and an
    /// answer tells that it has arrived.
    fn needs_wait(&self, wait: &Call) -> bool {
        let Some(request) = self.source.arg_of(wait, Role::Request).map(variable_of) else { return true };
        let all = self.source.with_request(&wait.function, request);
        let is_freed = all.iter().any(|call| call.mpi.class == Class::RequestFree);
        let sends = all.iter().any(|call| {
            call.mpi.request_made().is_some_and(|(_, state)| state == RequestState::Inactive)
                && matches!(call.mpi.class, Class::Send { .. })
        });
        // A wait for what has not been started returns at once.
        let is_persistent = all
            .iter()
            .any(|call| call.mpi.request_made().is_some_and(|(_, state)| state == RequestState::Inactive));
        !(is_freed && sends || is_persistent && self.since_start(wait).is_none())
    }

    /// Whether a wait meets an operation: its request is started somewhere, and not null all the time, and a persistent one is started
    /// before.
    fn completes(&self, wait: &Call) -> bool {
        let Some(request) = self.source.arg_of(wait, Role::Request).map(variable_of) else { return false };
        let all = self.source.with_request(&wait.function, request);
        let made = || all.iter().filter_map(|call| call.mpi.request_made());
        let is_null = self.source.text.contains(&format!("{request} = MPI_REQUEST_NULL"));
        if made().next().is_none() {
            return !is_null;
        }
        !made().any(|(_, state)| state == RequestState::Inactive) || self.since_start(wait).is_some()
    }

    /// The buffer of a receive is written before its wait.
    fn early_use(&mut self, wait: &Call, here: &Lines) {
        let source = self.source;
        let Some(statement) = wait.statement.clone() else { return };
        let Some((start, since)) = self.since_start(wait) else { return };
        let receives =
            matches!(start.mpi.class, Class::Receive { completion: Completion::Nonblocking, matched: false });
        // It may be complete already.
        let is_done = since.iter().any(|call| matches!(call.mpi.class, Class::Wait(_)));
        if !receives || is_done {
            return;
        }
        let Some(buffer) = source.arg_of(start, Role::RecvBuffer) else { return };
        let place = match buffer.strip_prefix('&') {
            Some(place) => place.to_owned(),
            None if buffer.chars().all(|c| c.is_alphanumeric() || c == '_') => format!("{buffer}[0]"),
            None => return,
        };
        // A variable may mean something else by now, or be out of scope.
        let is_fixed = place.split('[').skip(1).all(|index| index.starts_with(|c: char| c.is_ascii_digit()));
        let is_plain = place.chars().all(|c| c.is_alphanumeric() || "_[]".contains(c)) && is_fixed;
        if is_plain
            && source
                .arg_of(start, Role::Datatype)
                .is_some_and(|ty| ["MPI_INT", "MPI_DOUBLE", "MPI_FLOAT", "MPI_LONG"].contains(&ty))
        {
            let text = format!("{{ {place} = 1; {} }}", &source.text[statement.clone()]);
            self.add(
                "a buffer is used too early",
                wait,
                &[(statement, text)],
                &[(Rule::BufferRace, here.clone())],
            );
        }
    }

    fn lifecycles(&mut self, call: &Call) {
        let here = self.here(call);
        match call.mpi.class {
            Class::Init { .. } => {
                // What asks whether MPI is initialised may do it later.
                let inits =
                    self.source.calls.iter().filter(|call| matches!(call.mpi.class, Class::Init { .. }));
                if inits.count() == 1 {
                    self.remove("no MPI_Init", call, &[(Rule::MissingInit, Lines::Any)]);
                }
                self.repeat("two MPI_Init", call, &[(Rule::DoubleInit, here.clone())]);
            }
            Class::Finalize => {
                self.remove("no MPI_Finalize", call, &[(Rule::MissingFinalize, Lines::Any)]);
                if let Some(statement) = call.statement.clone() {
                    let text = format!(
                        "{{ {} MPI_Barrier(MPI_COMM_WORLD); }}",
                        &self.source.text[statement.clone()]
                    );
                    self.add(
                        "a call after MPI_Finalize",
                        call,
                        &[(statement, text)],
                        &[(Rule::CallAfterFinalize, here.clone())],
                    );
                }
            }
            Class::TypeCommit => {
                let uses = self.lines(|call| {
                    call.mpi.class.communicates()
                        || matches!(
                            call.mpi.class,
                            Class::Pack { .. } | Class::FileManage(_) | Class::FileData { .. }
                        )
                });
                self.remove("a type is not committed", call, &[(Rule::DatatypeUncommitted, uses)]);
            }
            _ => {}
        }
        let Some((_, kind)) = call.mpi.destroyed() else { return };
        let rule = match kind {
            Object::Datatype => Rule::DatatypeLeak,
            Object::Communicator => Rule::CommunicatorLeak,
            Object::Group => Rule::GroupLeak,
            Object::Op => Rule::OpLeak,
            Object::Window => Rule::WindowLeak,
            Object::File => Rule::FileLeak,
            Object::Request => Rule::RequestLeak,
            _ => return,
        };
        let made = self.lines(|call| {
            call.mpi.created().is_some_and(|(_, made)| made == kind)
                || (kind == Object::Request && call.mpi.request_made().is_some())
        });
        // One that is not freed while its operation is under way is reported where that is started.
        let started = self.lines(|call| {
            kind == Object::Request
                && (call.mpi.request_made().is_some() || matches!(call.mpi.class, Class::Start(_)))
        });
        self.remove("not freed", call, &[(rule, made), (Rule::RequestMissingWait, started)]);
        self.repeat("freed twice", call, &[(Rule::DoubleFree, here)]);
    }

    fn windows(&mut self, call: &Call) {
        let Class::RmaSync(how) = call.mpi.class else { return };
        let accesses = self.lines(|call| matches!(call.mpi.class, Class::Rma { .. } | Class::RmaSync(_)));
        let operator = match how {
            RmaSync::Fence => "a fence is missing",
            RmaSync::Lock | RmaSync::LockAll => "a lock is missing",
            RmaSync::Unlock | RmaSync::UnlockAll => "an unlock is missing",
            RmaSync::Start | RmaSync::Post => "an epoch is not opened",
            RmaSync::Complete | RmaSync::Wait => "an epoch is not ended",
            _ => return,
        };
        self.remove(operator, call, &[(Rule::RmaEpoch, accesses), (Rule::RmaRace, Lines::Any)]);
    }
}
