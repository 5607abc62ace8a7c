//! Redistributions of block-cyclic arrays: crate `redistribution` knows their messages and a schedule for them.
//!
//! They are found where numbers in the text say what both distributions are, whoever moves the elements today. All of it is advice: the
//! function that the crate writes takes the array as it is, and what fills and empties buffers, files and windows has to go with the call.

mod alltoallv;
mod darray;
mod scalapack;

use analyzer::results::{Gain, Related, SourceRange, Suggestion};
use analyzer::rules::Rule;
use redistribution::{Cyclic, Dimension, Grid, Order, Redistribution, Schedule, schedule};
use tree_sitter::Node;

use super::scope::Scope;
use crate::text::Call;

pub(super) use scalapack::is_only_read as is_read_by_scalapack;

/// Messages of an array; schedules of more take too long while somebody types.
const MOST_MESSAGES: u64 = 4096;

/// Words that a file has in which redistributions are looked for.
const WORDS: [&str; 3] = ["lltoallv", "MPI_Type_create_darray", "gemr2d"];

/// How the elements of a dimension are dealt out: in blocks of `block`, to `processes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dealt {
    processes: i64,
    block: i64,
}

/// An array that changes its distribution.
#[derive(Clone, Debug)]
struct Change {
    /// Each dimension before and after.
    dimensions: Vec<[Dealt; 2]>,
    /// Elements of each dimension, where they are known.
    lengths: Option<Vec<i64>>,
    /// How the process grids before and after are numbered.
    orders: [Order; 2],
    /// Which index lies side by side in the memory of a process.
    storage: Order,
}

/// How the elements get to their new owners today.
enum Today {
    /// By messages in the order of a caterpillar.
    Messages,
    /// Through the memory of one process.
    OneProcess,
    /// Through a file.
    File,
}

/// Where a redistribution is in the text, and how it is done.
struct Found {
    today: Today,
    change: Change,
    range: SourceRange,
    related: Vec<Related>,
    /// What the function of the crate takes the place of.
    replaced: &'static str,
}

/// Whether a file may have a redistribution.
pub(super) fn may_have_some(text: &str) -> bool {
    WORDS.iter().any(|word| text.contains(word))
}

/// All redistributions of a file.
pub(super) fn redistributions(scope: &Scope<'_>) -> Vec<Suggestion> {
    let mut all = alltoallv::redistributions(scope);
    all.extend(darray::redistributions(scope));
    all.extend(scalapack::redistributions(scope));
    all.into_iter().filter_map(Found::suggestion).collect()
}

/// Whether an expression is a variable that a communicator has been asked to set to the rank of this process.
fn is_own_rank<'t>(scope: &Scope<'t>, node: Node<'t>) -> bool {
    node.kind() == "identifier"
        && scope.variable(node, scope.text(node)).is_some_and(|variable| {
            let asked = |name: &Node<'t>| {
                Call::around_loosely(scope.file, *name).is_some_and(|call| call.mpi.name == "MPI_Comm_rank")
            };
            scope.is_settled(&variable) && scope.uses(&variable).is_some_and(|uses| uses.iter().any(asked))
        })
}

impl Change {
    /// The messages, where they are not too many.
    fn grid(&self) -> Option<Grid> {
        let cyclic = |side: Dealt| {
            Cyclic::new(u64::try_from(side.processes).ok()?, u64::try_from(side.block).ok()?).ok()
        };
        let dimension = |(axis, &[from, to]): (usize, &[Dealt; 2])| {
            let dimension = Dimension::new(cyclic(from)?, cyclic(to)?).ok()?;
            match &self.lengths {
                Some(lengths) => dimension.with_length(u64::try_from(*lengths.get(axis)?).ok()?).ok(),
                None => Some(dimension),
            }
        };
        let dimensions = self.dimensions.iter().enumerate().map(dimension).collect::<Option<_>>()?;
        let problem = Redistribution::new(dimensions).ok()?.with_orders(self.orders[0], self.orders[1]);
        problem.grid_within(MOST_MESSAGES).ok()
    }

    /// Processes before and after.
    fn processes(&self, side: usize) -> i64 {
        self.dimensions.iter().map(|both| both[side].processes).product()
    }

    /// The options of `anyrank redistribute`.
    fn arguments(&self) -> String {
        let mut words = Vec::new();
        for (option, side) in [("--from", 0), ("--to", 1)] {
            let all = self.dimensions.iter().map(|both| both[side]);
            words.extend(all.map(|dealt| format!("{option} {},{}", dealt.processes, dealt.block)));
        }
        for (option, order) in [("--from-order", self.orders[0]), ("--to-order", self.orders[1])] {
            if order == Order::ColumnMajor {
                words.push(format!("{option} column"));
            }
        }
        let lengths = self.lengths.iter().flatten();
        words.extend(lengths.map(|length| format!("--length {length}")));
        words.join(" ")
    }

    /// What code is to know besides.
    fn code_arguments(&self) -> String {
        let missing = if self.lengths.is_none() { " --length N" } else { "" };
        let is_by_columns = 1 < self.dimensions.len() && self.storage == Order::ColumnMajor;
        let storage = if is_by_columns { " --storage column" } else { "" };
        format!("{}{missing} --emit c{storage}", self.arguments())
    }

    fn told(&self, side: usize) -> String {
        let list = |of: fn(&Dealt) -> i64| {
            let all = self.dimensions.iter().map(|both| of(&both[side]).to_string());
            all.collect::<Vec<_>>().join(" x ")
        };
        format!("blocks of {} over {}", list(|dealt| dealt.block), list(|dealt| dealt.processes))
    }
}

impl Found {
    /// What is suggested; `None` where a schedule is no better than what is done today.
    fn suggestion(self) -> Option<Suggestion> {
        let change = &self.change;
        let grid = change.grid()?;
        let best = schedule::best(&grid);
        let told =
            |schedule: &Schedule| format!("{} a + {} n*b", schedule.number_of_steps(), schedule.total_cost());
        let elements: u64 = grid.messages().iter().chain(grid.local()).map(|message| message.length).sum();
        let before = match self.today {
            Today::Messages if grid.senders().max(grid.receivers()) > schedule::LONGEST_CATERPILLAR => {
                return None;
            }
            Today::Messages => {
                let plain = schedule::caterpillar(&grid);
                if plain.total_cost() <= best.total_cost() || best.number_of_steps() > plain.number_of_steps()
                {
                    return None;
                }
                told(&plain)
            }
            Today::OneProcess => {
                format!("{} a + {} n*b", change.processes(0) + change.processes(1), 2 * elements)
            }
            Today::File => format!("{} n*f", 2 * elements),
        };
        let model = match (self.today, &change.lengths) {
            (Today::File, _) => Gain::FILE,
            (_, Some(_)) => Gain::ARRAY,
            (_, None) => Gain::STEPS,
        };
        Some(Suggestion {
            rule: Rule::ScheduleRedistribution,
            message: format!(
                "redistributes an array from {} processes to {}: `anyrank redistribute {}` has a schedule",
                change.told(0),
                change.told(1),
                change.arguments()
            ),
            range: self.range,
            related: self.related,
            np: format!("np = {}", change.processes(0).max(change.processes(1))),
            gain: Gain { model, before, after: told(&best) },
            edit: Err(format!(
                "`anyrank redistribute {}` writes a function that takes the array as it is, instead of {}",
                change.code_arguments(),
                self.replaced
            )),
        })
    }
}
