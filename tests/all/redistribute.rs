//! `anyrank redistribute`: what it prints, and what it refuses.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use expect_test::expect;
use serde_json::{Value, json};

fn anyrank(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_anyrank"))
        .arg("redistribute")
        .args(arguments)
        .output()
        .expect("the command starts")
}

fn stdout(arguments: &[&str]) -> String {
    let output = anyrank(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("standard output is UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[arguments, &["--format", "json"]].concat())).expect("it is JSON")
}

/// The messages of a JSON list of them.
fn messages(list: &Value) -> BTreeSet<[u64; 3]> {
    let number = |value: &Value| value.as_u64().expect("a number");
    let all: Vec<[u64; 3]> = (list.as_array().expect("a list").iter())
        .map(|one| [number(&one[0]), number(&one[1]), number(&one[2])])
        .collect();
    let set: BTreeSet<[u64; 3]> = all.iter().copied().collect();
    assert_eq!(all.len(), set.len(), "each message once");
    set
}

/// Checks with the numbers of the JSON alone that the steps are a schedule of the grid.
fn check(answer: &Value) {
    let grid = messages(&answer["grid"]);
    let mut all = BTreeSet::new();
    let mut total = 0;
    let steps = answer["steps"].as_array().expect("a list");
    for step in steps {
        let messages = messages(&step["messages"]);
        let distinct =
            |end: usize| messages.iter().map(|message| message[end]).collect::<BTreeSet<_>>().len();
        assert_eq!([distinct(0), distinct(1)], [messages.len(); 2], "one message for each process: {step}");
        let cost = messages.iter().map(|message| message[2]).max().unwrap_or(0);
        assert_eq!(step["cost"], cost);
        total += cost;
        all.extend(messages);
    }
    assert_eq!(all, grid);
    assert_eq!(steps.iter().map(|step| messages(&step["messages"]).len()).sum::<usize>(), grid.len());
    assert_eq!(answer["number_of_steps"], steps.len());
    assert_eq!(answer["total_cost"], total);
}

#[test]
fn json_is_the_contract() {
    let answer = json(&["--from", "16,3", "--to", "16,5"]);
    for (field, value) in [("P", 16), ("r", 3), ("Q", 16), ("s", 5), ("period", 240), ("number_of_steps", 7)]
    {
        assert_eq!(answer[field], value, "{field}");
    }
    assert_eq!(answer["total_cost"], 15);
    assert_eq!(answer["bounds"], json!({"number_of_steps": 7, "total_cost": 15}));
    assert_eq!(answer["strategy"], "best");
    let grid = messages(&answer["grid"]);
    assert_eq!(grid.len(), 16 * 7);
    // Table 1, first line.
    let first: Vec<[u64; 3]> = grid.into_iter().filter(|message| message[0] == 0).collect();
    assert_eq!(first, [[0, 0, 3], [0, 3, 3], [0, 6, 3], [0, 9, 2], [0, 10, 1], [0, 12, 1], [0, 13, 2]]);
    check(&answer);
}

#[test]
fn every_strategy_has_a_schedule() {
    for (strategy, steps, cost) in
        [("best", 10, 20), ("stepwise", 10, 20), ("greedy", 12, 18), ("caterpillar", 15, 30)]
    {
        let answer = json(&["--from", "15,2", "--to", "6,3", "--strategy", strategy]);
        check(&answer);
        assert_eq!(answer["strategy"], strategy);
        // Ties decide what the greedy one costs; it is better than the stepwise one all the same.
        if strategy == "greedy" {
            assert!(answer["total_cost"].as_u64() < Some(20), "{answer}");
        } else {
            assert_eq!([&answer["number_of_steps"], &answer["total_cost"]], [steps, cost], "{strategy}");
        }
    }
    check(&json(&["--from", "16,3", "--to", "16,5", "--strategy", "classes"]));
}

#[test]
fn alpha_and_beta_choose() {
    let chosen = |costs: &[&str]| {
        let answer = json(&[&["--from", "15,2", "--to", "6,3"], costs].concat());
        check(&answer);
        let number = |field: &str| answer[field].as_u64().expect("a number");
        assert_eq!(answer["choices"].as_array().map(Vec::len), Some(2));
        (number("number_of_steps"), number("total_cost"), number("lower_bound"))
    };
    assert_eq!(chosen(&[]), (10, 20, 20));
    assert_eq!(chosen(&["--alpha", "1", "--beta", "1"]), (11, 16, 16));
    assert_eq!(chosen(&["--alpha", "5", "--beta", "1"]), (10, 20, 20));
}

#[test]
fn several_dimensions_are_lists() {
    let arguments = ["--from", "2,2", "--to", "3,1", "--from", "2,3,1", "--to", "2,2", "--length", "20"];
    let arguments =
        [&arguments[..], &["--length", "17", "--to-order", "column", "--same-processes"]].concat();
    let answer = json(&arguments);
    check(&answer);
    assert_eq!(answer["P"], json!([2, 2]));
    assert_eq!(answer["length"], json!([20, 17]));
    // Everything is somewhere.
    let elements = |field: &str| messages(&answer[field]).iter().map(|message| message[2]).sum::<u64>();
    assert_eq!(elements("grid") + elements("local"), 20 * 17);
    assert!(elements("local") > 0);
}

#[test]
fn text_has_the_tables_of_the_paper() {
    expect![[r"
        CYCLIC(4) on 12 processes to CYCLIC(3) on 8: 48 elements, period 48

        Communication grid
        Sender/Recv. 0 1 2 3 4 5 6 7 Nbr of msg.
                   0 3 1 - - - - - -           2
                   1 - 2 2 - - - - -           2
                   2 - - 1 3 - - - -           2
                   3 - - - - 3 1 - -           2
                   4 - - - - - 2 2 -           2
                   5 - - - - - - 1 3           2
                   6 3 1 - - - - - -           2
                   7 - 2 2 - - - - -           2
                   8 - - 1 3 - - - -           2
                   9 - - - - 3 1 - -           2
                  10 - - - - - 2 2 -           2
                  11 - - - - - - 1 3           2
         Nbr of msg. 2 4 4 2 2 4 4 2

    "]]
    .assert_eq(
        stdout(&["--from", "12,4", "--to", "8,3"]).split("Communication steps").next().expect("a part"),
    );
    let text = stdout(&["--from", "12,4", "--to", "8,3"]);
    assert!(
        text.ends_with("4 steps, as few as possible\ntotal cost 8, as low as possible with 4 steps\n"),
        "{text}"
    );
}

#[test]
fn pictures_are_well_formed() {
    let text = stdout(&["--from", "15,3", "--to", "15,5", "--format", "svg"]);
    let count = rectangles(&text);
    // A square for each message, one for each step in the list, the ground and the frame.
    assert_eq!(count, 105 + 10 + 2);
}

/// How many rectangles there are, after a check that tags are closed in order.
fn rectangles(text: &str) -> usize {
    let (mut open, mut count) = (Vec::new(), 0);
    for tag in text.split('<').skip(1) {
        let tag = tag.split('>').next().expect("split has a first part");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).expect("tags have names");
        count += usize::from(name == "rect" && !tag.starts_with('/'));
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    count
}

#[test]
fn c_code_compiles_without_a_warning() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let dimension = ["--from", "16,3", "--to", "16,5"];
    let times = ["--alpha", "1e-5", "--beta", "1e-9", "--name", "to_blocks", "--same-processes"];
    let matrix = ["--length", "100", "--length", "70", "--storage", "column", "--from-order", "column"];
    for (number, arguments) in [
        dimension.to_vec(),
        [&dimension[..], &times].concat(),
        [&dimension[..], &dimension, &matrix].concat(),
    ]
    .into_iter()
    .enumerate()
    {
        let file = directory.path().join(format!("{number}.c"));
        let path = file.to_str().expect("the path is UTF-8");
        assert_eq!(stdout(&[&arguments[..], &["--emit", "c", "-o", path]].concat()), "");
        let code = std::fs::read_to_string(&file).expect("it is written");
        let name = if number == 1 { "to_blocks" } else { "redistribute" };
        assert!(code.contains(&format!("\nint {name}(const void *from, ")), "{code}");
        assert!(!code.contains('$'), "everything is filled in");
        for compiler in ["mpicc.mpich", "mpicc.openmpi"] {
            let output = Command::new(compiler)
                .args(["-O2", "-Wall", "-Wextra", "-Werror", "-c", path, "-o"])
                .arg(directory.path().join("object.o"))
                .output()
                .expect("make setup-test installs it");
            assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// Each of these took minutes, or memory for each process or block, before only what has messages was looked at.
#[test]
fn what_is_large_but_has_few_messages_is_soon_done() {
    for (arguments, messages) in [
        // Blocks of 10^12 elements of which the other side has 10^12 blocks.
        (&["--from", "2,1000000000000", "--to", "3,1", "--length", "1000000000001"][..], 4),
        // Two thousand million processes that have nothing.
        (
            &["--from", "2147483647,1", "--to", "2147483646,1", "--length", "50", "--to-start", "2147483600"],
            50,
        ),
        (&["--from", "2147483647,3,5", "--to", "2147483647,2", "--length", "0"], 0),
        // One dimension would have too many messages by itself; but the array is empty.
        (
            &[
                "--from",
                "1000003,1",
                "--to",
                "1000000,999",
                "--from",
                "2,1",
                "--to",
                "2,1",
                "--length",
                "9223372036854",
                "--length",
                "0",
            ],
            0,
        ),
        // A block ends beyond 2^64.
        (
            &[
                "--from",
                "1,9223372036854775807",
                "--to",
                "1,9223372036854775807",
                "--from-start",
                "9223372036854775800",
                "--length",
                "7",
            ],
            1,
        ),
        // One sender of very many messages of two lengths.
        (&["--from", "1,1", "--to", "200000,1", "--length", "300001"], 200_000),
    ] {
        let answer = json(arguments);
        check(&answer);
        assert_eq!(answer["grid"].as_array().map(Vec::len), Some(messages), "{arguments:?}");
    }
}

#[test]
fn what_is_wrong_is_said_once_with_exit_code_2() {
    for (arguments, message) in [
        (&["--from", "0,1", "--to", "4,1"][..], "the number of processes must be at least 1"),
        (&["--from", "4,0", "--to", "4,1"], "the block size must be at least 1"),
        (&["--from=-4,1", "--to", "4,1"], "-4 is negative"),
        (&["--from", "4", "--to", "4,1"], "as in 16,3"),
        (&["--from", "4,1,4", "--to", "4,1"], "process 4 cannot have the first block"),
        (&["--from", "99999999999999999999,1", "--to", "4,1"], "more than 64 bits"),
        (&["--from", "3000000000,1", "--to", "4,1"], "more than an MPI communicator can have"),
        (&["--from", "2,18446744073709551615", "--to", "4,1"], "more than 2^63 - 1"),
        (&["--from", "3,1152921504606846976", "--to", "5,1152921504606846977"], "the pattern repeats after"),
        (&["--from", "1000000,1", "--to", "1000000,1000001"], "at most 33554432 are possible"),
        (&["--from", "4,1", "--to", "4,1", "--to", "4,1"], "--from is given 1 times and --to 2 times"),
        (&["--from", "4,1", "--to", "4,1", "--length", "1", "--length", "2"], "--length is given 2 times"),
        (&["--from", "4,1", "--to", "4,1", "--from-start", "9223372036854775807"], "beyond 2^63 - 1"),
        (&["--from", "15,2", "--to", "6,3", "--strategy", "classes"], "use --strategy best"),
        (&["--from", "4,1", "--to", "4,1", "--beta", "1"], "--alpha"),
        (&["--from", "4,1", "--to", "4,1", "--alpha=-1"], "not negative"),
        (&["--from", "4,1", "--to", "4,1", "--emit", "c", "--name", "a b"], "a C identifier"),
        (&["--from", "4,1", "--to", "4,1", "--emit", "c", "--name", "int"], "means something else"),
        (&["--from", "4,1", "--to", "4,1", "--emit", "c", "--name", "MPI_Send"], "means something else"),
        (&["--from", "2000000,1", "--to", "1,1", "--emit", "c", "--length", "9"], "too many for C code"),
        (
            &["--from", "2000000,1", "--to", "1,1", "--format", "svg", "--length", "9"],
            "too many for a picture",
        ),
        (&["--from", "400,1", "--to", "400,401", "--format", "svg"], "too many for a picture"),
        (
            &["--from", "2147483647,1", "--to", "1,1", "--length", "9", "--strategy", "caterpillar"],
            "would have",
        ),
        (
            &["--from", "4000,1", "--to", "4000,1001", "--length", "999999", "--strategy", "greedy"],
            "would take too long",
        ),
        (&["--from", "4,1", "--to", "4,1", "--alpha", "nan"], "not negative"),
        (&["--from", "4,1", "--to", "4,1", "--alpha", "1", "--beta", "inf"], "not negative"),
        (
            &["--from", "4,1", "--to", "4,1", "--emit", "c", "--length", "100000000000"],
            "redistribute the array in parts",
        ),
        (&["--from", "2000,1", "--to", "2000,2001", "--emit", "c"], "too many for C code"),
    ] {
        let output = anyrank(arguments);
        let error = String::from_utf8(output.stderr).expect("standard error is UTF-8");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty());
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
