//! `anyrank redistribute`: messages and schedules of block-cyclic redistributions.

use std::fmt::Write as _;

use redistribution::bounds::{Bounds, bounds};
use redistribution::schedule::{self, Solution};
use redistribution::{
    Cyclic, Dimension, Grid, Message, Order, Processes, Redistribution, Schedule, emit, picture, tables,
};
use serde::Serialize;

use crate::cli::redistribute::{
    GridOrder, Redistribute, RedistributeCode, RedistributeFormat, RedistributeStrategy,
};
use crate::exit::{Exit, Failure};
use crate::output;

/// Tables of more processes than this on one side are left out of the text.
const WIDEST_TABLE: u32 = 64;
/// A picture of more messages than this is nothing to look at.
const LARGEST_PICTURE: usize = 1 << 17;
/// Nor is one with more processes than this on one side.
const WIDEST_PICTURE: u32 = 4096;
/// Matchings of maximum weight for more than this many operations would take minutes, and soon hours.
const MATCHING_WORK: u128 = 10_000_000_000;

/// Does what `anyrank redistribute` is asked for.
pub(crate) fn run(options: &Redistribute) -> Result<Exit, Failure> {
    let redistribution = redistribution(options)?;
    let grid = redistribution.grid().map_err(failure)?;
    let answer = Answer::new(options, &grid)?;
    if let Some(RedistributeCode::C) = options.emit {
        let code = emit::Options {
            name: options.name.clone(),
            storage: options.storage.into(),
            times: options.alpha.zip(options.beta),
        };
        let code = emit::c_function(&redistribution, &grid, &answer.schedule, &code)
            .map_err(|error| Failure::new(error.to_string()))?;
        output::write_bytes(code.as_bytes(), options.output.as_deref())?;
        return Ok(Exit::Clean);
    }
    let text = match options.format {
        RedistributeFormat::Text => text(&redistribution, &grid, &answer),
        RedistributeFormat::Json => {
            let json = serde_json::to_string(&Json::new(&redistribution, &grid, &answer));
            json.expect("numbers, strings and lists are JSON") + "\n"
        }
        RedistributeFormat::Svg => {
            let messages = grid.messages().len();
            if messages > LARGEST_PICTURE {
                return Err(Failure::new(format!(
                    "{messages} messages are too many for a picture (at most {LARGEST_PICTURE}); use --format json"
                )));
            }
            let processes = grid.senders().max(grid.receivers());
            if processes > WIDEST_PICTURE {
                return Err(Failure::new(format!(
                    "{processes} processes are too many for a picture (at most {WIDEST_PICTURE}); use --format json"
                )));
            }
            picture::svg(&grid, &answer.schedule)
        }
    };
    output::write_bytes(text.as_bytes(), options.output.as_deref())?;
    Ok(Exit::Clean)
}

fn failure(error: redistribution::Error) -> Failure {
    Failure::new(error.to_string())
}

/// What the command line says is to be redistributed.
fn redistribution(options: &Redistribute) -> Result<Redistribution, Failure> {
    let count = options.from.len();
    if options.to.len() != count {
        return Err(Failure::new(format!(
            "--from is given {count} times and --to {} times; give both once for each dimension of the array",
            options.to.len()
        )));
    }
    for (name, list) in [
        ("--length", &options.length),
        ("--from-start", &options.from_start),
        ("--to-start", &options.to_start),
    ] {
        if !list.is_empty() && list.len() != count {
            return Err(Failure::new(format!(
                "{name} is given {} times for {count} dimensions; give it once for each, or not at all",
                list.len()
            )));
        }
    }
    let dimensions = (0..count)
        .map(|axis| {
            let [from, to] = [&options.from[axis], &options.to[axis]]
                .map(|side| Cyclic::new(side.processes, side.block)?.starting_at(side.source));
            let dimension = Dimension::new(from?, to?)?;
            let start = |list: &[u64]| list.get(axis).copied().unwrap_or(0);
            let dimension = match options.length.get(axis) {
                Some(length) => dimension.with_length(*length)?,
                None => dimension,
            };
            dimension.with_starts(start(&options.from_start), start(&options.to_start))
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(failure)?;
    let processes = if options.same_processes { Processes::Same } else { Processes::Disjoint };
    let redistribution = Redistribution::new(dimensions).map_err(failure)?;
    Ok(redistribution
        .with_orders(options.from_order.into(), options.to_order.into())
        .with_processes(processes))
}

impl From<GridOrder> for Order {
    fn from(order: GridOrder) -> Self {
        match order {
            GridOrder::Row => Self::RowMajor,
            GridOrder::Column => Self::ColumnMajor,
        }
    }
}

/// The schedule that is printed, and what is known of it.
struct Answer {
    schedule: Schedule,
    bounds: Bounds,
    strategy: RedistributeStrategy,
    /// What a schedule of at most so many steps costs at least.
    lower_bound: u64,
    /// Numbers of steps and costs to choose from, with what is proved about them.
    choices: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    number_of_steps: usize,
    total_cost: u64,
    lower_bound: u64,
}

impl Answer {
    fn new(options: &Redistribute, grid: &Grid) -> Result<Self, Failure> {
        let bounds = bounds(grid);
        let strategy = options.strategy;
        let single = |schedule: Schedule| Self {
            lower_bound: bounds.total_cost,
            schedule,
            bounds,
            strategy,
            choices: Vec::new(),
        };
        Ok(match strategy {
            RedistributeStrategy::Best => {
                let solutions = schedule::pareto(grid);
                let choices = solutions.iter().map(Choice::of).collect();
                // Without costs, as few steps as possible come first.
                let (alpha, beta) = (options.alpha.unwrap_or(1.0), options.beta.unwrap_or(0.0));
                let chosen = solutions.into_iter().min_by(|one, other| {
                    one.schedule.time(alpha, beta).total_cmp(&other.schedule.time(alpha, beta))
                });
                let (schedule, lower_bound) =
                    chosen.map_or_else(Default::default, |solution| (solution.schedule, solution.lower_bound));
                Self { schedule, bounds, strategy, lower_bound, choices }
            }
            RedistributeStrategy::Stepwise | RedistributeStrategy::Greedy => {
                let work = schedule::matching_work(grid);
                if work > MATCHING_WORK {
                    return Err(Failure::new(format!(
                        "matchings of maximum weight for {} senders and {} receivers would take too long; use --strategy best",
                        grid.senders(),
                        grid.receivers()
                    )));
                }
                let stepwise = strategy == RedistributeStrategy::Stepwise;
                single(if stepwise { schedule::stepwise(grid) } else { schedule::greedy(grid) })
            }
            RedistributeStrategy::Classes => single(schedule::class_by_class(grid).ok_or_else(|| {
                Failure::new(
                    "the classes are not evenly distributed (Propositions 3 and 4 ask for gcd(r, Q) = gcd(s, P) = 1 and whole periods); \
                     use --strategy best",
                )
            })?),
            RedistributeStrategy::Caterpillar => {
                let processes = grid.senders().max(grid.receivers());
                if processes > schedule::LONGEST_CATERPILLAR {
                    return Err(Failure::new(format!(
                        "the caterpillar would have {processes} steps, one for each process (at most {}); use --strategy best",
                        schedule::LONGEST_CATERPILLAR
                    )));
                }
                single(schedule::caterpillar(grid))
            }
        })
    }
}

impl Choice {
    fn of(solution: &Solution) -> Self {
        Self {
            number_of_steps: solution.schedule.number_of_steps(),
            total_cost: solution.schedule.total_cost(),
            lower_bound: solution.lower_bound,
        }
    }
}

fn text(redistribution: &Redistribution, grid: &Grid, answer: &Answer) -> String {
    let mut text = String::new();
    for dimension in redistribution.dimensions() {
        let (from, to) = (dimension.from(), dimension.to());
        let _ = writeln!(
            text,
            "CYCLIC({}) on {} processes to CYCLIC({}) on {}: {} elements, period {}",
            from.block(),
            from.processes(),
            to.block(),
            to.processes(),
            dimension.length(),
            dimension.period()
        );
    }
    let schedule = &answer.schedule;
    if grid.senders().max(grid.receivers()) <= WIDEST_TABLE {
        let _ = write!(text, "\nCommunication grid\n{}", tables::grid(grid));
        let _ = write!(text, "\nCommunication steps\n{}", tables::steps(grid, schedule));
    } else {
        let _ = writeln!(
            text,
            "\n{} messages among {} senders and {} receivers (tables are for at most {WIDEST_TABLE}; --format json has all)",
            grid.messages().len(),
            grid.senders(),
            grid.receivers()
        );
    }
    if schedule.number_of_steps() <= 4096 {
        let _ = write!(text, "\nCommunication costs\n{}", tables::costs(schedule, 16));
    }
    let (steps, cost) = (schedule.number_of_steps(), schedule.total_cost());
    let _ = writeln!(
        text,
        "\n{} steps, {}",
        steps,
        if steps == answer.bounds.number_of_steps {
            "as few as possible".to_owned()
        } else {
            format!("at least {} are needed", answer.bounds.number_of_steps)
        }
    );
    let _ = writeln!(text, "total cost {cost}, {}", quality(cost, answer.lower_bound, steps));
    if !grid.local().is_empty() {
        let local: u64 = grid.local().iter().map(|message| message.length).sum();
        let _ = writeln!(
            text,
            "{} local copies of {local} elements in all, which are no messages",
            grid.local().len()
        );
    }
    if answer.choices.len() > 1 {
        text += "choices (--alpha and --beta choose):\n";
        for choice in &answer.choices {
            let Choice { number_of_steps, total_cost, lower_bound } = choice;
            let _ = writeln!(
                text,
                "  {number_of_steps} steps, total cost {total_cost}, {}",
                quality(*total_cost, *lower_bound, *number_of_steps)
            );
        }
    }
    text
}

fn quality(cost: u64, lower_bound: u64, steps: usize) -> String {
    if cost == lower_bound {
        format!("as low as possible with {steps} steps")
    } else {
        format!("at least {lower_bound} with {steps} steps")
    }
}

/// One dimension is told by numbers, several by lists.
#[derive(Serialize)]
#[serde(untagged)]
enum Each {
    One(u64),
    Several(Vec<u64>),
}

impl Each {
    fn of(redistribution: &Redistribution, of: fn(&Dimension) -> u64) -> Self {
        match redistribution.dimensions() {
            [only] => Self::One(of(only)),
            several => Self::Several(several.iter().map(of).collect()),
        }
    }
}

/// What `--format json` prints.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(rename = "P")]
    from_processes: Each,
    #[serde(rename = "r")]
    from_block: Each,
    #[serde(rename = "Q")]
    to_processes: Each,
    #[serde(rename = "s")]
    to_block: Each,
    period: Each,
    length: Each,
    grid: &'a [Message],
    local: &'a [Message],
    steps: Vec<JsonStep<'a>>,
    number_of_steps: usize,
    total_cost: u64,
    bounds: Bounds,
    lower_bound: u64,
    choices: &'a [Choice],
    strategy: &'static str,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    messages: &'a [Message],
    cost: u64,
}

impl<'a> Json<'a> {
    fn new(redistribution: &Redistribution, grid: &'a Grid, answer: &'a Answer) -> Self {
        let each = |of| Each::of(redistribution, of);
        let steps = answer.schedule.steps.iter();
        Self {
            from_processes: each(|dimension| dimension.from().processes().into()),
            from_block: each(|dimension| dimension.from().block()),
            to_processes: each(|dimension| dimension.to().processes().into()),
            to_block: each(|dimension| dimension.to().block()),
            period: each(Dimension::period),
            length: each(Dimension::length),
            grid: grid.messages(),
            local: grid.local(),
            steps: steps.map(|step| JsonStep { messages: &step.messages, cost: step.cost() }).collect(),
            number_of_steps: answer.schedule.number_of_steps(),
            total_cost: answer.schedule.total_cost(),
            bounds: answer.bounds,
            lower_bound: answer.lower_bound,
            choices: &answer.choices,
            strategy: answer.strategy.name(),
        }
    }
}
