//! The C code that is emitted moves every element to its place, and nothing else, under both MPIs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redistribution::emit::{self, EmitError};
use redistribution::schedule::{caterpillar, pareto};
use redistribution::{Cyclic, Dimension, Order, Processes, Redistribution};

use crate::mpi_run::{self, Mpi, Options};

/// Numbers that are the same on every run (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn order(&mut self) -> Order {
        if self.below(2) == 0 { Order::RowMajor } else { Order::ColumnMajor }
    }
}

/// Any redistribution of one to three dimensions that fits on `np` ranks.
fn any(random: &mut Random, np: u64) -> Redistribution {
    loop {
        let count = [1, 1, 2, 2, 3][random.below(5) as usize];
        let (processes, blocks, length) = [(np, 9, 300), (np.min(6), 5, 24), (np.min(3), 3, 9)][count - 1];
        let dimensions = (0..count).map(|_| {
            let mut side = || {
                let processes = 1 + random.below(processes);
                let cyclic = Cyclic::new(processes, 1 + random.below(blocks)).unwrap();
                let source = if random.below(2) == 0 { 0 } else { random.below(processes) };
                cyclic.starting_at(source).unwrap()
            };
            let dimension = Dimension::new(side(), side()).unwrap();
            let (longest, whole) = (random.below(length + 1), random.below(3) == 0);
            let dimension = if whole && dimension.period() <= length {
                dimension
            } else {
                dimension.with_length(longest).unwrap()
            };
            let mut start = || if random.below(2) == 0 { 0 } else { random.below(20) };
            dimension.with_starts(start(), start()).unwrap()
        });
        let redistribution = Redistribution::new(dimensions.collect()).unwrap();
        let processes = if random.below(2) == 0 { Processes::Same } else { Processes::Disjoint };
        let redistribution =
            redistribution.with_orders(random.order(), random.order()).with_processes(processes);
        let (senders, receivers) =
            (u64::from(redistribution.senders()), u64::from(redistribution.receivers()));
        let needed = if processes == Processes::Same { senders.max(receivers) } else { senders + receivers };
        if needed <= np {
            return redistribution;
        }
    }
}

/// Writes the code of `count` redistributions and of a program that runs them; returns the C files.
fn write_cases(directory: &Path, seed: u64, count: usize, np: u64) -> Vec<PathBuf> {
    let mut random = Random(seed);
    let (mut functions, mut cases) = (String::new(), String::new());
    let mut files = Vec::new();
    for number in 0..count {
        let redistribution = any(&mut random, np);
        let grid = redistribution.grid().unwrap();
        let solutions = pareto(&grid);
        // Any schedule will do.
        let schedule = match random.below(3) {
            0 => caterpillar(&grid),
            _ => solutions[random.below(solutions.len() as u64) as usize].schedule.clone(),
        };
        let name = format!("move{number}");
        let times = (random.below(2) == 0).then_some((1e-6, 1e-9));
        let options = emit::Options { name: name.clone(), storage: random.order(), times };
        let code = emit::c_function(&redistribution, &grid, &schedule, &options).unwrap();
        let file = directory.join(format!("{name}.c"));
        fs::write(&file, code).unwrap();
        files.push(file);

        let several = redistribution.dimensions().len() > 1;
        let (parameters, arguments) = if several {
            (
                "const void *, const MPI_Aint *, void *, const MPI_Aint *, MPI_Datatype, MPI_Comm",
                "f, fe, t, te, type, comm",
            )
        } else {
            ("const void *, void *, MPI_Datatype, MPI_Comm", "f, t, type, comm")
        };
        let unused = if several { "" } else { "    (void)fe;\n    (void)te;\n" };
        writeln!(
            functions,
            "int {name}({parameters});\nint {name}_by({parameters}, int);\n\
             static int call{number}(const void *f, const MPI_Aint *fe, void *t, const MPI_Aint *te, MPI_Datatype type, MPI_Comm comm, int how)\n\
             {{\n{unused}    return how == 0 ? {name}({arguments}) : {name}_by({arguments}, how == 1);\n}}\n"
        )
        .unwrap();
        let column = |order: Order| u8::from(order == Order::ColumnMajor);
        let list = |of: &dyn Fn(&Dimension) -> u64| {
            let all: Vec<String> = redistribution.dimensions().iter().map(|d| of(d).to_string()).collect();
            format!("{{{}}}", all.join(", "))
        };
        let side = |order: Order, of: fn(&Dimension) -> Cyclic, start: &dyn Fn(&Dimension) -> u64| {
            format!(
                "{{{}, {}, {}, {}, {}}}",
                column(order),
                list(&|d| of(d).processes().into()),
                list(&|d| of(d).block()),
                list(&|d| of(d).source().into()),
                list(start)
            )
        };
        // Room beyond what is needed cannot be told in one dimension, and need not be.
        let slack = if several { random.below(3) } else { 0 };
        writeln!(
            cases,
            "    {{\"{redistribution:?}\", {}, {}, {}, {slack}, {}, {}, {}, call{number}}},",
            redistribution.dimensions().len(),
            u8::from(redistribution.processes() == Processes::Same),
            column(options.storage),
            list(&Dimension::length),
            side(redistribution.from_order(), Dimension::from, &Dimension::from_start),
            side(redistribution.to_order(), Dimension::to, &Dimension::to_start),
        )
        .unwrap();
    }
    let header = format!("{functions}\nstatic const struct test_case cases[] = {{\n{cases}}};\n");
    fs::write(directory.join("cases.h"), header).unwrap();
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drive.c"));
    files
}

fn move_everything(mpi: Mpi, np: usize, seed: u64, count: usize, flags: &[&str], under: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let files = write_cases(directory.path(), seed, count, np as u64);
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let include = format!("-I{}", directory.path().display());
    let warnings = ["-std=c99", "-Wall", "-Wextra", "-Wmissing-prototypes", "-Werror", &include];
    let program = mpi_run::compile(mpi, &files, &[&warnings, flags].concat()).unwrap();
    let time_limit = Duration::from_secs(if under.is_empty() { 60 } else { 240 } + count as u64);
    let options = Options { time_limit, trace: false, under, ..Options::default() };
    let outcome = program.run(np, options).unwrap();
    assert!(outcome.succeeded(), "{mpi:?}: {}\n{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains(&format!("{count} cases, 0 wrong")), "{}", outcome.stdout);
}

#[test]
fn every_element_arrives_under_open_mpi() {
    move_everything(Mpi::OpenMpi, 16, 1, 24, &[], &[]);
}

#[test]
fn every_element_arrives_under_mpich() {
    // Few ranks: it polls.
    for (np, seed) in [(2, 2), (4, 3)] {
        move_everything(Mpi::Mpich, np, seed, 6, &["-O1"], &[]);
    }
}

#[test]
fn memory_is_used_as_it_should_be() {
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    move_everything(Mpi::OpenMpi, 6, 4, 8, &sanitizers, &["env", "ASAN_OPTIONS=detect_leaks=0"]);
}

#[test]
fn valgrind_has_nothing_to_say() {
    let valgrind = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=no"];
    move_everything(Mpi::Mpich, 2, 5, 6, &[], &valgrind);
}

#[test]
#[ignore = "300 parameter sets: takes minutes"]
fn every_element_of_300_redistributions_arrives() {
    for seed in 10..15 {
        move_everything(Mpi::OpenMpi, 16, seed, 60, &[], &[]);
    }
}

#[test]
fn the_code_is_as_long_as_the_schedule() {
    let code = |redistribution: &Redistribution| {
        let grid = redistribution.grid().unwrap();
        let options = emit::Options { name: "f".to_owned(), storage: Order::RowMajor, times: None };
        emit::c_function(redistribution, &grid, &caterpillar(&grid), &options)
    };
    let of = |length| {
        Redistribution::new(vec![Dimension::cyclic(4, 3, 4, 5).unwrap().with_length(length).unwrap()])
            .unwrap()
    };
    let [short, long] = [of(1000), of(4_000_000_000)].map(|one| code(&one).unwrap().len());
    assert!(long < short + 200, "{short} {long}");
    assert!(matches!(code(&of(100_000_000_000)), Err(EmitError::MessageTooLong(_))));
    let many = Redistribution::cyclic(2000, 1, 2000, 2001).unwrap();
    assert!(matches!(code(&many), Err(EmitError::TooManyMessages(4_000_000))));
    let far =
        Dimension::cyclic(4, 3, 4, 5).unwrap().with_length(10).unwrap().with_starts(1 << 61, 0).unwrap();
    assert!(matches!(code(&Redistribution::new(vec![far]).unwrap()), Err(EmitError::TooFar)));
}

#[test]
fn names_that_the_headers_or_the_compiler_declare_are_taken() {
    for name in [
        "qsort",
        "abs",
        "exit",
        "abort",
        "system",
        "rand",
        "realloc",
        "strlen",
        "memmove",
        "memcmp",
        "strdup",
        "index",
        "printf",
        "alloca",
        "div_t",
        "linux",
        "unix",
        "LONG_MAX",
        "MB_LEN_MAX",
        "EXIT_FAILURE",
        "memcpy",
        "while",
    ] {
        assert!(emit::is_taken(name), "{name}");
    }
    for name in ["redistribute", "move_rows", "sort", "indices"] {
        assert!(!emit::is_taken(name), "{name}");
    }
}
