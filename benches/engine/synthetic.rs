//! Programs that are generated to be of a certain size. All of them are free of errors.

use std::fmt::Write as _;

/// A program whose `main` has this body between the calls that every MPI program begins and ends with.
fn program(functions: &str, declarations: &str, body: &str) -> String {
    format!(
        "#include <mpi.h>\n#include <stdio.h>\n\n{functions}int main(int argc, char **argv)\n{{\n    int rank, np, token = 0;\n{declarations}\n    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &np);\n{body}    MPI_Finalize();\n    return 0;\n}}\n"
    )
}

fn send(to: &str) -> String {
    format!("MPI_Send(&token, 1, MPI_INT, {to}, 0, MPI_COMM_WORLD);")
}

fn recv(from: &str) -> String {
    format!("MPI_Recv(&token, 1, MPI_INT, {from}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
}

/// Sends to the right, receives from the left, at the ends nobody.
const SHIFT: &str = "MPI_Sendrecv(&token, 1, MPI_INT, rank < np - 1 ? rank + 1 : MPI_PROC_NULL, 0, &token2, 1, MPI_INT, \
                     rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";

/// A token goes from rank to rank, and each of `sets` ranks has lines of its own for it: so many process sets, and one
/// for the ranks above, are at different places at a time.
pub(crate) fn chain(sets: usize) -> String {
    let mut body = format!("    if (np <= {sets})\n        MPI_Abort(MPI_COMM_WORLD, 1);\n");
    for rank in 0..sets {
        let _ = writeln!(body, "    {}if (rank == {rank}) {{", if rank == 0 { "" } else { "else " });
        if rank > 0 {
            let _ = writeln!(body, "        {}", recv(&(rank - 1).to_string()));
        }
        let _ = writeln!(body, "        {}\n    }}", send(&(rank + 1).to_string()));
    }
    let _ = writeln!(body, "    else if (rank == {sets})\n        {}", recv(&(sets - 1).to_string()));
    program("", "", &body)
}

/// In each phase rank 0 greets one more rank, which remembers the phase.
pub(crate) fn phases(phases: usize) -> String {
    let mut body = format!("    if (np <= {phases})\n        MPI_Abort(MPI_COMM_WORLD, 1);\n");
    for phase in 1..=phases {
        let _ = writeln!(
            body,
            "    if (rank == 0)\n        {}\n    else if (rank == {phase}) {{\n        {}\n        met = {phase};\n    }}",
            send(&phase.to_string()),
            recv("0")
        );
    }
    body.push_str("    printf(\"%d met in phase %d\\n\", rank, met);\n");
    program("", "    int met = 0;\n", &body)
}

/// Variables that depend on the rank, on the number of processes or on each other, from before a hand-written broadcast
/// until after it. The loop of the broadcast changes every fourth.
pub(crate) fn variables(variables: usize) -> String {
    let mut declarations = String::new();
    let mut body = String::new();
    let mut change = String::new();
    let mut use_all = String::new();
    for index in 0..variables {
        let _ = writeln!(declarations, "    int x{index};");
        let _ = writeln!(body, "    x{index} = {};", initial(index));
        if index % 4 == 3 {
            let _ = writeln!(change, "            x{index} = x{index} + 1;");
        }
        let _ = writeln!(use_all, "    printf(\"%d\\n\", x{index});");
    }
    let _ = writeln!(
        body,
        "    if (rank == 0) {{\n        for (int worker = 1; worker < np; worker++) {{\n            {}\n{change}        }}\n    }} else {{\n        {}\n    }}",
        send("worker"),
        recv("0")
    );
    body.push_str(&use_all);
    program("", &declarations, &body)
}

/// The initial value of a variable: the rank, the number of processes, its predecessor or a constant, and an offset.
fn initial(index: usize) -> String {
    match index % 4 {
        0 => format!("rank + {index}"),
        1 => format!("np - {index}"),
        2 => format!("x{} + 1", index - 1),
        _ => index.to_string(),
    }
}

/// A chain of `depth` functions, each of which hands rank and number of processes to the next; the last one communicates.
pub(crate) fn calls(depth: usize) -> String {
    let mut functions = format!(
        "static void f0(int rank, int np)\n{{\n    int token = rank, token2 = 0;\n    {SHIFT}\n    printf(\"%d\\n\", token2);\n}}\n\n"
    );
    for level in 1..depth {
        let _ = writeln!(
            functions,
            "static void f{level}(int rank, int np)\n{{\n    int mine = rank + {level};\n    f{}(mine - {level}, np);\n    printf(\"%d\\n\", mine);\n}}\n",
            level - 1
        );
    }
    program(
        &functions,
        "",
        &format!("    f{}(rank, np);\n    printf(\"%d\\n\", token);\n", depth.saturating_sub(1)),
    )
}

/// About 500 lines with 200 variables in each process set: a broadcast and a gather by hand, a function that shifts, time
/// steps until a condition that every rank knows, and arithmetic between them.
pub(crate) fn large() -> String {
    const VARIABLES: usize = 200;
    const LINES: usize = 500;
    let functions = format!(
        "static int shift(int token, int rank, int np)\n{{\n    int token2 = 0;\n    {SHIFT}\n    return token2;\n}}\n\n"
    );
    let mut declarations = String::from("    int steps = 0, agreed = 0;\n");
    for start in (0..VARIABLES).step_by(10) {
        let names: Vec<_> = (start..start + 10).map(|index| format!("x{index}")).collect();
        let _ = writeln!(declarations, "    int {};", names.join(", "));
    }
    let mut body = String::new();
    for index in 0..VARIABLES {
        let _ = writeln!(body, "    x{index} = {};", initial(index));
    }
    let mut next = 0;
    let mut arithmetic = |body: &mut String, lines: usize| {
        for _ in 0..lines {
            let (a, b) = (next % VARIABLES, (next * 7 + 3) % VARIABLES);
            let _ = writeln!(body, "    x{a} = x{b} + {};", next % 5);
            next += 1;
        }
    };
    let _ = writeln!(
        body,
        "    if (rank == 0) {{\n        for (int worker = 1; worker < np; worker++)\n            {}\n    }} else {{\n        {}\n    }}",
        send("worker"),
        recv("0")
    );
    arithmetic(&mut body, 40);
    let _ = writeln!(
        body,
        "    if (rank != 0) {{\n        {}\n    }} else {{\n        for (int worker = 1; worker < np; worker++)\n            {}\n    }}",
        send("0"),
        recv("worker")
    );
    arithmetic(&mut body, 40);
    body.push_str("    token = shift(x0, rank, np);\n");
    arithmetic(&mut body, 40);
    body.push_str(
        "    while (agreed < 100) {\n        token = shift(token, rank, np);\n        steps = steps + 1;\n        MPI_Allreduce(&steps, &agreed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);\n    }\n",
    );
    let lines = |body: &str| program(&functions, &declarations, body).lines().count();
    // The rest of the lines: arithmetic, and the variables are still wanted at the end.
    let missing = LINES.saturating_sub(lines(&body) + VARIABLES / 10);
    arithmetic(&mut body, missing);
    for start in (0..VARIABLES).step_by(10) {
        let sum: Vec<_> = (start..start + 10).map(|index| format!("x{index}")).collect();
        let _ = writeln!(body, "    printf(\"%d\\n\", {});", sum.join(" + "));
    }
    program(&functions, &declarations, &body)
}
