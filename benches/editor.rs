//! How long an editor waits for diagnostics after a keystroke, against `anyrank lint` of the same text in the same run.
//!
//! A program of 1,000 lines is opened with `anyrank lsp`; then it is made wrong and right again, over and over, without being saved.
//! A wait goes from the change to the diagnostics that tell of it, so that it includes the 20 ms in which the server waits for more
//! keystrokes. One row is about what a rule about single calls finds, which the server says first, and one about what only an analysis of
//! the whole program finds. `anyrank lint` is a process of its own for each text, which starts, reads, analyses and prints.

#[path = "../tests/support/client.rs"]
#[expect(dead_code, reason = "tests ask for more than a bench")]
mod client;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use client::Client;

const LINES: usize = 1_000;
const EDITS: usize = 15;

/// One exchange of halos on a line of processes, much computation in many functions, and a sum over all.
fn program() -> String {
    let mut text = String::from("#include <mpi.h>\n#include <stdio.h>\n\n");
    let mut calls = String::new();
    let mut part = 0;
    while text.lines().count() + calls.lines().count() + 30 < LINES {
        let _ = write!(
            text,
            "/* Part {part} of a step: what becomes of the cells of this process. */
static void part_{part}(const double *u, double *v, int n)
{{
    double weight = 0.01 * {part};
    double rest = 1.0 - weight;
    for (int i = 1; i <= n; i++) {{
        double left = u[i - 1];
        double right = u[i + 1];
        double mean = 0.5 * (left + right);
        double change = mean - u[i];
        v[i] = rest * u[i] + weight * change;
        v[i] += 0.001 * left * right;
        v[i] -= 0.001 * mean * mean;
    }}
    v[0] = u[0];
    v[n + 1] = u[n + 1];
}}

"
        );
        let (from, to) = if part % 2 == 0 { ("u", "v") } else { ("v", "u") };
        let _ = writeln!(calls, "    part_{part}({from}, {to}, n);");
        part += 1;
    }
    let _ = write!(
        text,
        "int main(int argc, char **argv)
{{
    static double u[1002], v[1002];
    int rank, np, n = 1000;
    double norm = 0.0, all = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank > 0)
        MPI_Send(&u[1], 1, MPI_DOUBLE, rank - 1, 7, MPI_COMM_WORLD);
    if (rank < np - 1)
        MPI_Recv(&u[n + 1], 1, MPI_DOUBLE, rank + 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
{calls}    norm += u[n];
    MPI_Reduce(&norm, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf(\"%g\\n\", all);
    MPI_Finalize();
    return 0;
}}
"
    );
    text
}

/// From a change to the diagnostics that tell of it.
fn wait(client: &mut Client, file: &Path, text: &str, rule: &str) -> Duration {
    let start = Instant::now();
    client.replace(file, text);
    client.diagnostics(file, |all| all.iter().any(|one| one["code"] == rule));
    start.elapsed()
}

fn lint(file: &Path, text: &str) -> Duration {
    fs::write(file, text).expect("a file can be written");
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
    let status = command.arg("lint").arg(file).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.code() == Some(1)), "the edited program has a finding");
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("a.c");
    let right = program();
    fs::write(&file, &right).expect("a file can be written");
    let mut client = Client::serving(directory.path(), "utf-16");
    let start = Instant::now();
    client.open(&file, &right);
    client.programs();
    println!("{} lines; everything is known {:.0?} after opening", right.lines().count(), start.elapsed());
    println!("{:<34} {:>10} {:>10} {:>10} {:>6}", "after an edit", "median", "slowest", "lint", "ratio");
    for (what, rule, from, to) in [
        ("a rule about one call", "invalid-count", "&all, 1,", "&all, -1,"),
        ("the whole program", "deadlock", "rank - 1, 7,", "rank - 1, 8,"),
    ] {
        let wrong = right.replacen(from, to, 1);
        let (mut waits, mut lints) = (Vec::new(), Vec::new());
        for _ in 0..EDITS {
            waits.push(wait(&mut client, &file, &wrong, rule));
            // All that is said of this text is heard before another one is sent.
            client.programs();
            lints.push(lint(&file, &wrong));
            client.replace(&file, &right);
            client.programs();
        }
        let slowest = waits.iter().max().copied().unwrap_or_default();
        let (wait, lint) = (median(waits), median(lints));
        let ratio = wait.as_secs_f64() / lint.as_secs_f64();
        println!("{what:<34} {wait:>10.1?} {slowest:>10.1?} {lint:>10.1?} {ratio:>6.2}");
    }
}
