//! The command line (design section 2).

pub mod layout;
pub mod lsp;
pub mod redistribute;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

use analyzer::FlowQuery;
use analyzer::results::Severity;
use report::text::Detail;

/// Any-np static analysis for MPI programs in C: who talks to whom, and what goes wrong, for every number of processes.
#[derive(Debug, Parser)]
#[command(name = "anyrank", version = crate::version::version(), max_term_width = 100)]
#[command(after_help = "Exit codes: 0 nothing at warning or above, 1 findings, 2 could not do the job, \
                        130 and 143 interrupted by Ctrl-C and SIGTERM (what was done by then is printed).")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// One subcommand per file of `src/`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Report findings for files and directories
    Lint(Lint),
    /// Report who talks to whom, for any number of ranks
    Topology(Topology),
    /// Suggest what to write instead: collectives and other calls that do the same with less
    ///
    /// Each edit is tried: the edited program is analysed. That ends after three times --time-limit; suggestions whose edits were not
    /// tried until then are left out, and a message on standard error (`errors` in JSON) says how many.
    Suggest(Suggest),
    /// Write MPI datatypes for the structs of a header
    Types(Types),
    /// Describe data layouts by MPI datatypes
    Layout(layout::Layout),
    /// Schedule the messages that change the block-cyclic distribution of an array
    Redistribute(redistribute::Redistribute),
    /// Serve an editor: the language server, on standard input and output
    Lsp(lsp::LanguageServer),
    /// Print a rule's page
    Explain(Explain),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page (roff)
    Man,
}

impl Command {
    /// The options of a command that analyses programs.
    pub(crate) fn analysis(&self) -> Option<&Common> {
        match self {
            Self::Lint(options) => Some(&options.common),
            Self::Topology(options) => Some(&options.common),
            Self::Suggest(options) => Some(&options.common),
            _ => None,
        }
    }
}

/// `anyrank lint`.
#[derive(Debug, Args)]
pub struct Lint {
    /// C files, or directories to walk for *.c (what .gitignore names is left out)
    #[arg(default_value = ".", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t = LintFormat::Text)]
    pub format: LintFormat,

    /// Report these rules only
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,

    /// Do not report these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Report findings of at least this severity [default: note]
    #[arg(long, value_enum)]
    pub severity: Option<Level>,

    /// Do not report what is in this file, an earlier report in JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub baseline: Option<PathBuf>,

    /// Edit the files where an edit makes a finding go away; print what is left
    #[arg(long, conflicts_with_all = ["diff", "statistics"])]
    pub fix: bool,

    /// Print what --fix would change instead of the findings, and change nothing
    #[arg(long, conflicts_with_all = ["format", "statistics"])]
    pub diff: bool,

    /// Print how often each rule was violated instead of the findings
    #[arg(long)]
    pub statistics: bool,

    /// Between what information flow is looked for.
    #[command(flatten)]
    pub flow: Flow,

    /// Options common to all analyses.
    #[command(flatten)]
    pub common: Common,
}

/// `anyrank topology`.
#[derive(Debug, Args)]
pub struct Topology {
    /// C files, or directories to walk for *.c (what .gitignore names is left out)
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t = TopologyFormat::Text)]
    pub format: TopologyFormat,

    /// Report also which arguments and conditions are equal on all ranks; in JSON, constants too
    #[arg(long)]
    pub facts: bool,

    /// Between what information flow is looked for.
    #[command(flatten)]
    pub flow: Flow,

    /// Options common to all analyses.
    #[command(flatten)]
    pub common: Common,
}

/// `anyrank suggest`.
#[derive(Debug, Args)]
pub struct Suggest {
    /// C files, or directories to walk for *.c (what .gitignore names is left out)
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t = SuggestFormat::Text)]
    pub format: SuggestFormat,

    /// Make the edits that are proved to keep what the program does; print what is left
    #[arg(long, conflicts_with = "format")]
    pub apply: bool,

    /// Suggest by these rules only
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,

    /// Do not suggest by these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Options common to all analyses.
    #[command(flatten)]
    pub common: Common,
}

/// Between what information flow is looked for.
#[derive(Debug, Args)]
pub struct Flow {
    /// Follow data from these functions and variables (f, x, or f:x for a variable of f) to the sinks
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "sinks", value_parser = parse_name)]
    pub sources: Vec<String>,

    /// Where data from the sources should be reported: functions that get it, variables that it is stored in
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "sources", value_parser = parse_name)]
    pub sinks: Vec<String>,
}

impl Flow {
    /// What is asked for.
    #[must_use]
    pub fn query(&self) -> FlowQuery {
        FlowQuery { sources: self.sources.clone(), sinks: self.sinks.clone() }
    }
}

/// `anyrank types`.
#[derive(Debug, Args)]
#[command(after_help = TYPES_HELP)]
pub struct Types {
    /// The header with the structs
    #[arg(value_name = "FILE.h", value_hint = ValueHint::FilePath)]
    pub header: PathBuf,

    /// Take this struct, by its typedef or tag, instead of those that are marked; may be repeated
    #[arg(long = "struct", value_name = "NAME", value_delimiter = ',')]
    pub structs: Vec<String>,

    /// Take every struct that has a name and its members in the header itself, and leave out those that cannot be sent
    #[arg(long, conflicts_with = "structs")]
    pub all: bool,

    /// Write transfer code for linked structures too: al_routines.h, al_routines.c, and the library in autolink/
    #[arg(long)]
    pub autolink: bool,

    /// Send the bytes that bit-fields lie in, instead of refusing bit-fields
    #[arg(long)]
    pub bit_fields_as_bytes: bool,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Look for headers in this directory too
    #[arg(short = 'I', value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub include: Vec<PathBuf>,

    /// Directory to write to
    #[arg(short = 'o', long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
}

/// What comments in a header say.
const TYPES_HELP: &str = "\
Comments in the header:
  /*~ AutoMap_Begin */ ... /*~ AutoMap_End */      around what is looked at
  typedef struct { ... } NAME /*~ AutoMap_TpUsed */;  the struct gets a datatype, AutoMap_NAME
  double *a; /*~ AutoMap_Count(n) */               --autolink: an array of n elements, n being a member of the same struct
  unsigned char *s; /*~ AutoMap_String */          --autolink: ends with a zero (char * does anyway)
  void *p; /*~ AutoMap_Opaque */                   is not sent; with --autolink it arrives as NULL
Any other pointer is to one element, or NULL.

Writes mpitypes.h and mpitypes.c, which declare the datatypes, Build_MPI_Types() and Free_MPI_Types().
Exit codes: 0 written (warnings are on standard error; with --all they say what is left out), 2 nothing was written.";

/// `anyrank explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A rule, for example unmatched-send; without one, all rules are listed
    pub rule: Option<String>,
}

/// `anyrank completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// What is read, how it is compiled, and how long that may take.
#[derive(Clone, Debug, Args)]
pub struct Inputs {
    /// Compile database (compile_commands.json), or its directory [default: looked for in . and build/]
    #[arg(short = 'p', long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub compile_commands: Option<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Look for headers in this directory too
    #[arg(short = 'I', value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub include: Vec<PathBuf>,

    /// Give up on an entry point after this time on a processor, in seconds [default: 60]
    ///
    /// The work of an analysis is counted, and ends after as much as takes a sixth of this time on an ordinary machine: so answers are
    /// the same on a busy machine, too. Only where that takes longer than this time, the time ends it, and the verdict says that the
    /// answer depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
}

/// Options common to all analyses.
#[derive(Debug, Args)]
pub struct Common {
    /// What is read.
    #[command(flatten)]
    pub inputs: Inputs,

    /// Assume one of these numbers of processes, such as 4 or 2,4,8 or 2..5 [default: any]
    #[arg(long, value_name = "LIST|A..B", value_parser = parse_np)]
    pub np: Option<NpList>,

    /// Analyse this many programs at a time [default: the number of cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<usize>,

    /// Take at most this much memory, in megabytes; a program that needs more is left out [default: 3/4 of the machine's]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: Option<u64>,

    /// Write to this file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// When to use colours; the environment's NO_COLOR is honoured
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,

    /// Say nothing but results and errors
    #[arg(short = 'q', long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say more: assumptions, reasons, times; with `topology`, why sends match receives
    #[arg(short = 'v', long)]
    pub verbose: bool,
}

impl Common {
    /// How much is said, by `-q` and `-v`.
    #[must_use]
    pub fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        }
    }
}

/// `--format` of `anyrank lint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people
    Text,
    /// For scripts
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For workflows of GitHub: annotations
    Github,
}

/// `--format` of `anyrank topology`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TopologyFormat {
    /// For people
    Text,
    /// For scripts
    Json,
    /// One page for a browser, with pictures for several numbers of processes; --np says which
    Html,
    /// Pictures; with --np also matrix, ranks and collectives of these numbers of processes
    Svg,
    /// A graph of process sets for Graphviz; with --np graphs of ranks
    Dot,
}

/// `--format` of `anyrank suggest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SuggestFormat {
    /// For people
    Text,
    /// For scripts
    Json,
    /// The edits as a unified diff
    Diff,
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// `--severity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Everything
    Note,
    /// Warnings and errors
    Warning,
    /// Errors only
    Error,
}

impl From<Level> for Severity {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Self::Note,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
        }
    }
}

/// Numbers of processes, ascending, each once; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpList(pub Vec<u64>);

/// More numbers of processes than this in one run are a slip of the keyboard.
const MOST_NP: u64 = 4096;

/// Reads `4`, `2,4,8`, `2..5` (both ends included) and mixtures such as `1,4..6`.
fn parse_np(text: &str) -> Result<NpList, String> {
    let number = |text: &str| match text.trim().parse::<u64>() {
        Ok(0) => Err("a program runs with at least 1 process".to_owned()),
        Ok(np) if i32::try_from(np).is_err() => Err(format!("{np} processes are more than an int can count")),
        Ok(np) => Ok(np),
        Err(_) => Err(format!("`{}` is not a number of processes", text.trim())),
    };
    let mut list = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            None => list.push(number(part)?),
            Some((low, high)) => {
                let (low, high) = (number(low)?, number(high)?);
                if high < low {
                    return Err(format!("{low}..{high} is empty"));
                }
                if high - low >= MOST_NP {
                    return Err(format!("{low}..{high} is more than {MOST_NP} numbers of processes"));
                }
                list.extend(low..=high);
            }
        }
    }
    list.sort_unstable();
    list.dedup();
    Ok(NpList(list))
}

/// Reads the name of a function or variable, or `function:variable`.
fn parse_name(text: &str) -> Result<String, String> {
    let is_identifier = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let text = text.trim();
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() <= 2 && parts.iter().all(|part| is_identifier(part)) {
        Ok(text.to_owned())
    } else {
        Err("not the name of a function or variable, nor function:variable".to_owned())
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => Err("the limit has to be a positive number of seconds".to_owned()),
    }
}

fn parse_jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one program at a time".to_owned()),
        Ok(jobs @ 1..=1024) => Ok(jobs),
        Ok(_) => Err("at most 1024".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn numbers_of_processes_come_as_lists_and_ranges() {
        let np = |text: &str| parse_np(text).map(|list| list.0);
        assert_eq!(np("4"), Ok(vec![4]));
        assert_eq!(np("8,2, 4"), Ok(vec![2, 4, 8]));
        assert_eq!(np("2..5"), Ok(vec![2, 3, 4, 5]));
        assert_eq!(np("1,3..4,4"), Ok(vec![1, 3, 4]));
        for wrong in ["", "0", "x", "5..2", "1..", "..3", "1..9999999", "1,,2", "-1", "99999999999", "2..x"] {
            assert!(np(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn sources_and_sinks_are_names() {
        for right in ["f", "_x9", "main:x", " f "] {
            assert_eq!(parse_name(right).as_deref(), Ok(right.trim()), "{right}");
        }
        for wrong in ["", "9", "a-b", "a:b:c", ":x", "x:", "f(x)"] {
            assert!(parse_name(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn time_limits_are_positive() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["0", "-1", "x", "inf", "nan", "1e300"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}
