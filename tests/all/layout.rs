//! `anyrank layout`: what it prints, and the datatypes that its C code builds.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use expect_test::expect;
use serde_json::Value;

fn anyrank(arguments: &[&str], input: &str) -> Output {
    layout(&[&["reconstruct"], arguments].concat(), input)
}

fn layout(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
    command.arg("layout").args(arguments);
    let mut child = (command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn())
        .expect("the command starts");
    // Who does not want the input closes it.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

fn stdout(arguments: &[&str], input: &str) -> String {
    answer(&[&["reconstruct"], arguments].concat(), input)
}

fn answer(arguments: &[&str], input: &str) -> String {
    let output = layout(arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("standard output is UTF-8")
}

#[test]
fn text_says_how_good_the_tree_is() {
    expect![[r#"
        idx(6,<5,8,15,18,25,28>,con(2))
        cost 18 (no tree of con, vec, idx and strc costs less) for 12 elements of MPI_DOUBLE; displacements are elements
    "#]]
    .assert_eq(&stdout(&["--type", "MPI_DOUBLE", "5,6,8,9", "15 16 18 19", "-"], "25\n26 28,29\n"));
    let irregular: Vec<String> = (0..2000_i64).map(|i| (i * i * i % 4001).to_string()).collect();
    let bounded = stdout(&["--memory-limit", "1", "-"], &irregular.join(" "));
    assert!(bounded.contains("every tree costs at least"), "{bounded}");
}

#[test]
fn json_is_the_contract() {
    let text = stdout(&["--format", "json", "--type", "MPI_INT", "0", "1", "-4", "-3"], "");
    let answer: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(answer["elements"], 4);
    assert_eq!(answer["optimal"], true);
    assert_eq!(answer["cost"], 12);
    assert_eq!(answer["tree"]["kind"], "vec");
    assert_eq!(answer["tree"]["count"], 2);
    assert_eq!(answer["tree"]["stride"], -4);
    assert_eq!(answer["tree"]["child"]["kind"], "con");
    assert!(answer["c"].as_str().is_some_and(|code| code.contains("MPI_Type_vector(2, 2, -4, MPI_INT, ")));
}

#[test]
fn what_is_wrong_is_said_once_with_exit_code_2() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("list");
    fs::write(&file, "1 2\n3 four\n").expect("files can be written");
    let from_file = format!("@{}", file.display());
    for (arguments, message) in [
        (&["1", "x"][..], "`x` is not a displacement"),
        (&[&from_file], "list, line 2: `four` is not a displacement"),
        (&["@/nowhere"], "cannot read /nowhere"),
        (&["--type", "MPI_FOO", "1"], "`MPI_FOO` is not a predefined datatype"),
        (&["-"], "there are no displacements"),
        (&["0", "9223372036854775807"], "too far from 0"),
        (&["99999999999999999999"], "is not a displacement"),
        (&["--cost", "node=4000000000", "1"], "cost model"),
    ] {
        let output = anyrank(arguments, "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message) && said.trim_end().lines().count() == 1, "{arguments:?}: {said}");
    }
}

#[test]
fn constants_of_the_cost_model_are_named() {
    let figure = "0 1 2 3 4 60 56 67 50 46 57 40 36 47 30 26 37 20 16 27";
    let cheap = stdout(&["--cost", "node=4", "-"], figure);
    assert!(
        cheap.starts_with("strc(2,<0,60>,<con(5),vec(5,-10,idx(3,<0,-4,7>,con(1)))>)\ncost 27 "),
        "{cheap}"
    );
    assert!(stdout(&["-"], figure).contains("cost 32 "));
    let dear = stdout(&["--cost", "node=4,strc=10", "--cost", "lookup=1", "-"], figure);
    assert!(dear.contains("cost 28 "), "{dear}");
    for (constant, message) in [
        ("lookup=-1", "`-1` is not a whole number"),
        ("vector=1", "`vector` costs nothing; known are node, con, vec, idx,"),
        ("con", "a name, `=` and a cost are expected"),
    ] {
        let output = anyrank(&["--cost", constant, "1"], "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn without_strc_the_rest_is_still_the_cheapest() {
    let mixed = "0 1 2 3 4 5 6 7 20 40 60 80 100 120 140 160 180";
    let all = stdout(&["-"], mixed);
    assert!(all.starts_with("strc(2,<0,20>,<con(8),vec(9,20,con(1))>)\ncost 28 "), "{all}");
    let simple = stdout(&["--without-strc", "-"], mixed);
    assert!(simple.contains("cost 29 (no tree of con, vec and idx costs less)"), "{simple}");
    // A million displacements of no regularity take no time without strc.
    let long: Vec<String> = (0..1_000_000_i64).map(|i| (i * i % 1_000_003).to_string()).collect();
    let simple = stdout(&["--without-strc", "-"], &long.join(" "));
    assert!(simple.contains("cost 1000012 (no tree of con, vec and idx costs less)"), "{simple}");
    let both = "struct([1,1],[0,8],[MPI_DOUBLE,MPI_CHAR])";
    let output = layout(&["normalize", "--without-strc", both], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("without strc there is no tree"));
}

#[test]
fn what_is_shared_is_told_once() {
    let row = "idx(3,<0,12,16>,con(1,MPI_INT))";
    let tree = format!("strc(3,<0,400,1000>,<{row},vec(4,200,{row}),{row}>)");
    let text = answer(&["show", &tree], "");
    let shared = "cost 33 where subtrees that are the same are kept once:\n\
                  t1 = idx(3,<0,12,16>,con(1,MPI_INT))\nstrc(3,<0,400,1000>,<t1,vec(4,200,t1),t1>)\n";
    assert!(text.contains("\ncost 63\n") && text.contains(shared), "{text}");
    let json: Value =
        serde_json::from_str(&answer(&["show", "--format", "json", &tree], "")).expect("it is JSON");
    assert_eq!((json["cost"].as_u64(), json["dag"]["cost"].as_u64()), (Some(63), Some(33)));
    assert_eq!(json["dag"]["nodes"][3]["children"], serde_json::json!([1, 2, 1]));
}

#[test]
fn show_says_what_a_datatype_describes() {
    expect![[r#"
        vec(3,48,con(2,MPI_INT))
        size 24, lower bound 0, extent 104, true lower bound 0, true extent 104 bytes
        6 elements: 6 x MPI_INT
        cost 12
          0 |##..........##..........##|
        each character is 4 bytes
    "#]]
    .assert_eq(&answer(&["show", "MPI_Type_vector(3, 2, 12, MPI_INT)"], ""));
    let twice = answer(
        &["show", "-"],
        r#"{"kind":"hvector","count":2,"blocklength":1,"stride":2,"child":"MPI_INT"}"#,
    );
    assert!(twice.contains("the elements at 0 and 2 overlap") && twice.contains("|#*#"), "{twice}");
    let json = answer(
        &["show", "--format", "json", "resized(darray(4,1,[8],[cyclic],[2],[4],C,MPI_INT),-4,64)"],
        "",
    );
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    let field = |name: &str| json[name].as_i64();
    assert_eq!((field("size"), field("lower_bound"), field("extent")), (Some(8), Some(-4), Some(64)));
    assert_eq!((field("true_lower_bound"), field("true_extent")), (Some(8), Some(8)));
    assert_eq!(json["datatype"]["child"]["arguments"][0], 2);
    assert_eq!(json["typemap"][1]["displacement"], 12);
    let part = answer(&["show", "resized(hindexed([1],[28],vector(2,3,5,MPI_INT)),0,80)"], "");
    assert!(part.contains("\nthe same as subarray([4,5],[2,3],[1,2],C,MPI_INT)\n"), "{part}");
    let dealt = answer(&["show", "resized(indexed([2,2,1],[2,6,10],MPI_INT),0,44)"], "");
    assert!(dealt.contains("\nthe same as darray(2,1,[11],[cyclic],[2],[2],C,MPI_INT)\n"), "{dealt}");
    let copy = answer(&["show", "contiguous(1,MPI_INT)"], "");
    assert!(copy.contains("\nthe same as dup(MPI_INT)\n"), "{copy}");
    assert!(!answer(&["show", "MPI_INT"], "").contains("the same as dup"), "it is no copy");
    let code = answer(&["show", "--emit", "c", "subarray([4,5],[2,3],[1,2],C,MPI_INT)"], "");
    assert!(code.contains("MPI_Type_create_subarray(2, "), "{code}");
}

/// What is printed compiles, and packs a column of a matrix and puts it back.
#[test]
fn show_writes_packing_functions() {
    const MAIN: &str = r#"
int main(void) {
    int matrix[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}, copy[3][4] = {{0}}, packed[6];
    if (layout_pack(matrix, 2, packed) != sizeof packed || layout_unpack(copy, 2, packed) != sizeof packed) return 1;
    for (int i = 0; i < 3; i++)
        if (packed[i] != 4 * i || packed[3 + i] != 4 * i + 1 || copy[i][0] != 4 * i || copy[i][2] != 0) return 2;
    return 0;
}
"#;
    let code = answer(&["show", "--emit", "c-pack", "resized(vector(3,1,4,MPI_INT),0,4)"], "");
    let directory = tempfile::tempdir().expect("there is a place for temporary files");
    let source = directory.path().join("column.c");
    fs::write(&source, format!("{code}{MAIN}")).expect("files can be written");
    let program = directory.path().join("column");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, &source])
        .status()
        .expect("there is a C compiler");
    assert!(compiled.success(), "{code}");
    assert!(Command::new(&program).status().expect("it was built").success(), "{code}");
}

#[test]
fn normalize_says_how_and_how_well() {
    let rows = "strc(2,<0,40>,<idx(3,<0,8,16>,con(1,MPI_INT)),idx(3,<0,8,16>,con(1,MPI_INT))>)";
    expect![[r#"
        vec(2,40,vec(3,8,con(1,MPI_INT)))
        cost 18 (no tree of con, vec, idx and strc costs less), before 40; found by flattening; displacements are bytes
        the same as hvector(2,1,40,vector(3,1,2,MPI_INT))
    "#]]
    .assert_eq(&answer(&["normalize", rows], ""));
    // More elements than any memory holds.
    let long = "contiguous(1000000,hvector(1000000,1,16,contiguous(2,contiguous(2,MPI_INT))))";
    let json = answer(&["normalize", "--format", "json", long], "");
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["way"], "structural");
    assert_eq!((json["cost"].as_u64(), &json["optimal"]), (Some(6), &Value::Bool(true)));
    assert_eq!(json["tree"]["count"].as_u64(), Some(4_000_000_000_000));
    assert!(
        json["c"]
            .as_str()
            .is_some_and(|code| code.contains("MPI_Type_contiguous_c(4000000000000, MPI_INT, "))
    );
    // What reconstruct prints is read back, in elements of its type.
    let found = stdout(&["--format", "json", "--type", "MPI_INT", "5", "6", "8", "9"], "");
    let read = answer(&["normalize", "-"], &found);
    assert!(read.starts_with("idx(2,<20,32>,con(2,MPI_INT))\n"), "{read}");
}

#[test]
fn wrong_datatypes_are_said_once_with_exit_code_2() {
    for (arguments, message) in [
        (&["show", "vector(1,2,3)"][..], "the command line, line 1, column 1: vector takes"),
        (&["show", "contiguous(4611686018427387904,MPI_BYTE)"], "too far"),
        (&["normalize", "{\"kind\":1}"], "an object has a \"kind\""),
        (&["normalize", "@/nowhere"], "cannot read /nowhere"),
        (&["show", "-"], "standard input, line 1, column 1: the description ends here"),
        (&["normalize", "--cost", "node=4000000000", "MPI_INT"], "cost model"),
    ] {
        let output = layout(arguments, "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message) && said.trim_end().lines().count() == 1, "{arguments:?}: {said}");
    }
}

/// Packs a buffer in which each element is its own displacement: what is packed are the displacements.
const PACK: &str = r#"
#include <stdio.h>
static int buffer[4096];
int main(int argc, char **argv)
{
    MPI_Datatype type;
    int packed[512], i, size, position = 0;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 4096; i++) buffer[i] = i - 2048;
    if (create_layout_type(&type) != MPI_SUCCESS) return 1;
    MPI_Type_size(type, &size);
    if (size > (int)sizeof packed) return 2;
    MPI_Pack(buffer + 2048, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
    for (i = 0; i < size / 4; i++) printf("%d ", packed[i]);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
"#;

#[test]
fn c_code_builds_the_datatype() {
    let structured: Vec<i64> =
        (0..6).flat_map(|i| [40 * i, 40 * i + 1, 40 * i + 7 + i * i, -3 * i]).collect();
    let buckets = vec![0, 2, 4, 100, 200, 202, 204, 206, 300, 302];
    let rows = vec![9, 10, 11, 40, 41, 42, 90, 91, 92, 2, 3, 4];
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (mpi, extra) in [("mpich", &[][..]), ("openmpi", &["--allow-run-as-root", "--oversubscribe"])] {
        for (number, (list, buckets)) in
            [(&structured, false), (&buckets, true), (&rows, true), (&vec![7], false), (&vec![0], false)]
                .into_iter()
                .enumerate()
        {
            let words: Vec<String> = list.iter().map(i64::to_string).collect();
            let mut arguments = vec!["--format", "c", "--type", "MPI_INT", "-"];
            arguments.extend(buckets.then_some("--buckets"));
            let code = stdout(&arguments, &words.join(" "));
            let source = directory.path().join(format!("{mpi}{number}.c"));
            let program = source.with_extension("out");
            fs::write(&source, format!("{code}{PACK}")).expect("files can be written");
            let compiled = Command::new(format!("mpicc.{mpi}"))
                .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
                .args([&program, &source])
                .output()
                .expect("make setup-test installs the compilers");
            assert!(compiled.status.success(), "{}\n{code}", String::from_utf8_lossy(&compiled.stderr));
            let run = Command::new(format!("mpiexec.{mpi}"))
                .args(["-n", "1"])
                .args(extra)
                .arg(&program)
                .output()
                .expect("make setup-test installs the launchers");
            assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), words.join(" "), "{code}");
        }
    }
}
