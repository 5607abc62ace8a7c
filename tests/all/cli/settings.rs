//! Comments, baselines, the project file, macros, the compile database, and numbers of processes.

use std::fs;

use super::{RIGHT, anyrank, array, directory, json, path, run, stderr, stdout, wrong};

#[test]
fn a_comment_suppresses_a_finding() {
    let lines: Vec<String> = wrong().lines().map(str::to_owned).collect();
    let mut same = lines.clone();
    same[13].push_str(" // anyrank: ignore[invalid-tag] the library is patched");
    let mut above = lines.clone();
    above.insert(13, "// anyrank: ignore[invalid-tag] the library is patched".to_owned());
    let mut other = lines;
    other[13].push_str(" // anyrank: ignore[invalid-rank] wrong rule");
    for (program, code) in [(same, 0), (above, 0), (other, 1)] {
        let directory = directory(&[("a.c", program.join("\n").as_bytes())]);
        let output = run(&["lint", &path(&directory, "a.c")]);
        assert_eq!(output.status.code(), Some(code), "{}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn a_baseline_keeps_what_is_known_out_and_lets_what_is_new_in() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let (program, baseline) = (path(&directory, "a.c"), path(&directory, "known.json"));
    let lint = |arguments: &[&str]| run(&[&["lint", program.as_str()], arguments].concat());
    assert_eq!(lint(&["--format", "json", "-o", &baseline]).status.code(), Some(1));
    assert_eq!(lint(&["--baseline", &baseline]).status.code(), Some(0));
    // It moves, and stays known; another one like it is new.
    fs::write(&program, format!("\n\n{}", wrong())).expect("files can be written");
    assert_eq!(lint(&["--baseline", &baseline]).status.code(), Some(0));
    let call = "    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD);\n";
    fs::write(&program, wrong().replace(call, &call.repeat(2))).expect("files can be written");
    let output = lint(&["--baseline", &baseline, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<_> =
        array(&json(&output), "findings").iter().map(|finding| finding["line"].clone()).collect();
    assert_eq!(lines, [15]);
    for (name, content, message) in [
        ("no.json", None, "`anyrank lint --format json -o"),
        ("not.json", Some("{\n\"findings\": 3}"), "not.json: line 2: not a report"),
    ] {
        let file = path(&directory, name);
        if let Some(content) = content {
            fs::write(&file, content).expect("files can be written");
        }
        let output = lint(&["--baseline", &file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn services_get_their_formats() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let program = path(&directory, "a.c");
    let output = run(&["lint", "--format", "sarif", &program]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let log = json(&output);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "invalid-tag");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], format!("file://{program}"));
    assert_eq!(place["region"]["startLine"], 14);
    let output = run(&["lint", "--format", "github", &program]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let start = format!("::error title=anyrank (invalid-tag),file={program},line=14,endLine=14,col=");
    assert!(text.starts_with(&start) && text.lines().count() == 1, "{text}");
}

#[test]
fn the_project_file_regrades_rules_and_the_command_line_wins() {
    let lint = |config: &str, arguments: &[&str]| {
        let directory = directory(&[("src/a.c", wrong().as_bytes()), ("anyrank.toml", config.as_bytes())]);
        let output = anyrank().arg("lint").arg(directory.path().join("src/a.c")).args(arguments).output();
        output.expect("the command starts")
    };
    for (config, arguments, code) in [
        ("", &[][..], 1),
        ("[severity]\ninvalid-tag = \"note\"\n", &[], 0),
        ("[severity]\ninvalid-tag = \"off\"\n", &[], 0),
        ("ignore = [\"invalid-tag\"]\n", &[], 0),
        ("select = [\"double-init\"]\n", &[], 0),
        ("ignore = [\"invalid-tag\"]\n", &["--select", "invalid-tag"], 1),
    ] {
        let output = lint(config, arguments);
        assert_eq!(output.status.code(), Some(code), "{config}{arguments:?}: {}", stderr(&output));
    }
    for (config, message) in [
        ("[severity]\ninvalid-tga = \"off\"\n", "did you mean `invalid-tag`?"),
        ("selcet = []\n", "anyrank.toml:1:1: "),
        ("not toml", "anyrank.toml:1:"),
    ] {
        let output = lint(config, &[]);
        assert_eq!(output.status.code(), Some(2), "{config}");
        assert!(stderr(&output).contains(message), "{config}: {}", stderr(&output));
    }
}

#[test]
fn wrappers_named_in_the_project_file_are_mpi_calls() {
    let program = RIGHT
        .replace("MPI_Send(", "my_send(")
        .replace("int main", "int my_send(const void *, int, MPI_Datatype, int, int, MPI_Comm);\nint main");
    let config = "[mpi.wrappers]\nmy_send = \"MPI_Send\"\n";
    let with = directory(&[("a.c", program.as_bytes()), ("anyrank.toml", config.as_bytes())]);
    let output = run(&["topology", &path(&with, "a.c")]);
    assert!(stdout(&output).contains("MPI_Send line"), "{}{}", stdout(&output), stderr(&output));
    let without = directory(&[("a.c", program.as_bytes())]);
    let output = run(&["lint", &path(&without, "a.c")]);
    assert!(stdout(&output).contains("error[unmatched-recv]"), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn macros_and_include_directories_reach_the_preprocessor() {
    let program = format!("#include \"tag.h\"\n{}", wrong().replace("-5", "TAG + OFFSET"));
    let directory = directory(&[("a.c", program.as_bytes()), ("include/tag.h", b"#define TAG 3\n")]);
    let (file, include) = (path(&directory, "a.c"), path(&directory, "include"));
    let right = run(&["lint", "-D", "OFFSET=4", "-I", &include, &file]);
    assert_eq!((right.status.code(), stderr(&right).as_str()), (Some(0), ""), "{}", stdout(&right));
    let wrong = run(&["lint", "-DOFFSET=-4", &format!("-I{include}"), &file]);
    assert_eq!(wrong.status.code(), Some(1), "{}", stdout(&wrong));
}

/// A `main` that leaves the receiving to another file.
fn two_files() -> (String, &'static str) {
    let main = RIGHT
        .replace("int main", "void take(int *x);\nint main")
        .replace("MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", "take(&x);");
    let take = "#include <mpi.h>\nvoid take(int *x)\n{\n    \
        MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n";
    (main, take)
}

#[test]
fn a_program_includes_the_file_next_to_it_that_defines_what_it_calls() {
    let (main, take) = two_files();
    let unrelated = "int helper(void) { return 1; }\nint main(void) { return helper(); }\n";
    let files = [("a.c", main.as_bytes()), ("lib/take.c", take.as_bytes()), ("b.c", unrelated.as_bytes())];
    let directory = directory(&files);
    let output = run(&["topology", "--format", "json", &path(&directory, "a.c")]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let report = json(&output);
    let programs = array(&report, "programs");
    assert_eq!(programs.len(), 1, "b.c was not asked about: {report}");
    assert_eq!(programs[0]["verdict"]["kind"], "exact", "{report}");
    let receive = &array(&programs[0], "channels")[0]["recv"];
    assert_eq!((&receive["function"], &receive["line"]), (&"take".into(), &4.into()));
    assert!(receive["file"].as_str().is_some_and(|file| file.ends_with("lib/take.c")), "{receive}");
}

#[test]
fn a_program_includes_the_file_of_the_compile_database_that_defines_what_it_calls() {
    let (main, take) = two_files();
    let directory = directory(&[("src/a.c", main.as_bytes()), ("lib/take.c", take.as_bytes())]);
    let root = directory.path().to_str().expect("UTF-8");
    let entry =
        |file: &str| format!("{{\"directory\":\"{root}\",\"file\":\"{file}\",\"command\":\"cc -c {file}\"}}");
    let database = format!("[{},{}]", entry("src/a.c"), entry("lib/take.c"));
    fs::write(directory.path().join("compile_commands.json"), database).expect("files can be written");
    let output = run(&["topology", "--format", "json", "-p", root, &path(&directory, "src/a.c")]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let report = json(&output);
    assert_eq!(array(&array(&report, "programs")[0], "channels").len(), 1, "{report}");
}

#[test]
fn np_given_is_an_assumption() {
    let output = run(&["lint", "--format", "json", "--np", "3", "corpus/fanout_broadcast.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    let verdict = &array(&report, "programs")[0]["verdict"];
    assert!(verdict["np"].as_str().is_some_and(|np| np.contains('3')), "{verdict}");
}
