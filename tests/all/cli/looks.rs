//! What the other subcommands say, and what results look like.

use expect_test::expect;

use super::{RIGHT, anyrank, array, directory, json, path, run, stderr, stdout, wrong};

#[test]
fn the_version_names_z3() {
    let output = run(&["--version"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.starts_with(&format!("anyrank {} (", env!("CARGO_PKG_VERSION"))), "{text}");
    let z3 = if cfg!(feature = "z3") { "(Z3 " } else { "(without Z3)" };
    assert!(text.contains(z3), "{text}");
}

#[test]
fn every_rule_can_be_explained() {
    let list = stdout(&run(&["explain"]));
    assert!(20 < list.lines().count());
    for line in list.lines() {
        let id = line.split_whitespace().next().expect("a rule");
        let output = run(&["explain", id]);
        assert_eq!(output.status.code(), Some(0), "{id}");
        assert!(stdout(&output).starts_with(&format!("# {id}\n")), "{id}");
    }
}

#[test]
fn completions_and_the_manual_page_name_every_subcommand() {
    for arguments in [
        &["completions", "bash"][..],
        &["completions", "zsh"],
        &["completions", "fish"],
        &["completions", "elvish"],
        &["completions", "powershell"],
        &["man"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let text = stdout(&output).replace('\\', "");
        for name in ["lint", "topology", "explain", "completions", "time-limit", "compile-commands"] {
            assert!(text.contains(name), "{arguments:?}: {name}");
        }
    }
}

/// Runs in a directory that holds `a.c` only.
fn look(program: &str, arguments: &[&str]) -> String {
    let directory = directory(&[("a.c", program.as_bytes())]);
    let output =
        anyrank().current_dir(directory.path()).args(arguments).output().expect("the command starts");
    stderr(&output);
    stdout(&output)
}

#[test]
fn the_text_of_a_finding() {
    let program = RIGHT
        .replace("Recv(&x, 1, MPI_INT", "Recv(&x, 1, MPI_FLOAT")
        .replace("int rank, np, x", "int rank, np; float x");
    expect![[r#"
        error[buffer-type]: `x` holds float, which is not what MPI_INT describes
          --> a.c:10:22
           |
         4 |     int rank, np; float x = 0;
           |                         - `x` is declared here
        ...
        10 |             MPI_Send(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
           |                      ^^
           |
           = note: for any np >= 1

        error[datatype-mismatch]: receives MPI_FLOAT, but the message that arrives is MPI_INT
          --> a.c:12:9
           |
        10 |             MPI_Send(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
           |             ---------------------------------------------- the message is sent as MPI_INT
        11 |     } else {
        12 |         MPI_Recv(&x, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
           |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = note: for any np >= 2, on ranks [1..np-1]

        a.c: exact for any np >= 1
        found 2 errors
    "#]]
    .assert_eq(&look(&program, &["lint", "a.c"]));
}

/// Who waits for whom is told for each part of the processes, not for all of them at once.
#[test]
fn the_text_of_a_ring_that_waits() {
    let program = "\
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, np, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Recv(&x, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
";
    expect![[r#"
        error[deadlock]: waits for a message from rank + 1 with tag 0, which waits as well
         --> a.c:8:5
          |
        8 |     MPI_Recv(&x, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |     |
          |     rank np - 1: waits here for a message from rank 0
          |
          = note: for any np >= 1, on ranks [0..np-1]

        a.c: exact for any np >= 1
        found 1 error
    "#]]
    .assert_eq(&look(program, &["lint", "a.c"]));
}

#[test]
fn the_text_of_a_topology() {
    expect![[r#"
        a.c: exact for np = 4
          channel 1: MPI_Send line 10 -> MPI_Recv line 12
            Rank 0 sends to each of [1..np-1]
            Ranks [1..np-1] receive from 0
            1 MPI_INT, tag 0, MPI_COMM_WORLD, once per pair
          patterns
            fan-out: channel 1
          at np = 4: 3 messages
                to 0 1 2 3
            from 0 . 1 1 1
            from 1 . . . .
            from 2 . . . .
            from 3 . . . .
    "#]]
    .assert_eq(&look(RIGHT, &["topology", "--np", "4", "a.c"]));
}

#[test]
fn the_statistics() {
    expect![[r#"
        1  error    invalid-tag
    "#]]
    .assert_eq(&look(&wrong(), &["lint", "--statistics"]));
}

#[test]
fn an_assumption_restricts_the_answer_and_is_named_in_it() {
    let program = |assumed: &str| {
        format!(
            "#include <mpi.h>\nint main(int argc, char **argv) {{\n  int rank, size, x = 0;\n  MPI_Init(&argc, &argv);\n\
             MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n\
             /* anyrank: assume {assumed} */\n\
             if (rank % 2 == 0) MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);\n\
             else MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
             MPI_Finalize();\n  return 0;\n}}\n"
        )
    };
    let lint = |assumed: &str| {
        let directory = directory(&[("a.c", program(assumed).as_bytes())]);
        json(&run(&["lint", "--format", "json", &path(&directory, "a.c")]))
    };
    let good = lint("size  %  2 == 0");
    let verdict = &good["programs"][0]["verdict"];
    assert_eq!((verdict["kind"].as_str(), verdict["np"].as_str()), (Some("exact"), Some("any even np >= 2")));
    assert_eq!(verdict["assumptions"], serde_json::json!(["size % 2 == 0"]));
    assert!(array(&good, "findings").is_empty() && array(&good, "errors").is_empty(), "{good}");
    // What helps nothing leaves the finding, and what cannot be read is one message.
    assert_eq!(array(&lint("size > 2"), "findings")[0]["rule"], "invalid-rank");
    let bad = lint("size %% 2");
    let errors = array(&bad, "errors");
    assert_eq!(errors.len(), 1, "{bad}");
    assert!(errors[0]["message"].as_str().is_some_and(|m| m.starts_with("line 7, column 20: ")), "{bad}");
}

/// The transposition of NAS CG on twice as many columns as rows, which is what the paper's section VIII is about, and a plain pair.
#[test]
fn verbose_topologies_say_why_sends_match_receives() {
    let section = |file: &str| {
        let output = run(&["topology", "-v", "--color", "never", file]);
        let text = stdout(&output);
        let (_, section) = text.split_once("  why sends match receives\n").expect("it is there");
        let lines = section.lines().map_while(|line| line.strip_prefix("    "));
        // How long it took is different each time.
        let untimed = |line: &str| match line.rsplit_once(", ") {
            Some((before, time)) if time.ends_with(" ms") => before.to_owned(),
            _ => line.to_owned(),
        };
        lines.map(|line| untimed(line) + "\n").collect::<String>()
    };
    expect![[r#"
            2 of 2 by algebra alone, 0 with the help of Z3
            MPI_Send line 31 -> MPI_Recv line 36: by algebra
              send:    [0] to 1
              receive: [1] from 0
              known:   np == 2
              1 maps [0] to [1]
              0 maps [1] to [0]
              [0] match [1]: the composition is the identity
                  counting: [1 : 1, 1]
              matched: [0] with [1]
            MPI_Send line 37 -> MPI_Recv line 33: by algebra
              send:    [1] to 0
              receive: [0] from 1
              known:   np == 2
              0 maps [1] to [0]
              1 maps [0] to [1]
              [1] match [0]: the composition is the identity
                  counting: [0 : 1, 1]
              matched: [1] with [0]
    "#]]
    .assert_eq(&section("corpus/fig2_exchange.c"));
    let transpose = section("corpus/transpose_double.c");
    assert!(transpose.starts_with("2 of 2 by algebra alone, 0 with the help of Z3\n"), "{transpose}");
    for step in [
        "known:   np == 2 * atoi(argv[1]) * atoi(argv[1])",
        "quotient: [[[0 : 2, 1] : atoi(argv[1]), 2] : atoi(argv[1]), 2*atoi(argv[1])] by 2 is [[[0 : 2, 0] : atoi(argv[1]), 1] : atoi(argv[1]), atoi(argv[1])]",
        "the composition is the identity",
    ] {
        assert!(transpose.contains(step), "{step} in\n{transpose}");
    }
    assert!(!stdout(&run(&["topology", "corpus/fig2_exchange.c"])).contains("why sends match"));
}
