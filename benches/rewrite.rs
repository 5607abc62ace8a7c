//! What the edits of `anyrank suggest` gain: each program beside the one that `--apply` makes of it, in turns, with the same MPI on the
//! same machine. A row is a program, the number of longs in a message, and the time of the original divided by that of the other.
//!
//! `cargo bench --bench rewrite` runs them with 8 processes under Open MPI; with fewer cores than processes, what is measured is as much
//! the system's scheduler as the messages. `$ANYRANK_NP` is another number of processes.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

/// How often each of the two programs is run; the fastest counts.
const RUNS: usize = 5;
/// How often a program does what it is about.
const ROUNDS: u32 = 200;
/// Numbers in a message.
const LENGTHS: [usize; 3] = [1, 1024, 65536];

/// What a program does in each round. `N` numbers are a message.
const PROGRAMS: [(&str, &str); 7] = [
    (
        "mdcask",
        "if (rank == 0) {
            for (int worker = 1; worker < np; worker++) {
                MPI_Recv(part, N, MPI_LONG, worker, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                for (int k = 0; k < N; k++)
                    mine[k] += part[k];
            }
            for (int worker = 1; worker < np; worker++) {
                MPI_Send(inner, N, MPI_LONG, worker, 2, MPI_COMM_WORLD);
                MPI_Recv(part, N, MPI_LONG, worker, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                for (int k = 0; k < N; k++)
                    mine[k] += part[k];
            }
        } else {
            MPI_Send(mine, N, MPI_LONG, 0, 1, MPI_COMM_WORLD);
            MPI_Recv(inner, N, MPI_LONG, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(mine, N, MPI_LONG, 0, 3, MPI_COMM_WORLD);
        }",
    ),
    (
        "fan-out",
        "if (rank == 0) {
            for (int to = 1; to < np; to++)
                MPI_Send(mine, N, MPI_LONG, to, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(mine, N, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }",
    ),
    (
        "linear gather",
        "if (rank == 0) {
            for (int from = 1; from < np; from++)
                MPI_Recv(&all[from * N], N, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Send(mine, N, MPI_LONG, 0, 0, MPI_COMM_WORLD);
        }",
    ),
    (
        "linear sum",
        "if (rank == 0) {
            for (int from = 1; from < np; from++) {
                MPI_Recv(part, N, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                for (int k = 0; k < N; k++)
                    mine[k] += part[k];
            }
        } else {
            MPI_Send(mine, N, MPI_LONG, 0, 0, MPI_COMM_WORLD);
        }",
    ),
    (
        "ring in two orders",
        "if (rank % 2 == 0) {
            MPI_Send(mine, N, MPI_LONG, (rank + 1) % np, 0, MPI_COMM_WORLD);
            MPI_Recv(part, N, MPI_LONG, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(part, N, MPI_LONG, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(mine, N, MPI_LONG, (rank + 1) % np, 0, MPI_COMM_WORLD);
        }",
    ),
    (
        "halo",
        "MPI_Sendrecv(mine, N, MPI_LONG, (rank + 1) % np, 0, part, N, MPI_LONG, (rank + np - 1) % np, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int k = 0; k < INNER; k++)
            inner[k] = 3 * inner[k] + k;
        for (int k = 0; k < N; k++)
            mine[k] += part[k] + inner[k];",
    ),
    (
        "pack loop",
        "if (rank % 2 == 0 && rank + 1 < np) {
            for (int k = 0; k < N; k++)
                part[k] = matrix[k][3];
            MPI_Send(part, N, MPI_LONG, rank + 1, 0, MPI_COMM_WORLD);
        }
        if (rank % 2 == 1)
            MPI_Recv(mine, N, MPI_LONG, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    ),
];

/// A whole program around what is done in each round; it prints the seconds of all rounds.
fn program(round: &str, length: usize) -> String {
    // What is computed takes about as long as a message.
    let inner = (4 * length).max(1024);
    format!(
        "#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N {length}
#define INNER {inner}
int main(int argc, char **argv)
{{
    static long mine[N], part[N], inner[INNER], matrix[N][8];
    int rank, np, rounds = 1 < argc ? atoi(argv[1]) : {ROUNDS};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    long *all = malloc((size_t)np * N * sizeof(long));
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int round = 0; round < rounds; round++) {{
        {round}
        MPI_Barrier(MPI_COMM_WORLD);
    }}
    double end = MPI_Wtime();
    if (rank == 0)
        printf(\"%.9f\\n\", end - begin);
    free(all);
    MPI_Finalize();
    return 0;
}}
"
    )
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--list") {
        return ExitCode::SUCCESS;
    }
    let np = std::env::var("ANYRANK_NP").unwrap_or_else(|_| "8".to_owned());
    println!("{np} processes; time of the original / time of what anyrank suggest --apply makes of it");
    for (name, round) in PROGRAMS {
        for length in LENGTHS {
            match ratio(&program(round, length), &np) {
                Ok((ratio, seconds)) => {
                    let each = seconds / f64::from(ROUNDS) * 1e6;
                    println!("{name:20} {length:6} numbers  {ratio:6.2}   (original {each:.1} us a round)");
                }
                Err(error) => {
                    eprintln!("{name}: {error}");
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    ExitCode::SUCCESS
}

/// How many times as long the original takes, and how long that is.
fn ratio(text: &str, np: &str) -> Result<(f64, f64), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (old, new) = (directory.path().join("old.c"), directory.path().join("new.c"));
    for path in [&old, &new] {
        fs::write(path, text).map_err(|error| error.to_string())?;
    }
    let anyrank = env!("CARGO_BIN_EXE_anyrank");
    let new_name = new.to_str().ok_or("the path is not UTF-8")?;
    run(Command::new(anyrank).args(["suggest", "--apply", "-q", new_name]))?;
    if fs::read_to_string(&new).map_err(|error| error.to_string())? == text {
        return Err("nothing was edited".to_owned());
    }
    let programs = [build(&old)?, build(&new)?];
    let mut best = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        for (program, best) in programs.iter().zip(&mut best) {
            let mut command = Command::new("mpiexec.openmpi");
            command.args(["--oversubscribe", "--allow-run-as-root", "-n", np]).arg(program);
            let said = run(&mut command)?;
            let seconds = said.trim().parse::<f64>().map_err(|error| format!("{error}: {said}"))?;
            *best = best.min(seconds);
        }
    }
    Ok((best[0] / best[1], best[0]))
}

fn build(source: &Path) -> Result<std::path::PathBuf, String> {
    let program = source.with_extension("x");
    run(Command::new("mpicc.openmpi").args(["-O2", "-std=c11"]).arg(source).arg("-o").arg(&program))?;
    Ok(program)
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
