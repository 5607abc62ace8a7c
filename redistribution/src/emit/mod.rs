//! C code that redistributes an array: a function over MPI-3.1 that follows a schedule, or has all messages under way at once.
//!
//! The code is `template.c` with names, numbers and the tables of the schedule filled in. Which elements a message has is found by the
//! processes themselves, each for its own messages; so the code is as long as the schedule, however many elements there are.

use std::fmt::Write as _;

use thiserror::Error;

use crate::dimension::Cyclic;
use crate::grid::{Grid, Message};
use crate::problem::{Order, Processes, Redistribution};
use crate::schedule::Schedule;

/// How the code is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// What the function is called; a C identifier.
    pub name: String,
    /// How each process has its part of a multi-dimensional array in memory: the last index next to each other, or the first one.
    pub storage: Order,
    /// What a step takes beside its longest message, and what each element of that takes; without, usual times in seconds.
    pub times: Option<(f64, f64)>,
}

/// Why there is no code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EmitError {
    /// It would have to contain all messages.
    #[error("{0} messages are too many for C code, which lists them (at most {MOST_MESSAGES})")]
    TooManyMessages(usize),
    /// It would have to contain where the messages of each of them begin.
    #[error("{0} processes are too many for C code, which has a table of them (at most {MOST_PROCESSES})")]
    TooManyProcesses(u32),
    /// Counts are `int` in MPI-3.1.
    #[error("process {} sends {} elements to {}, more than the int can hold that MPI-3.1 takes; redistribute the array in parts", .0.from, .0.length, .0.to)]
    MessageTooLong(Message),
    /// Indices are computed in 64 bits.
    #[error("indices beyond 2^60 are too large for the C code, which computes with 64 bits")]
    TooFar,
}

/// Code of more messages takes compilers minutes.
const MOST_MESSAGES: usize = 1 << 20;
const MOST_PROCESSES: u32 = 1 << 20;
/// What docs/redistribution.md has measured: with all messages under way at once, elements take no longer than in steps. It is the
/// machine's own number, so the code lets its user define another one.
const CONTENTION: &str = "1.0";
const TEMPLATE: &str = include_str!("template.c");

/// Whether a C identifier cannot be the name of the function: keywords, what the included headers declare and GCC knows by itself, and what
/// the code uses.
pub fn is_taken(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "asm",
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "typeof",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "bool",
        "true",
        "false",
        "nullptr",
        "constexpr",
        "alignas",
        "alignof",
        "static_assert",
        "thread_local",
        "main",
    ];
    /// Of limits.h, stdlib.h and string.h, some of which only exist without `-std=c99`, and what GCC declares or predefines.
    const DECLARED: &str = "\
        CHAR_BIT CHAR_MAX CHAR_MIN EXIT_FAILURE EXIT_SUCCESS INT_MAX INT_MIN LLONG_MAX LLONG_MIN LONG_MAX \
        LONG_MIN MB_CUR_MAX MB_LEN_MAX NULL RAND_MAX SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX \
        UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX abort abs aligned_alloc alloca at_quick_exit atexit \
        atof atoi atol atoll bcmp bcopy bsearch bzero calloc clearenv \
        div div_t drand48 exit ffs ffsl ffsll fprintf fputc fputs \
        free fscanf fwrite getenv index labs ldiv ldiv_t linux llabs \
        lldiv lldiv_t malloc mblen mbstowcs mbtowc memchr memcmp memcpy memmove \
        memset mkstemp mktemp posix_memalign printf putc putchar putenv puts qsort \
        quick_exit rand random realloc realpath rindex scanf setenv size_t snprintf \
        sprintf srand srandom sscanf stpcpy stpncpy strcasecmp strcat strchr strcmp \
        strcoll strcpy strcspn strdup strerror strlen strncasecmp strncat strncmp strncpy \
        strndup strnlen strpbrk strrchr strsep strsignal strspn strstr strtod strtof \
        strtok strtok_r strtol strtold strtoll strtoul strtoull strxfrm system unix \
        unsetenv valloc vfprintf vprintf vsnprintf vsprintf wchar_t wcstombs wctomb";
    WORDS.contains(&name)
        || DECLARED.split_whitespace().any(|declared| declared == name)
        || name.starts_with("MPI_")
        || name.starts_with("PMPI_")
}

/// A C file with the function `int NAME(const void *from, void *to, MPI_Datatype type, MPI_Comm comm)`.
///
/// Sender p is rank p of the communicator. So is receiver p, where senders and receivers are the same processes; where not, it is the rank
/// after the senders by p. Other ranks need not call it, and may. `from` and `to` may be equal (then the array is redistributed in place),
/// but must not overlap otherwise. With several dimensions there are two arguments more: the extents of the
/// local arrays, for which NULL means as small as possible.
///
/// `schedule` must be one of `grid`, and that the grid of the redistribution.
///
/// # Errors
///
/// If numbers are too large.
pub fn c_function(
    redistribution: &Redistribution,
    grid: &Grid,
    schedule: &Schedule,
    options: &Options,
) -> Result<String, EmitError> {
    /// Beyond this, sums of a few indices and rounds would not fit.
    const FAR: u64 = 1 << 60;
    if grid.messages().len() > MOST_MESSAGES {
        return Err(EmitError::TooManyMessages(grid.messages().len()));
    }
    let processes = grid.senders().max(grid.receivers());
    if processes > MOST_PROCESSES {
        return Err(EmitError::TooManyProcesses(processes));
    }
    if let Some(long) =
        grid.messages().iter().chain(grid.local()).find(|message| message.length > i32::MAX as u64)
    {
        return Err(EmitError::MessageTooLong(*long));
    }
    for dimension in redistribution.dimensions() {
        let end = dimension.from_start().max(dimension.to_start()) + dimension.length();
        let round = dimension.from().round().max(dimension.to().round());
        if end.max(round).max(dimension.period()) > FAR {
            return Err(EmitError::TooFar);
        }
    }
    let several = redistribution.dimensions().len() > 1;
    let (parameters, arguments, extents) = if several {
        (
            "const void *from, const MPI_Aint from_extents[], void *to, const MPI_Aint to_extents[],\n    MPI_Datatype type, MPI_Comm comm",
            "from, from_extents, to, to_extents, type, comm",
            "side == 0 ? from_extents : to_extents",
        )
    } else {
        ("const void *from, void *to, MPI_Datatype type, MPI_Comm comm", "from, to, type, comm", "NULL")
    };
    let (alpha, beta) = match options.times {
        Some((alpha, beta)) => (format!("{alpha:e}"), format!("{beta:e}")),
        None => ("2e-5".to_owned(), "(5e-10 * bytes)".to_owned()),
    };
    let flag = |by_columns: bool| if by_columns { "1" } else { "0" };
    let upper = options.name.to_uppercase();
    let code = TEMPLATE
        .replace("$PARAMETERS", parameters)
        .replace("$ARGUMENTS", arguments)
        .replace("$EXTENTS", extents)
        .replace("$ALPHA", &alpha)
        .replace("$BETA", &beta)
        .replace("$CONTENTION", CONTENTION)
        .replace("$FROM_BY_COLUMNS", flag(redistribution.from_order() == Order::ColumnMajor))
        .replace("$TO_BY_COLUMNS", flag(redistribution.to_order() == Order::ColumnMajor))
        .replace("$STORED_BY_COLUMNS", flag(options.storage == Order::ColumnMajor))
        .replace("$STEPS", &format!("{}.0", schedule.number_of_steps()))
        .replace("$COST", &format!("{}.0", schedule.total_cost()))
        .replace("$LOAD", &format!("{}.0", load(grid)))
        .replace("$TABLES", &tables(redistribution, grid, schedule))
        .replace("$NAME", &upper)
        .replace("$name", &options.name);
    Ok(heading(redistribution, grid, schedule, options) + &code)
}

/// The most elements that one process sends, or receives.
fn load(grid: &Grid) -> u64 {
    let (mut sent, mut received) = (vec![0; grid.senders() as usize], vec![0; grid.receivers() as usize]);
    for message in grid.messages() {
        sent[message.from as usize] += message.length;
        received[message.to as usize] += message.length;
    }
    sent.into_iter().chain(received).max().unwrap_or(0)
}

/// What the file is for, as a comment.
fn heading(redistribution: &Redistribution, grid: &Grid, schedule: &Schedule, options: &Options) -> String {
    let mut text =
        format!("/* {}: moves an array from one block-cyclic distribution to another.\n\n", options.name);
    let mut line = |args: std::fmt::Arguments<'_>| {
        text.write_fmt(args).expect("writing to a string does not fail");
    };
    for (number, dimension) in redistribution.dimensions().iter().enumerate() {
        let side = |cyclic: Cyclic| {
            format!(
                "CYCLIC({}) on {} processes, the first block on process {}",
                cyclic.block(),
                cyclic.processes(),
                cyclic.source()
            )
        };
        line(format_args!(
            "   Dimension {number}: {} elements from index {} on, {},\n   to index {} on, {}.\n",
            dimension.length(),
            dimension.from_start(),
            side(dimension.from()),
            dimension.to_start(),
            side(dimension.to())
        ));
    }
    let (senders, receivers) = (grid.senders(), grid.receivers());
    let ranks = match redistribution.processes() {
        Processes::Same => {
            format!("Sender p and receiver p are rank p of `comm`, of {senders} and {receivers}.")
        }
        Processes::Disjoint => {
            format!(
                "Sender p of {senders} is rank p of `comm`, receiver q of {receivers} is rank {senders} + q."
            )
        }
    };
    line(format_args!(
        "   {ranks} Other ranks have nothing to do.\n   `from` is what a sender has of the one array, `to` what a receiver has of the other, both as elements of `type`, of which\n   elements that are not moved are left alone. They may be the same array, which then needs room for both and is redistributed in\n   place, with all messages packed and under way at once; they must not overlap otherwise.\n"
    ));
    if redistribution.dimensions().len() > 1 {
        let next = if options.storage == Order::ColumnMajor { "first" } else { "last" };
        line(format_args!(
            "   They lie in memory with the {next} index next to each other. `from_extents` and `to_extents` are how many indices of each\n   dimension there is room for; NULL means just those that the process has.\n"
        ));
    }
    line(format_args!(
        "   The schedule has {} steps; their longest messages are {} elements together. Where that is estimated to take longer than having all\n   messages under way at once, these are: without a contention (see below) above 1, wherever there is more than one step.\n   Messages that lie in one piece are not copied, except in place. Returns an error code of MPI. */\n\n",
        schedule.number_of_steps(),
        schedule.total_cost()
    ));
    text
}

/// The numbers of the problem, and for each process its messages by step.
fn tables(redistribution: &Redistribution, grid: &Grid, schedule: &Schedule) -> String {
    let first_receiver = match redistribution.processes() {
        Processes::Same => 0,
        Processes::Disjoint => grid.senders(),
    };
    let mut text = format!(
        "enum {{\n    $NAME_DIMENSIONS = {},\n    $NAME_SENDERS = {},\n    $NAME_RECEIVERS = {},\n    $NAME_FIRST_RECEIVER = {first_receiver},\n    $NAME_SAME_PROCESSES = {}\n}};\n\n",
        redistribution.dimensions().len(),
        grid.senders(),
        grid.receivers(),
        u8::from(redistribution.processes() == Processes::Same)
    );
    text += "static const struct $name_dimension $name_dimensions[$NAME_DIMENSIONS] = {\n";
    for dimension in redistribution.dimensions() {
        let side = |cyclic: Cyclic, start: u64| {
            format!("{{{}, {}, {}, {start}}}", cyclic.processes(), cyclic.block(), cyclic.source())
        };
        let _ = writeln!(
            text,
            "    {{{}, {}, {}, {}}},",
            side(dimension.from(), dimension.from_start()),
            side(dimension.to(), dimension.to_start()),
            dimension.length(),
            dimension.period()
        );
    }
    text += "};\n";
    let by_process = |count: u32, ends: fn(&Message) -> (u32, u32)| {
        let mut lists = vec![Vec::new(); count as usize];
        for (number, step) in schedule.steps.iter().enumerate() {
            for message in &step.messages {
                let (process, peer) = ends(message);
                lists[process as usize].push((number, peer));
            }
        }
        lists
    };
    let sides = [
        ("send", by_process(grid.senders(), |message| (message.from, message.to))),
        ("receive", by_process(grid.receivers(), |message| (message.to, message.from))),
    ];
    for (name, lists) in sides {
        let starts = lists.iter().scan(0, |next, list| {
            *next += list.len();
            Some(*next)
        });
        let starts: Vec<String> = std::iter::once(0).chain(starts).map(|start| start.to_string()).collect();
        let mut all: Vec<String> =
            lists.iter().flatten().map(|(step, peer)| format!("{{{step}, {peer}}}")).collect();
        if all.is_empty() {
            // C has no arrays without elements.
            all.push("{0, 0}".to_owned());
        }
        let _ = write!(
            text,
            "\n/* The messages that each process {name}s, in the order of steps, and which ones are whose. */\nstatic const struct $name_message $name_{name}s[] = {{\n{}}};\nstatic const size_t $name_first_{name}[] = {{\n{}}};\n",
            lines(&all),
            lines(&starts)
        );
    }
    text.trim_end().to_owned()
}

/// Items with commas, some in each line.
fn lines(items: &[String]) -> String {
    items.chunks(10).map(|line| format!("    {},\n", line.join(", "))).collect()
}
