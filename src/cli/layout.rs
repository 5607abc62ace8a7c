//! `anyrank layout` on the command line.

use std::path::PathBuf;

use ::layout::CostModel;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

/// `anyrank layout`.
#[derive(Debug, Args)]
pub struct Layout {
    /// What to do.
    #[command(subcommand)]
    pub command: LayoutCommand,
}

/// What `anyrank layout` does.
#[derive(Debug, Subcommand)]
pub enum LayoutCommand {
    /// Find the cheapest datatype for given displacements
    Reconstruct(Reconstruct),
    /// Find a cheaper datatype for the same layout
    Normalize(Normalize),
    /// Show what a datatype describes: bounds, signature, tree, picture, and where MPI libraries disagree about the bounds
    Show(Show),
}

/// `anyrank layout reconstruct`.
#[derive(Debug, Args)]
pub struct Reconstruct {
    /// Displacements in elements, with commas or spaces between; @FILE reads them from a file, - from standard input
    #[arg(required = true, allow_negative_numbers = true, value_name = "DISPLACEMENT")]
    pub displacements: Vec<String>,

    /// Of what the displacements count elements
    #[arg(long = "type", value_name = "MPI_TYPE", default_value = "MPI_BYTE")]
    pub basic: String,

    /// How the tree is found.
    #[command(flatten)]
    pub search: LayoutSearch,

    /// Where the answer goes.
    #[command(flatten)]
    pub printing: LayoutPrinting,
}

/// `anyrank layout normalize`.
#[derive(Debug, Args)]
pub struct Normalize {
    /// A datatype: an expression such as vector(10,1,100,MPI_DOUBLE), or JSON; @FILE reads it from a file, - from standard input
    pub datatype: String,

    /// Do not flatten what need not be: the cheapest tree without strc, in time of the description and not of its elements
    #[arg(long)]
    pub no_flatten: bool,

    /// How the tree is found.
    #[command(flatten)]
    pub search: LayoutSearch,

    /// Where the answer goes.
    #[command(flatten)]
    pub printing: LayoutPrinting,
}

/// `anyrank layout show`.
#[derive(Debug, Args)]
pub struct Show {
    /// A datatype: an expression such as vector(10,1,100,MPI_DOUBLE), or JSON; @FILE reads it from a file, - from standard input
    pub datatype: String,

    /// What trees cost.
    #[command(flatten)]
    pub cost: LayoutCost,

    /// Print this code only
    #[arg(long, value_enum, conflicts_with = "format")]
    pub emit: Option<LayoutCode>,

    /// Where the answer goes.
    #[command(flatten)]
    pub printing: LayoutPrinting,
}

/// How trees are found.
#[derive(Debug, Args)]
pub struct LayoutSearch {
    /// Use buckets too (vecbuc, idxbuc); MPI has no constructor for vecbuc
    #[arg(long)]
    pub buckets: bool,

    /// Use con, vec and idx only: much faster for long sequences
    #[arg(long, conflicts_with = "buckets")]
    pub without_strc: bool,

    /// What trees cost.
    #[command(flatten)]
    pub cost: LayoutCost,

    /// Memory for the search, in MiB; with less than it takes, the answer need not be the cheapest, and says so
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    pub memory_limit: usize,
}

/// What trees cost.
#[derive(Debug, Args)]
pub struct LayoutCost {
    /// What trees cost, as node=4,strc=9: a node (con, vec, idx, strc, vecbuc, idxbuc; node for all of them) without its lists, and an
    /// element of a list (lookup); by default node=6,lookup=1
    #[arg(long, value_name = "NAME=COST", value_delimiter = ',', value_parser = cost)]
    pub cost: Vec<(String, u32)>,
}

impl LayoutCost {
    /// The model; later constants win.
    pub(crate) fn model(&self) -> CostModel {
        let mut model = CostModel::default();
        for (name, cost) in &self.cost {
            model.set(name, *cost);
        }
        model
    }
}

/// Reads one constant of a cost model.
fn cost(text: &str) -> Result<(String, u32), String> {
    let (name, cost) = text.split_once('=').ok_or("a name, `=` and a cost are expected")?;
    let cost = cost.parse().map_err(|_| format!("`{cost}` is not a whole number of 32 bits"))?;
    if CostModel::default().set(name, cost) {
        Ok((name.to_owned(), cost))
    } else {
        Err(format!("`{name}` costs nothing; known are {}", CostModel::NAMES.join(", ")))
    }
}

/// What answers of `anyrank layout` look like, and where they go.
#[derive(Debug, Args)]
pub struct LayoutPrinting {
    /// How to print
    #[arg(long, value_enum, default_value_t = LayoutFormat::Text)]
    pub format: LayoutFormat,

    /// Write to this file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// `--emit` of `anyrank layout show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayoutCode {
    /// A C function that builds the datatype
    C,
    /// C functions that pack and unpack it, without MPI
    CPack,
}

/// `--format` of `anyrank layout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LayoutFormat {
    /// For people
    Text,
    /// For scripts
    Json,
    /// A C function that builds the datatype
    C,
}
