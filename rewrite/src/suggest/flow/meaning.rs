//! Which collective operation leaves the memory of all processes as some statements do.

use super::code::{Code, Expr, Identity, Kind};
use super::live::Live;
use super::machine::Value;
use super::run::{self, Outcome};
use super::term::{Cell, Op, Term, TermId};

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Broadcast,
    Scatter,
    Gather,
    Allgather,
    Alltoall,
    Reduce(Op),
    Allreduce(Op),
    Scan(Op),
    Exscan(Op),
    Barrier,
}

/// Who has a place of its own in an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    First,
    Last,
    /// The one whose rank a variable holds on all processes before the first message: an object of the code.
    Held(usize),
}

impl Root {
    fn rank(self, outcome: &Outcome, code: &Code<'_>) -> Option<usize> {
        let object = match self {
            Self::First => return Some(0),
            Self::Last => return Some(outcome.np - 1),
            Self::Held(object) => object,
        };
        let held = Expr::Load(Box::new(Expr::Address(code.objects[object].own)));
        let mut all = (0..outcome.np).map(|process| run::evaluate(code, outcome, process, &held));
        let first = all.next()??;
        let rank = usize::try_from(first).ok().filter(|&rank| rank < outcome.np)?;
        all.all(|other| other == Some(first)).then_some(rank)
    }

    /// All that may be the root of an operation.
    fn all(outcome: &Outcome, code: &Code<'_>) -> Vec<Option<Self>> {
        let is_root = |object: &usize| {
            code.objects[*object].kind == Kind::Plain && Self::Held(*object).rank(outcome, code).is_some()
        };
        let held = (0..code.objects.len()).filter(is_root).map(Self::Held);
        [Self::First, Self::Last].into_iter().chain(held).map(Some).collect()
    }
}

/// An operation with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) operation: Operation,
    pub(super) root: Option<Root>,
    /// The block whose contents are sent.
    pub(super) sent: usize,
    /// The block that holds the result; the same for an operation in place.
    pub(super) result: usize,
    /// Elements of one process.
    pub(super) length: i64,
    /// Whether what a process has for itself is put in its place, too.
    pub(super) own: bool,
}

impl Operation {
    pub(super) fn has_root(self) -> bool {
        matches!(self, Self::Broadcast | Self::Scatter | Self::Gather | Self::Reduce(_))
    }

    pub(super) fn op(self) -> Option<Op> {
        match self {
            Self::Reduce(op) | Self::Allreduce(op) | Self::Scan(op) | Self::Exscan(op) => Some(op),
            _ => None,
        }
    }

    /// Whether a process may keep its own block where it is.
    fn has_own(self) -> bool {
        matches!(self, Self::Scatter | Self::Gather | Self::Allgather | Self::Alltoall)
    }
}

/// What a cell holds at the start.
fn start(outcome: &mut Outcome, code: &Code<'_>, cell: Cell) -> Option<TermId> {
    match outcome.before[cell.process].get(&(cell.block, cell.index)) {
        Some(Value::Data { term, .. }) => return Some(*term),
        Some(_) => return None,
        None => {}
    }
    let block = code.blocks[cell.block];
    let object = &code.objects[block.object];
    let term = match (block.is_variable && object.kind == Kind::Plain, &object.identity) {
        (true, Some(Identity::Rank)) => Term::Rank(cell.process),
        (true, Some(Identity::Size)) => Term::Size(cell.process),
        _ => Term::Initial(cell),
    };
    Some(outcome.terms.of(term))
}

/// What a cell holds at the end.
fn end(outcome: &mut Outcome, code: &Code<'_>, cell: Cell) -> Option<TermId> {
    match outcome.after[cell.process].get(&(cell.block, cell.index)) {
        Some(Value::Data { term, .. }) => Some(*term),
        Some(_) => None,
        None => start(outcome, code, cell),
    }
}

/// The elements of a block that a process does not have as they were; `None` where it has lost an address.
fn changed(outcome: &mut Outcome, code: &Code<'_>, process: usize, block: usize) -> Option<Vec<i64>> {
    let indices: Vec<i64> = outcome.after[process]
        .range((block, i64::MIN)..=(block, i64::MAX))
        .map(|(&(_, index), _)| index)
        .collect();
    let mut all = Vec::new();
    for index in indices {
        let cell = Cell { process, block, index };
        let place = (block, index);
        if outcome.after[process].get(&place) == outcome.before[process].get(&place) {
            continue;
        }
        if end(outcome, code, cell)? != start(outcome, code, cell)? {
            all.push(index);
        }
    }
    Some(all)
}

/// The blocks that some process has changed, but for requests and statuses.
pub(super) fn changes(outcome: &mut Outcome, code: &Code<'_>) -> Vec<usize> {
    let mut all = Vec::new();
    for block in 0..code.blocks.len() {
        let is_changed = (0..outcome.np).any(|process| {
            let is_request = |value: &Value| matches!(value, Value::Request(_) | Value::Null);
            let mut cells = outcome.after[process].range((block, i64::MIN)..=(block, i64::MAX));
            if cells.all(|(_, value)| is_request(value))
                || code.objects[code.blocks[block].object].kind == Kind::Status
            {
                return false;
            }
            changed(outcome, code, process, block).is_none_or(|all| !all.is_empty())
        });
        if is_changed {
            all.push(block);
        }
    }
    all
}

/// The operation that leaves its result in a block.
pub(super) fn detect(outcome: &mut Outcome, code: &Code<'_>, result: usize, live: Live) -> Option<Meaning> {
    let mut ops: Vec<Op> = Vec::new();
    for process in [0, outcome.np - 1] {
        let term = end(outcome, code, Cell { process, block: result, index: 0 })?;
        if let Term::Combined(op, _) = outcome.terms.get(term)
            && !ops.contains(op)
        {
            ops.push(*op);
        }
    }
    let mut operations: Vec<Operation> = Vec::new();
    for make in [Operation::Allreduce, Operation::Scan, Operation::Exscan, Operation::Reduce] {
        operations.extend(ops.iter().map(|&op| make(op)));
    }
    operations.extend([
        Operation::Allgather,
        Operation::Alltoall,
        Operation::Broadcast,
        Operation::Scatter,
        Operation::Gather,
    ]);
    // What only one process looks at is a matter of a root.
    operations.retain(|operation| operation.has_root() || !matches!(live, Live::Only(_)));
    let lengths = outcome.lengths.clone();
    let all_roots = Root::all(outcome, code);
    for operation in operations {
        let roots: &[Option<Root>] = if operation.has_root() { &all_roots } else { &[None] };
        let owns: &[bool] = if operation.has_own() { &[true, false] } else { &[true] };
        for (&root, &own, &length) in roots
            .iter()
            .flat_map(|root| owns.iter().map(move |own| (root, own)))
            .flat_map(|(root, own)| lengths.iter().map(move |length| (root, own, length)))
        {
            // The result itself first: in place.
            let others = (0..code.blocks.len()).filter(|&block| block != result);
            for sent in std::iter::once(result).chain(others) {
                let meaning = Meaning { operation, root, sent, result, length, own };
                if length > 0 && holds(outcome, code, &meaning, live) {
                    return Some(meaning);
                }
            }
        }
    }
    None
}

/// Whether an operation leaves the memory of all processes as the statements do, as far as somebody looks at it.
pub(super) fn holds(outcome: &mut Outcome, code: &Code<'_>, meaning: &Meaning, live: Live) -> bool {
    (0..outcome.np).all(|process| {
        let matters = match live {
            Live::Only(rank) => usize::try_from(rank) == Ok(process),
            Live::Nobody | Live::All => true,
        };
        !matters || holds_at(outcome, code, meaning, process).unwrap_or(false)
    })
}

fn holds_at(outcome: &mut Outcome, code: &Code<'_>, meaning: &Meaning, process: usize) -> Option<bool> {
    let Meaning { operation, root, sent, result, length, own } = *meaning;
    let np = outcome.np;
    let root = match root {
        Some(root) => Some(root.rank(outcome, code)?),
        None => None,
    };
    let (number, me) = (i64::try_from(np).ok()?, i64::try_from(process).ok()?);
    let in_place = sent == result;
    let cell = |process: usize, index: i64| Cell { process, block: sent, index };
    let covered = match operation {
        Operation::Broadcast if in_place => length,
        // Two buffers are another matter.
        Operation::Broadcast | Operation::Barrier => return Some(false),
        Operation::Scatter if in_place && root == Some(process) => 0,
        Operation::Scatter | Operation::Allreduce(_) | Operation::Scan(_) => length,
        Operation::Exscan(_) => length * i64::from(process > 0),
        Operation::Reduce(_) => length * i64::from(root == Some(process)),
        Operation::Gather => number * length * i64::from(root == Some(process)),
        Operation::Allgather | Operation::Alltoall => number * length,
    };
    if covered > 1 << 16
        || changed(outcome, code, process, result)?.iter().any(|&index| !(0..covered).contains(&index))
    {
        return Some(false);
    }
    for index in 0..covered {
        let (other, k) = (usize::try_from(index / length).ok()?, index % length);
        let at = Cell { process, block: result, index };
        // What a process has for itself.
        let is_own = match operation {
            Operation::Scatter => root == Some(process),
            Operation::Gather | Operation::Allgather | Operation::Alltoall => other == process,
            _ => false,
        };
        if is_own && !own {
            if end(outcome, code, at)? != start(outcome, code, at)? {
                return Some(false);
            }
            continue;
        }
        let expected = match operation {
            Operation::Broadcast => start(outcome, code, cell(root?, index))?,
            Operation::Scatter => start(outcome, code, cell(root?, me * length + k))?,
            Operation::Gather | Operation::Allgather => {
                start(outcome, code, cell(other, if in_place { index } else { k }))?
            }
            Operation::Alltoall => start(outcome, code, cell(other, me * length + k))?,
            Operation::Reduce(op)
            | Operation::Allreduce(op)
            | Operation::Scan(op)
            | Operation::Exscan(op) => {
                let who = match operation {
                    Operation::Scan(_) => 0..process + 1,
                    Operation::Exscan(_) => 0..process,
                    _ => 0..np,
                };
                let mut parts = Vec::new();
                for other in who {
                    parts.push(start(outcome, code, cell(other, index))?);
                }
                let all = outcome.terms.combined(op, &parts);
                let found = end(outcome, code, at)?;
                if found != all && without_neutral(outcome, op, found) != without_neutral(outcome, op, all) {
                    return Some(false);
                }
                continue;
            }
            Operation::Barrier => return Some(false),
        };
        if end(outcome, code, at)? != expected {
            return Some(false);
        }
    }
    Some(true)
}

/// A combination without cells that held the number which changes nothing.
fn without_neutral(outcome: &mut Outcome, op: Op, term: TermId) -> TermId {
    let Some(neutral) = op.neutral() else { return term };
    let parts = outcome.terms.parts(op, term);
    let kept: Vec<TermId> = parts
        .iter()
        .copied()
        .filter(|&part| {
            let Term::Initial(cell) = outcome.terms.get(part) else { return true };
            let number = match outcome.before[cell.process].get(&(cell.block, cell.index)) {
                Some(Value::Data { number, .. }) => *number,
                _ => None,
            };
            number != Some(neutral)
        })
        .collect();
    if kept.is_empty() { term } else { outcome.terms.combined(op, &kept) }
}
