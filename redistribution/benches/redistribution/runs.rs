//! The emitted C under Open MPI with 16 ranks, against what else moves the elements.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use redistribution::emit::{self, Options};
use redistribution::schedule::{best, caterpillar};
use redistribution::{Dimension, Order, Processes, Redistribution};

const RANKS: usize = 16;

/// What is moved: for each dimension P, r, Q, s, and lengths of three sizes.
struct Problem {
    name: &'static str,
    title: &'static str,
    dimensions: &'static [[u64; 4]],
    lengths: [u64; 3],
}

const PROBLEMS: [Problem; 3] = [
    Problem {
        name: "vector",
        title: "CYCLIC(3) to CYCLIC(5) (Example 1)",
        dimensions: &[[16, 3, 16, 5]],
        lengths: [2_400, 240_000, 9_600_000],
    },
    Problem {
        name: "blocks",
        title: "CYCLIC(700) to CYCLIC(1100) (Example 2, a hundredfold)",
        dimensions: &[[16, 700, 16, 1100]],
        lengths: [123_200, 1_232_000, 9_856_000],
    },
    Problem {
        name: "matrix",
        title: "a square matrix, 4 x 4 processes and blocks of 32 x 32 to 2 x 8 and 20 x 20",
        dimensions: &[[4, 32, 2, 20], [4, 32, 8, 20]],
        lengths: [160, 640, 2560],
    },
];

impl Problem {
    fn of_length(&self, length: u64) -> Redistribution {
        let dimensions = self.dimensions.iter().map(|[p, r, q, s]| {
            Dimension::cyclic(*p, *r, *q, *s).and_then(|dimension| dimension.with_length(length))
        });
        let dimensions = dimensions.collect::<Result<_, _>>().expect("numbers are small");
        Redistribution::new(dimensions).expect("numbers are small").with_processes(Processes::Same)
    }

    fn elements(&self, length: u64) -> u64 {
        length.pow(self.dimensions.len() as u32)
    }

    fn case(&self, size: usize) -> String {
        format!("{}{size}", self.name)
    }
}

/// Writes the emitted functions and the list of cases; returns the names of the files to compile.
fn write(directory: &Path) -> Vec<String> {
    let (mut functions, mut cases, mut files) = (String::new(), String::new(), Vec::new());
    let line = |text: &mut String, args: std::fmt::Arguments<'_>| {
        text.write_fmt(args).expect("it is a string");
    };
    for problem in &PROBLEMS {
        let several = problem.dimensions.len() > 1;
        for (size, length) in problem.lengths.into_iter().enumerate() {
            let redistribution = problem.of_length(length);
            let grid = redistribution.grid().expect("there are few processes");
            let name = problem.case(size);
            for (suffix, schedule) in [("", best(&grid)), ("_caterpillar", caterpillar(&grid))] {
                let options =
                    Options { name: format!("{name}{suffix}"), storage: Order::ColumnMajor, times: None };
                let code =
                    emit::c_function(&redistribution, &grid, &schedule, &options).expect("numbers are small");
                let file = format!("{name}{suffix}.c");
                std::fs::write(directory.join(&file), code).expect("there is room for temporary files");
                files.push(file);
                let extents = if several { ", const MPI_Aint *" } else { "" };
                let parameters = format!("const void *{extents}, void *{extents}, MPI_Datatype, MPI_Comm");
                let null = if several { ", NULL" } else { "" };
                line(
                    &mut functions,
                    format_args!(
                        "int {name}{suffix}({parameters});\nint {name}{suffix}_by({parameters}, int);\n\
                         static int {name}{suffix}_call(const void *f, void *t, MPI_Datatype type, MPI_Comm comm)\n\
                         {{\n    return {name}{suffix}(f{null}, t{null}, type, comm);\n}}\n\
                         static int {name}{suffix}_call_by(const void *f, void *t, MPI_Datatype type, MPI_Comm comm, int how)\n\
                         {{\n    return {name}{suffix}_by(f{null}, t{null}, type, comm, how);\n}}\n"
                    ),
                );
            }
            let list = |of: &dyn Fn(&[u64; 4]) -> u64| {
                let all: Vec<String> = problem.dimensions.iter().map(|one| of(one).to_string()).collect();
                format!("{{{}}}", all.join(", "))
            };
            let elements = problem.elements(length);
            let repeat = (400_000 / elements).clamp(1, 20);
            line(
                &mut cases,
                format_args!(
                    "    {{\"{name}\", {}, {repeat}, {}, {{{}, {}}}, {{{}, {}}}, {name}_call, {name}_call_by, {name}_caterpillar_call_by}},\n",
                    problem.dimensions.len(),
                    list(&|_| length),
                    list(&|one| one[0]),
                    list(&|one| one[1]),
                    list(&|one| one[2]),
                    list(&|one| one[3]),
                ),
            );
        }
    }
    // The caterpillar chooses nothing.
    let text = format!("{functions}\nstatic const struct bench_case cases[] = {{\n{cases}}};\n")
        .replace("static int", "__attribute__((unused)) static int");
    std::fs::write(directory.join("cases.h"), text).expect("there is room for temporary files");
    files
}

/// Compiles the program, with ScaLAPACK if it is there.
fn compile(directory: &Path) -> Result<bool, String> {
    let files = write(directory);
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/redistribution/runs.c");
    let with = |scalapack: &[&str]| {
        Command::new("mpicc.openmpi")
            .current_dir(directory)
            .args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-I.", "-o", "runs"])
            .args(&files)
            .arg(&driver)
            .args(scalapack)
            .output()
            .map_err(|error| format!("mpicc.openmpi: {error}; `make setup-test` installs it"))
    };
    if with(&["-DHAVE_SCALAPACK", "-lscalapack-openmpi"])?.status.success() {
        return Ok(true);
    }
    let output = with(&[])?;
    if output.status.success() {
        Ok(false)
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The tables as Markdown.
///
/// # Errors
///
/// What went wrong, if there is no Open MPI or the program fails.
pub(crate) fn tables() -> Result<String, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let scalapack = compile(directory.path())?;
    let output = Command::new("mpiexec.openmpi")
        .args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", &RANKS.to_string()])
        .arg(directory.path().join("runs"))
        // Containers forbid the shared-memory shortcut; there is no other host.
        .env("OMPI_MCA_btl", "self,vader,tcp")
        .env("OMPI_MCA_btl_vader_single_copy_mechanism", "none")
        .output()
        .map_err(|error| format!("mpiexec.openmpi: {error}; `make setup-test` installs it"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let (mut times, mut steps) = (BTreeMap::new(), Vec::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["case", case, way, seconds] => {
                let seconds: f64 = seconds.parse().map_err(|_| line.to_owned())?;
                times.insert((case.to_owned(), way.to_owned()), seconds);
            }
            ["step", bytes, alone, together] => {
                let number = |text: &str| text.parse::<f64>().map_err(|_| line.to_owned());
                steps.push([number(bytes)?, number(alone)?, number(together)?]);
            }
            _ => {}
        }
    }
    Ok(step_table(&steps) + &case_table(&times, scalapack))
}

fn step_table(steps: &[[f64; 3]]) -> String {
    let mut text = String::from(
        "## What a step takes\n\n\
         16 ranks under Open MPI, more than there are cores; each sends as many bytes to seven others, one after the other in steps, or with all messages \
         under way at once (a seventh of that is shown).\n\n\
         | bytes | a step [us] | at once [us] | at once / step |\n|--:|--:|--:|--:|\n",
    );
    for [bytes, alone, together] in steps {
        let _ = writeln!(
            text,
            "| {bytes} | {:.1} | {:.1} | {:.2} |",
            alone * 1e6,
            together * 1e6,
            together / alone
        );
    }
    if let (Some([_, latency, _]), [.., [small, faster, _], [large, slower, together]]) =
        (steps.first(), steps)
    {
        let _ = writeln!(
            text,
            "\nSo alpha is {:.1} us, beta {:.2} ns per byte, and the contention of large messages {:.2}: emitted code takes it to be 1, with which \
             a schedule is never estimated to be faster than having all messages under way at once; where messages hinder each other, it is to be defined \
             (`REDISTRIBUTE_CONTENTION`).\nWithout `--alpha` and `--beta`, emitted code takes alpha to be 20 us and beta 0.5 ns per byte, which is far from \
             what was measured here, where there are more ranks than cores.",
            latency * 1e6,
            (slower - faster) / (large - small) * 1e9,
            together / slower
        );
    }
    text
}

/// Which of its two ways an emitted function takes. With a contention of 1, having all messages under way at once takes one latency and the
/// most that a process sends or receives, which no schedule is below: so steps are only taken where there is at most one.
fn way_taken(redistribution: &Redistribution) -> &'static str {
    let grid = redistribution.grid().expect("there are few processes");
    if best(&grid).number_of_steps() <= 1 { "scheduled" } else { "at-once" }
}

fn case_table(times: &BTreeMap<(String, String), f64>, scalapack: bool) -> String {
    let mut text = String::from(
        "\n## Redistributions\n\n\
         16 ranks, doubles, the same processes on both sides; medians of up to 41 rounds in which all ways were run, in another order each time, after a check of each element. \
         *chosen* is what the emitted function does by itself, *scheduled* and *at once* are the two ways it has, and *way* is which of them it takes; \
         so *chosen* and that one run the same code, and differ by noise. All of them find out where their elements are in each call, `MPI_Alltoallv` packs and unpacks by lists that were made before. \
         All columns but the first three are ratios to the faster of *scheduled* and *at once*.\n",
    );
    if !scalapack {
        text += "ScaLAPACK (`libscalapack-openmpi-dev`) is not there.\n";
    }
    let others = ["chosen", "scheduled", "at-once", "caterpillar", "alltoallv", "pdgemr2d"];
    let (mut worst, mut least, mut most): (f64, f64, f64) = (0.0, f64::INFINITY, 0.0);
    let mut chosen = Vec::new();
    for problem in &PROBLEMS {
        let _ = write!(
            text,
            "\n### {}\n\n| elements | faster [us] | way | {} |\n|--:|--:|:--|{}\n",
            problem.title,
            others.join(" | "),
            "--:|".repeat(others.len())
        );
        for (size, length) in problem.lengths.into_iter().enumerate() {
            let case = problem.case(size);
            let of = |way: &str| times.get(&(case.clone(), way.to_owned())).copied().unwrap_or(f64::NAN);
            let faster = of("scheduled").min(of("at-once"));
            let way = way_taken(&problem.of_length(length));
            worst = worst.max(of(way) / faster);
            chosen.push(of("chosen") / faster);
            let noise = of("chosen") / of(way);
            (least, most) = (least.min(noise), most.max(noise));
            let ratios = others.map(|way| {
                let ratio = of(way) / faster;
                if ratio.is_nan() { "-".to_owned() } else { format!("{ratio:.2}") }
            });
            let _ = writeln!(
                text,
                "| {} | {:.0} | {} | {} |",
                problem.elements(length),
                faster * 1e6,
                way.replace('-', " "),
                ratios.join(" | ")
            );
        }
    }
    chosen.sort_by(f64::total_cmp);
    let median = chosen[chosen.len() / 2];
    let _ = writeln!(
        text,
        "\n*chosen* takes {median:.2} times as long as the faster of the two in the median of these {} rows. \
         The way that is taken takes at most {worst:.2} times as long as the faster of the two, as it was timed by itself.\n\
         The noise of these tables: *chosen* takes {least:.2} to {most:.2} times as long as the same way timed by itself. \
         Ratios closer to 1 than that say nothing.",
        chosen.len()
    );
    text
}
