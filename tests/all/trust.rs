//! Nothing of a project is run, whatever its files say and wherever it is read (SECURITY.md).
//!
//! Each test makes a clone whose programs leave a mark when they are run, names them in one more way, and asks
//! everything of it that anyrank answers.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;

const PROGRAM: &str = "#include <mpi.h>
#include \"s.h\"
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
";

/// A place with the clone, and what belongs to the user: a home, tools on the `PATH`, and a directory for what is written.
struct Place {
    place: TempDir,
}

impl Place {
    fn new() -> Self {
        let here = Self { place: tempfile::tempdir().expect("a temporary directory") };
        for directory in ["clone/.git", "clone/src", "clone/tools", "home", "tools", "out", "links"] {
            fs::create_dir_all(here.at(directory)).expect("directories can be made");
        }
        here.write("clone/src/a.c", PROGRAM);
        here.write("clone/src/s.h", "struct s { int a; double b; };\n");
        for own in [
            "mpicc",
            "tools/mpicc",
            "src/mpicc",
            "tools/cc",
            "tools/ccache",
            "tools/sh",
            "tools/env",
            "tools/git",
        ] {
            here.marking(&format!("clone/{own}"));
        }
        here
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.at(name).to_str().expect("temporary paths are UTF-8").to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).expect("files can be written");
    }

    fn script(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(self.at(name), fs::Permissions::from_mode(0o755)).expect("it is ours");
    }

    /// A program that leaves a mark.
    fn marking(&self, name: &str) {
        self.script(name, &format!("echo \"$0 $*\" >> {}\necho -DMARKED", self.text("mark")));
    }

    fn link(&self, target: &str, name: &str) {
        symlink(target, self.at(name)).expect("links can be made");
    }

    /// Writes a compile database into a directory of this place, which says how the program is compiled.
    fn database(&self, directory: &str, stated: &str, words: &[&str]) {
        let entry = json!([{ "directory": stated, "file": self.at("clone/src/a.c"), "arguments": words }]);
        self.write(&format!("{directory}/compile_commands.json"), &entry.to_string());
    }

    /// The command in the clone, with the tools in front of the usual `PATH`.
    fn anyrank(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
        command.current_dir(self.at("clone")).stdin(Stdio::null()).stderr(Stdio::piped());
        command.env("HOME", self.at("home")).env("PATH", self.path(&[self.text("tools")]));
        for name in ["XDG_CONFIG_HOME", "CC", "MPICC"] {
            command.env_remove(name);
        }
        command
    }

    /// The usual `PATH` with these directories in front.
    fn path(&self, first: &[String]) -> String {
        format!("{}:{}", first.join(":"), std::env::var("PATH").unwrap_or_default())
    }

    fn lint(&self, with: &dyn Fn(&mut Command)) -> Output {
        let mut command = self.anyrank();
        with(command.args(["lint", "src"]));
        command.output().expect("the command starts")
    }

    /// Asks everything of the clone, each command changed by `with`.
    fn ask_everything(&self, with: &dyn Fn(&mut Command)) {
        let out = self.text("out");
        let questions: [&[&str]; 4] = [
            &["lint", "src"],
            &["topology", "src/a.c"],
            &["suggest", "src"],
            &["types", "--all", "-o", &out, "src/s.h"],
        ];
        for question in questions {
            let mut command = self.anyrank();
            with(command.args(question));
            let output = command.output().expect("the command starts");
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code().is_some() && !told.contains("panicked"), "{question:?}: {told}");
        }
        // An editor may start the server anywhere.
        for directory in ["clone", "home"] {
            let mut command = self.anyrank();
            command.arg("lsp").current_dir(self.at(directory));
            with(&mut command);
            let mut client = Client::started(&mut command);
            client.serve(&self.at("clone"), "utf-16");
            client.open(&self.at("clone/src/a.c"), PROGRAM);
            client.diagnostics(&self.at("clone/src/a.c"), |_| true);
            client.programs();
            assert!(client.end().success());
        }
    }

    /// Everything is asked of the clone, and nothing of it runs.
    #[track_caller]
    fn runs_nothing_with(&self, with: &dyn Fn(&mut Command)) {
        self.ask_everything(with);
        let mark = fs::read_to_string(self.at("mark")).unwrap_or_default();
        assert!(mark.is_empty(), "these ran:\n{mark}");
    }

    #[track_caller]
    fn runs_nothing(&self) {
        self.runs_nothing_with(&|_| {});
    }
}

#[test]
fn a_directory_that_the_database_states_makes_no_program_a_strangers() {
    for stated in ["/", "/usr", "/nowhere", ".."] {
        let here = Place::new();
        here.database("clone", stated, &[&here.text("clone/mpicc"), "-c", "a.c"]);
        here.runs_nothing();
        let told = here.lint(&|_| {}).stderr;
        let told = String::from_utf8_lossy(&told).into_owned();
        assert!(told.contains("it belongs to the project, so it is not run"), "{told}");
    }
}

#[test]
fn relative_names_are_no_programs() {
    let here = Place::new();
    let words = ["./mpicc", "tools/mpicc", "../clone/mpicc", "src/../mpicc", "./././tools/mpicc"];
    for (number, word) in words.iter().enumerate() {
        here.database("clone", "..", &[word]);
        let stated = here.text(["clone", "clone/src"][number % 2]);
        here.database("clone", &stated, &[word]);
        here.runs_nothing();
    }
}

#[test]
fn launchers_before_the_compiler_are_not_run_and_run_nothing() {
    let here = Place::new();
    let (own, launcher) = (here.text("clone/mpicc"), here.text("clone/tools/ccache"));
    let (preload, path) = (format!("LD_PRELOAD={own}"), format!("PATH={}", here.text("clone/tools")));
    let (shell, split) = (format!("{own} -c a.c"), format!("-S{own}"));
    let lines: [&[&str]; 13] = [
        &["ccache", &own],
        &[&launcher, "mpicc"],
        &["env", &own],
        &["env", "-i", &own],
        &["env", &path, "mpicc"],
        &["env", &split],
        &["distcc", &own],
        &["nice", "time", &own],
        &["sh", "-c", &shell],
        &["libtool", "--mode=compile", &own],
        &[&preload, "cc"],
        &["ccache", "env", &path, "ccache", "mpicc"],
        &[&here.text("clone/tools/env"), "mpicc"],
    ];
    // In one database, each for a file of its own.
    let mut entries = Vec::new();
    for (number, words) in lines.iter().enumerate() {
        here.write(&format!("clone/src/f{number}.c"), &format!("int f{number}(void) {{ return 0; }}\n"));
        let file = here.at(&format!("clone/src/f{number}.c"));
        entries.push(json!({ "directory": "/", "file": file, "arguments": words }));
        entries.push(json!({ "directory": "/", "file": file, "command": shell_words(words) }));
    }
    here.write("clone/compile_commands.json", &Value::from(entries).to_string());
    here.script("tools/mpicc", "exit 1");
    here.runs_nothing();
}

fn shell_words(words: &[&str]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

#[test]
fn links_lead_to_no_program_of_the_project() {
    let here = Place::new();
    let own = here.text("clone/mpicc");
    here.link(&own, "links/mpicc");
    here.link(&here.text("clone/tools"), "links/tools");
    here.link(&here.text("links/tools"), "links/further");
    here.marking("tools/outside");
    here.link(&here.text("tools/outside"), "clone/src/mpiicc");
    here.link(&here.text("clone"), "links/clone");
    for word in
        ["links/mpicc", "links/tools/mpicc", "links/further/mpicc", "clone/src/mpiicc", "links/clone/mpicc"]
    {
        here.database("clone", "/usr", &[&here.text(word)]);
        here.runs_nothing();
    }
    // The clone is entered by a link.
    here.database("clone", "/usr", &[&here.text("clone/mpicc")]);
    let entered = here.at("links/clone");
    here.runs_nothing_with(&|command| {
        command.current_dir(&entered);
    });
}

#[test]
fn the_path_leads_to_no_program_of_the_project() {
    let here = Place::new();
    here.database("clone", "/", &["mpicc"]);
    here.link(&here.text("clone/tools"), "links/tools");
    here.link(&here.text("clone/mpicc"), "links/mpicc");
    let first = ["", ".", "tools", "./src", "../clone/tools"].map(str::to_owned);
    let own = ["clone", "clone/tools", "links/tools", "links"].map(|name| here.text(name));
    let path = here.path(&[first.as_slice(), &own].concat());
    here.runs_nothing_with(&|command| {
        command.env("PATH", &path);
    });
    // Nor does a program that may run find one there.
    here.script("tools/mpicc", "cc --version; git --version; echo -DX");
    let path = here.path(&[first.as_slice(), &own, &[here.text("tools")]].concat());
    here.runs_nothing_with(&|command| {
        command.env("PATH", &path);
    });
}

#[test]
fn response_files_name_no_program() {
    let here = Place::new();
    let own = here.text("clone/mpicc");
    here.write("clone/words", &format!("'{own}' -DX @more"));
    here.write("clone/more", &format!("ccache {own}"));
    let at = format!("@{}", here.text("clone/words"));
    for words in [&[at.as_str()][..], &["@words"], &["ccache", &at], &["env", "@more"]] {
        here.database("clone", &here.text("clone"), words);
        here.runs_nothing();
    }
}

#[test]
fn options_that_name_programs_reach_nobody() {
    let here = Place::new();
    let own = here.text("clone");
    for name in ["cc1", "as", "ld", "collect2"] {
        here.marking(&format!("clone/{name}"));
    }
    here.script("tools/mpicc", &format!("echo \"$*\" >> {}; echo -DX", here.text("asked")));
    let options = [
        format!("-B{own}"),
        format!("-wrapper {own}/mpicc"),
        format!("-fplugin={own}/evil.so"),
        format!("-specs={own}/specs"),
        format!("--sysroot={own}"),
        format!("-fuse-ld={own}/ld"),
        format!("--gcc-toolchain={own}"),
        format!("-ccc-gcc-name {own}/cc1"),
        format!("-cc={own}/mpicc"),
        format!("-Xclang -load -Xclang {own}/evil.so"),
    ];
    let words: Vec<&str> =
        ["mpicc"].into_iter().chain(options.iter().flat_map(|words| words.split(' '))).collect();
    here.database("clone", "/", &words);
    here.runs_nothing();
    let asked = fs::read_to_string(here.at("asked")).expect("the user's wrapper is asked");
    assert!(asked.lines().all(|line| line == "--showme:compile"), "{asked}");
}

#[test]
fn the_projects_settings_name_no_program() {
    let here = Place::new();
    here.database("clone", "/", &[&here.text("clone/mpicc")]);
    here.write("clone/anyrank.toml", "include = [\"src\"]\ndefine = [\"X=$(./mpicc)\", \"Y=`./mpicc`\"]\n");
    here.runs_nothing();
    // Not even where the user's are looked for, if it is relative.
    fs::create_dir_all(here.at("clone/anyrank")).expect("directories can be made");
    let trusting = format!("trusted-programs = [{:?}]\n", here.text("clone"));
    here.write("clone/anyrank/anyrank.toml", &trusting);
    here.runs_nothing_with(&|command| {
        command.env("XDG_CONFIG_HOME", ".");
    });
    here.write("clone/anyrank.toml", &trusting);
    let output = here.lint(&|_| {});
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("anyrank.toml:1:1: trusted-programs is for the user's own settings"), "{told}");
    assert!(!here.at("mark").exists());
}

#[test]
fn the_users_settings_do() {
    for (list, is_run) in [("clone/mpicc", true), ("clone", true), ("clone/tools", false), ("tools", false)] {
        let here = Place::new();
        here.database("clone", "/", &[&here.text("clone/mpicc")]);
        fs::create_dir_all(here.at("home/.config/anyrank")).expect("directories can be made");
        here.write(
            "home/.config/anyrank/anyrank.toml",
            &format!("trusted-programs = [{:?}]\n", here.text(list)),
        );
        let output = here.lint(&|_| {});
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(here.at("mark").exists(), is_run, "{list}: {told}");
        assert_eq!(told.contains("it is not run"), !is_run, "{list}: {told}");
    }
    let here = Place::new();
    fs::create_dir_all(here.at("home/.config/anyrank")).expect("directories can be made");
    here.write("home/.config/anyrank/anyrank.toml", "trusted-programs = [\"mpicc\"]\n");
    let output = here.lint(&|_| {});
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is no absolute path"), "{output:?}");
}

#[test]
fn where_everybody_may_write_is_no_place_for_programs() {
    let here = Place::new();
    here.marking("links/mpicc");
    fs::set_permissions(here.at("links"), fs::Permissions::from_mode(0o777)).expect("it is ours");
    here.database("clone", "/", &[&here.text("links/mpicc")]);
    here.runs_nothing();
}

#[test]
fn git_is_not_asked() {
    let here = Place::new();
    let own = here.text("clone/tools/git");
    here.write(
        "clone/.git/config",
        &format!("[core]\n\tfsmonitor = {own}\n\thooksPath = {0}\n\tsshCommand = {own}\n[filter \"x\"]\n\tclean = {own}\n", here.text("clone/tools")),
    );
    here.write("clone/.gitattributes", "* filter=x\n");
    here.write("clone/.gitignore", "*.o\n");
    here.marking("tools/git");
    here.runs_nothing();
}

#[test]
fn the_environment_names_no_program_of_the_project() {
    let here = Place::new();
    here.database("clone", "/", &["gcc", "-c", "a.c"]);
    for own in ["./mpicc", "tools/cc", "ccache ./mpicc", &here.text("clone/tools/cc")] {
        here.runs_nothing_with(&|command| {
            command.env("CC", own).env("MPICC", own).env("SHELL", own).env("PAGER", own);
        });
    }
}

#[test]
fn the_project_ends_at_its_top_wherever_its_parts_are() {
    let here = Place::new();
    // The source tree is reached by a link of another clone, whose database is in a build directory of its own.
    for directory in ["other/.hg", "other/build", "work"] {
        fs::create_dir_all(here.at(directory)).expect("directories can be made");
    }
    here.link(&here.text("clone/src"), "other/src");
    here.marking("other/mpicc");
    for word in ["other/mpicc", "clone/mpicc", "clone/tools/mpicc"] {
        here.database("other/build", "/", &[&here.text(word)]);
        let (build, file, work) = (here.text("other/build"), here.text("other/src/a.c"), here.at("work"));
        for command in ["lint", "topology", "suggest"] {
            let mut command_line = here.anyrank();
            let output = command_line.current_dir(&work).args([command, "-p", &build, &file]).output();
            let output = output.expect("the command starts");
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{word}: {told}");
            assert!(!here.at("mark").exists(), "{word}: {told}");
        }
    }
}

/// Editors start a server in the folder that is opened, or start it anywhere and it starts processes for the folder.
#[cfg(target_os = "linux")]
#[test]
fn a_server_takes_no_library_from_the_folder_that_it_serves() {
    let here = Place::new();
    let mark = here.text("mark");
    let code = format!(
        "#include <stdio.h>\n__attribute__((constructor)) static void run(void)\n\
         {{ FILE *mark = fopen(\"{mark}\", \"a\"); if (mark) {{ fputs(\"library\\n\", mark); fclose(mark); }} }}\n"
    );
    here.write("out/evil.c", &code);
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-o"]).arg(here.at("clone/evil.so")).arg(here.at("out/evil.c"));
    if !compile.status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: no cc");
        return;
    }
    // `LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/opt/lib` makes an empty entry, which is the current directory.
    let serve = |directory: &str| {
        let mut command = here.anyrank();
        command.arg("lsp").current_dir(here.at(directory));
        command.env("LD_LIBRARY_PATH", ":/opt/lib").env("LD_PRELOAD", "evil.so");
        let mut client = Client::started(&mut command);
        client.serve(&here.at("clone"), "utf-16");
        client.open(&here.at("clone/src/a.c"), PROGRAM);
        client.programs();
        assert!(client.end().success());
        here.at("mark").exists()
    };
    assert!(!serve("home"));
    // What the editor itself starts there is the editor's affair; without this the test above would say nothing.
    assert!(serve("clone"));
}

#[test]
fn one_place_starts_processes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    // What is not part of the command is built from these directories.
    rust_files(
        root,
        &["tests", "benches", "examples", "target", "tools", "fuzz", "corpus", "build", "node_modules"],
        &mut sources,
    );
    assert!(100 < sources.len(), "the sources are here");
    let starts = |text: &str| {
        let imported = text.split("std::process::").skip(1).any(|rest| {
            let names = rest.split(';').next().unwrap_or(rest);
            names.starts_with("Command") || names.starts_with('{') && names.contains("Command")
        });
        let others = [
            "process::Command",
            "use std::process;",
            "posix_spawn",
            "CommandExt",
            "libc::",
            "rustix::runtime",
        ];
        imported || others.iter().any(|other| text.contains(other))
    };
    // Building anyrank may ask the compiler where a library is; what is built may not.
    sources.retain(|file| !file.ends_with("build.rs"));
    let found: Vec<&Path> = sources
        .iter()
        .filter(|file| starts(&fs::read_to_string(file).expect("sources can be read")))
        .map(|file| file.strip_prefix(root).expect("they are below"))
        .collect();
    assert_eq!(found, [Path::new("frontend/src/programs.rs")]);
}

fn rust_files(directory: &Path, without: &[&str], files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(directory)
        .expect("directories can be listed")
        .map(|entry| entry.expect("it is there").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !without.contains(&name) {
            rust_files(&path, without, files);
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
}
