//! The compiler that preprocesses where we fail is the machine's, whatever the project says, and it is given nothing of the
//! project's but what it is to preprocess.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use frontend::compile_db::CompileDatabase;
use frontend::preprocess::{Engine, EngineChoice, Request, preprocess};
use frontend::programs::Programs;
use tempfile::TempDir;

/// Where the clone is, for the process that preprocesses it.
const CLONE: &str = "ANYRANK_TEST_CLONE";

/// A clone whose programs leave a mark beside it.
fn clone() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a temporary directory");
    let clone = place.path().join("clone");
    for directory in [".git", "bin", "src", "include"] {
        fs::create_dir_all(clone.join(directory)).expect("directories can be made");
    }
    fs::write(clone.join("src/a.c"), "#include \"own.h\"\n#include <h.h>\nint x = VALUE;\n")
        .expect("written");
    fs::write(clone.join("src/own.h"), "extern int own;\n").expect("written");
    fs::write(clone.join("include/h.h"), "#define VALUE 3\nextern int shared;\n").expect("written");
    fs::write(clone.join("include/pre.h"), "extern int first;\n").expect("written");
    for name in ["gcc", "cc", "cc1", "clang", "mpicc", "as", "ccache"] {
        let (mark, file) = (place.path().join("mark"), clone.join("bin").join(name));
        fs::write(&file, format!("#!/bin/sh\necho {name} >> {}\n", mark.display())).expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    (place, clone)
}

/// Preprocesses the program of the clone in a process of its own, in the clone, with this environment.
fn preprocessed(clone: &Path, environment: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().expect("tests know where they are"));
    command
        .args(["--exact", "--ignored", "compiler_trust::in_the_clone"])
        .current_dir(clone)
        .env(CLONE, clone)
        .env_remove("CC");
    let output = command.envs(environment.iter().copied()).output().expect("tests can be run");
    let mark = clone.parent().expect("it is in a place").join("mark");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    assert!(!mark.exists(), "{environment:?}: {:?} ran", fs::read_to_string(&mark));
}

#[test]
#[ignore = "the others run it, in a process of its own"]
fn in_the_clone() {
    let Some(clone) = std::env::var_os(CLONE) else { return };
    let file = Path::new("src/a.c");
    let programs = Programs::outside([file], &[]);
    let database = CompileDatabase::load(Path::new(&clone), &programs).expect("it is one");
    let mut request = Request { programs, ..Request::new(file) };
    database.command(file).expect("it has one").apply(&mut request);
    let ours = preprocess(&request).expect("it is a program");
    let theirs =
        preprocess(&Request { engine: EngineChoice::Compiler, ..request }).expect("there is a compiler");
    assert_eq!(theirs.engine, Engine::Compiler);
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&theirs.text), words(&ours.text));
    assert_eq!(words(&theirs.text), "externintfirst;externintown;externintshared;intx=3;");
    // Files are named as the user would, though the compiler runs elsewhere.
    for name in ["own", "shared", "x"] {
        let place = |unit: &frontend::preprocess::Preprocessed| {
            let at = unit.text.rfind(name).expect("it is there") as u32;
            let place = unit.map.locate(at..at + 1);
            (place.file.to_string(), place.line)
        };
        assert_eq!(place(&theirs), place(&ours), "{name}");
    }
}

#[test]
fn no_compiler_of_the_project_is_run() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc");
        return;
    }
    let (place, clone) = clone();
    let own = |name: &str| clone.join("bin").join(name).display().to_string();
    let bin = clone.join("bin").display().to_string();
    let path = |first: &str| format!("{first}:{}", std::env::var("PATH").unwrap_or_default());
    let usual = [&["-Iinclude", "-include", "include/pre.h"][..]].concat();
    let leading: [Vec<String>; 7] = [
        vec![own("gcc")],
        vec!["./bin/gcc".to_owned()],
        vec!["ccache".to_owned(), own("gcc")],
        vec!["env".to_owned(), format!("PATH={bin}"), "gcc".to_owned()],
        vec!["gcc".to_owned()],
        vec!["sh".to_owned(), "-c".to_owned(), own("gcc")],
        vec![
            "gcc".to_owned(),
            format!("-B{bin}"),
            "-wrapper".to_owned(),
            own("cc"),
            format!("-specs={bin}/specs"),
        ],
    ];
    for words in leading {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(usual.iter().copied()).collect();
        // Include directories are relative to the directory that the command states.
        let entry = format!("[{{\"directory\": \".\", \"file\": \"src/a.c\", \"arguments\": {words:?}}}]");
        fs::write(clone.join("compile_commands.json"), entry).expect("written");
        preprocessed(&clone, &[]);
    }
    for environment in [
        ("CC", own("cc")),
        ("CC", "./bin/cc".to_owned()),
        ("CC", format!("ccache {}", own("cc"))),
        ("PATH", path(&bin)),
        ("PATH", path("bin:.:")),
    ] {
        preprocessed(&clone, &[(environment.0, &environment.1)]);
    }
    drop(place);
}
