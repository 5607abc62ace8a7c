//! `anyrank redistribute` on the command line.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// `anyrank redistribute`.
#[derive(Debug, Args)]
#[command(after_help = "\
Element i of a dimension is on process (i / r + SOURCE) mod P. Options of a dimension (--from, --to, --length, --from-start, --to-start) \
are given once for each dimension of the array, in the order of its indices. Lengths and costs are numbers of elements.")]
pub struct Redistribute {
    /// The distribution that the array has: CYCLIC(r) on P processes, the first block on process SOURCE [default: 0]
    #[arg(long, required = true, value_name = "P,r[,SOURCE]", value_parser = parse_side)]
    pub from: Vec<Side>,

    /// The distribution that it gets: CYCLIC(s) on Q processes
    #[arg(long, required = true, value_name = "Q,s[,SOURCE]", value_parser = parse_side)]
    pub to: Vec<Side>,

    /// How many elements are moved [default: one period, lcm(P r, Q s)]
    #[arg(long, value_name = "N")]
    pub length: Vec<u64>,

    /// Index of the first element that is moved, in the array as it is [default: 0]
    #[arg(long, value_name = "INDEX")]
    pub from_start: Vec<u64>,

    /// Index that it gets [default: 0]
    #[arg(long, value_name = "INDEX")]
    pub to_start: Vec<u64>,

    /// How the senders' process grid is numbered
    #[arg(long, value_enum, default_value_t = GridOrder::Row)]
    pub from_order: GridOrder,

    /// How the receivers' process grid is numbered
    #[arg(long, value_enum, default_value_t = GridOrder::Row)]
    pub to_order: GridOrder,

    /// Sender p and receiver p are one process: what it keeps is a local copy, not a message
    #[arg(long)]
    pub same_processes: bool,

    /// How messages are arranged in steps
    #[arg(long, value_enum, default_value_t = RedistributeStrategy::Best)]
    pub strategy: RedistributeStrategy,

    /// What a step costs, beside what its longest message costs [default: so much that as few steps as possible are taken]
    #[arg(long, value_name = "TIME", value_parser = parse_cost)]
    pub alpha: Option<f64>,

    /// What each element of the longest message of a step costs
    #[arg(long, value_name = "TIME", requires = "alpha", value_parser = parse_cost)]
    pub beta: Option<f64>,

    /// How to print
    #[arg(long, value_enum, default_value_t = RedistributeFormat::Text)]
    pub format: RedistributeFormat,

    /// Print code that redistributes an array
    #[arg(long, value_enum, conflicts_with = "format")]
    pub emit: Option<RedistributeCode>,

    /// What the C function is called
    #[arg(long, value_name = "NAME", default_value = "redistribute", requires = "emit", value_parser = parse_function)]
    pub name: String,

    /// Which indices of a process's part of the array lie next to each other in memory, for the C function: the last (row) or the first (column)
    #[arg(long, value_enum, default_value_t = GridOrder::Row, requires = "emit")]
    pub storage: GridOrder,

    /// Write to this file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// A block-cyclic distribution of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// P or Q.
    pub processes: u64,
    /// r or s.
    pub block: u64,
    /// The process that has the first block.
    pub source: u64,
}

/// How a process grid is numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GridOrder {
    /// Row by row: the last coordinate counts fastest
    Row,
    /// Column by column: the first coordinate counts fastest
    Column,
}

/// `--strategy` of `anyrank redistribute`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RedistributeStrategy {
    /// As few steps as possible, or what --alpha and --beta choose, at the lowest cost that is found
    Best,
    /// The paper's: in each step the greatest weight that keeps the number of steps least
    Stepwise,
    /// The paper's: in each step the greatest weight
    Greedy,
    /// The paper's, where it applies: one class of messages after the other
    Classes,
    /// ScaLAPACK's total exchange
    Caterpillar,
}

impl RedistributeStrategy {
    /// Its name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Stepwise => "stepwise",
            Self::Greedy => "greedy",
            Self::Classes => "classes",
            Self::Caterpillar => "caterpillar",
        }
    }
}

/// `--emit` of `anyrank redistribute`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RedistributeCode {
    /// A C file with a function over MPI-3.1 that redistributes an array by the schedule
    C,
}

/// `--format` of `anyrank redistribute`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RedistributeFormat {
    /// Tables, for people
    Text,
    /// For scripts
    Json,
    /// A picture of the communication grid, coloured by step
    Svg,
}

/// Reads `P,r` or `P,r,SOURCE`.
fn parse_side(text: &str) -> Result<Side, String> {
    let number = |text: &str| {
        let text = text.trim();
        text.parse::<u64>().map_err(|_| {
            if text.is_empty() || !text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()) {
                format!("`{text}` is not a number")
            } else if text.starts_with('-') {
                format!("{text} is negative")
            } else {
                format!("{text} is more than 64 bits can hold")
            }
        })
    };
    let parts = text.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
    match parts[..] {
        [processes, block] => Ok(Side { processes, block, source: 0 }),
        [processes, block, source] => Ok(Side { processes, block, source }),
        _ => Err("the number of processes and the block size are expected, as in 16,3".to_owned()),
    }
}

/// Reads the name of a C function.
fn parse_function(text: &str) -> Result<String, String> {
    let mut bytes = text.bytes();
    let begins = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    if !begins || !bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        Err("a C identifier that begins with a letter is expected".to_owned())
    } else if redistribution::emit::is_taken(text) {
        Err(format!("`{text}` means something else in the C code already"))
    } else {
        Ok(text.to_owned())
    }
}

fn parse_cost(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(cost) if cost.is_finite() && cost >= 0.0 => Ok(cost),
        _ => Err("a number that is not negative is expected".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_two_or_three_numbers() {
        assert_eq!(parse_side("16,3"), Ok(Side { processes: 16, block: 3, source: 0 }));
        assert_eq!(parse_side("16, 3, 2"), Ok(Side { processes: 16, block: 3, source: 2 }));
        for wrong in ["", "16", "16,", "x,3", "16,-3", "1,2,3,4", "99999999999999999999,1"] {
            assert!(parse_side(wrong).is_err(), "{wrong:?}");
        }
    }
}
