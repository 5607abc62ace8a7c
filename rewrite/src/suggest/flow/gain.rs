//! What an operation costs as it is written, and as MPI may do it.

use analyzer::results::Gain;

use super::meaning::Operation;

/// Costs at some numbers of processes: messages and elements of the longest chains, and elements of one process.
pub(super) type Costs = [(usize, [i64; 2], i64)];

/// A number that depends on the number of processes, in words and as a function.
type Form = (&'static str, fn(i64) -> i64);

const FORMS: [Form; 9] = [
    ("0", |_| 0),
    ("(np - 1)", |np| np - 1),
    ("ceil(log2(np))", log2),
    ("2 ceil(log2(np))", |np| 2 * log2(np)),
    ("2(np - 1)", |np| 2 * (np - 1)),
    ("np", |np| np),
    ("2 np", |np| 2 * np),
    ("floor(log2(np))", |np| i64::from(np.unsigned_abs().ilog2())),
    ("np (np - 1)", |np| np * (np - 1)),
];

fn log2(np: i64) -> i64 {
    i64::from(np.unsigned_abs().next_power_of_two().ilog2())
}

pub(super) fn gain(operation: Operation, costs: &Costs) -> Gain {
    let after = match operation {
        Operation::Broadcast
        | Operation::Reduce(_)
        | Operation::Allreduce(_)
        | Operation::Scan(_)
        | Operation::Exscan(_) => "ceil(log2(np)) (a + m*b)",
        Operation::Scatter | Operation::Gather | Operation::Allgather => "ceil(log2(np)) a + (np - 1) m*b",
        Operation::Alltoall => "(np - 1)(a + m*b)",
        Operation::Barrier => "ceil(log2(np)) a",
    };
    Gain { model: Gain::MESSAGES, before: before(operation, costs), after: after.to_owned() }
}

fn before(operation: Operation, costs: &Costs) -> String {
    let form = |of: &dyn Fn(&[i64; 2], i64) -> Option<i64>| {
        let fits = |f: fn(i64) -> i64| {
            costs
                .iter()
                .all(|(np, time, length)| i64::try_from(*np).is_ok_and(|np| of(time, *length) == Some(f(np))))
        };
        FORMS.iter().find(|(_, f)| fits(*f)).map(|(words, _)| *words)
    };
    let messages = form(&|time, _| Some(time[0]));
    if operation == Operation::Barrier {
        return messages.map_or_else(|| at_most(costs), |words| format!("{words} a"));
    }
    // A block at a time.
    let blocks = form(&|time, length| (length > 0 && time[1] % length == 0).then(|| time[1] / length));
    match (messages, blocks) {
        (Some(a), Some(b)) if a == b && a.ends_with("1)") => format!("{a}(a + m*b)"),
        (Some(a), Some(b)) if a == b => format!("{a} (a + m*b)"),
        (Some(a), Some(b)) => format!("{a} a + {b} m*b"),
        _ => at_most(costs),
    }
}

/// The cost at the largest number of processes that was looked at.
fn at_most(costs: &Costs) -> String {
    costs.last().map_or_else(String::new, |(np, time, length)| {
        let blocks = time[1].checked_div((*length).max(1)).unwrap_or(0);
        format!("{} a + {blocks} m*b at np = {np}", time[0])
    })
}
