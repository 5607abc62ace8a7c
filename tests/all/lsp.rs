//! `anyrank lsp` by its protocol: what an editor gets to see, and what it may do wrong.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, uri};

/// Rank 0 sends to all others. The comment moves columns: it has characters outside of ASCII and outside of the first plane.
const FAN_OUT: &str = "#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0) {
        for (int i = 1; i < np; i++)
            /* \u{e9}\u{1d11e} */ MPI_Send(&x, 1, MPI_INT, i, 7, MPI_COMM_WORLD);
    } else {
        /* \u{e9}\u{1d11e} */ MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
";
const SEND: usize = 10;
const RECEIVE: usize = 12;

fn with(files: &[(&str, &str)]) -> (TempDir, Vec<PathBuf>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |(name, text): &(&str, &str)| {
        let path = directory.path().join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    };
    let paths = files.iter().map(write).collect();
    (directory, paths)
}

/// Whether a rule is broken in a line, from 0.
fn has(diagnostics: &[Value], rule: &str, line: usize) -> bool {
    diagnostics.iter().any(|one| one["code"] == rule && one["range"]["start"]["line"] == line)
}

/// Nothing is wrong; what could be written instead may be told.
fn is_clean(diagnostics: &[Value]) -> bool {
    diagnostics.iter().all(|one| one["severity"].as_u64().is_some_and(|severity| 2 < severity))
}

/// Opens a right program, and waits until everything is known of it.
fn opened(client: &mut Client, file: &Path, text: &str) {
    client.open(file, text);
    client.programs();
}

#[test]
fn an_edit_that_is_not_saved_has_its_diagnostic_in_its_place() {
    let (directory, files) = with(&[("a.c", FAN_OUT)]);
    for (encoding, column) in [("utf-16", 18), ("utf-8", 21)] {
        let mut client = Client::serving(directory.path(), encoding);
        opened(&mut client, &files[0], FAN_OUT);
        client.replace(&files[0], &FAN_OUT.replace("i, 7,", "i, 8,"));
        let found = client.diagnostics(&files[0], |all| has(all, "tag-mismatch", RECEIVE));
        let mismatch = found.iter().find(|one| one["code"] == "tag-mismatch").expect("just seen");
        assert_eq!(mismatch["range"]["start"]["character"], column, "{mismatch}");
        assert_eq!(mismatch["source"], "anyrank");
        client.replace(&files[0], FAN_OUT);
        client.diagnostics(&files[0], is_clean);
        assert!(client.end().success());
    }
}

#[test]
fn a_call_tells_who_is_on_the_other_side() {
    let (directory, files) = with(&[("a.c", FAN_OUT)]);
    let mut client = Client::serving(directory.path(), "utf-8");
    opened(&mut client, &files[0], FAN_OUT);
    let hover = client.at("textDocument/hover", &files[0], RECEIVE, 24);
    let text = hover["contents"]["value"].as_str().expect("there is a hover").to_owned();
    for part in [
        "MPI_Recv",
        "[1..np-1]",
        "receive from `0`",
        "a.c:11",
        "1 \u{d7} `MPI_INT`",
        "tag `7`",
        "exact for any np",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let other = client.at("textDocument/definition", &files[0], RECEIVE, 24);
    assert_eq!(other[0]["range"]["start"]["line"], SEND, "{other}");
    let other = client.at("textDocument/references", &files[0], SEND, 27);
    assert_eq!(other[0]["range"]["start"]["line"], RECEIVE, "{other}");
    assert!(client.at("textDocument/hover", &files[0], 5, 0).is_null(), "nothing is there");

    let lenses = client.all("textDocument/codeLens", &files[0]);
    let titles: Vec<_> = lenses.iter().filter_map(|lens| lens["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["[0..0] \u{2192} each of [1..np-1]", "[1..np-1] \u{2190} 0"]);
    let hints = client.all("textDocument/inlayHint", &files[0]);
    let hint =
        |line: usize| hints.iter().find(|hint| hint["position"]["line"] == line).map(|hint| &hint["label"]);
    assert_eq!(hint(11), Some(&json!("ranks [1..np-1]")), "{hints:?}");

    // Lines that are inserted above move everything that is known, before it is known anew.
    client.replace(&files[0], &format!("\n\n{FAN_OUT}"));
    let other = client.at("textDocument/definition", &files[0], RECEIVE + 2, 24);
    assert_eq!(other[0]["range"]["start"]["line"], SEND + 2, "{other}");
    assert!(client.end().success());
}

#[test]
fn while_a_line_is_typed_the_rest_keeps_its_answers() {
    let (directory, files) = with(&[("a.c", FAN_OUT)]);
    let mut client = Client::serving(directory.path(), "utf-16");
    opened(&mut client, &files[0], FAN_OUT);
    client.replace(
        &files[0],
        &FAN_OUT.replace("    MPI_Finalize();", "    if (rank == (\n    MPI_Finalize();"),
    );
    client.wait(|message| {
        message["method"] == "window/logMessage"
            && message["params"]["message"].to_string().contains("are kept")
    });
    let other = client.at("textDocument/definition", &files[0], RECEIVE, 24);
    assert_eq!(other[0]["range"]["start"]["line"], SEND, "{other}");
    // What is saved is meant: the function is lost, and nothing of it is known any more.
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri(&files[0]) } }));
    client.diagnostics(&files[0], |all| all.iter().any(|one| one["severity"] == 4));
    assert_eq!(client.at("textDocument/definition", &files[0], RECEIVE, 24), Value::Null);
    // Every prefix of a program is a text that somebody types: most are typed on before they are analysed, some are not.
    for end in (0..FAN_OUT.len()).step_by(7).filter(|&end| FAN_OUT.is_char_boundary(end)) {
        client.replace(&files[0], &FAN_OUT[..end]);
        if end % 9 == 0 {
            client.programs();
        }
    }
    client.replace(&files[0], &FAN_OUT.replace("i, 7,", "i, 8,"));
    client.diagnostics(&files[0], |all| has(all, "tag-mismatch", RECEIVE));
    assert!(client.end().success());
}

#[test]
fn a_fix_is_offered_for_text_that_is_not_saved() {
    let leak =
        "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    MPI_Comm own;\n    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);\n    MPI_Barrier(own);\n    MPI_Finalize();\n    return 0;\n}\n";
    let (directory, files) = with(&[("a.c", "int main(void) { return 0; }\n")]);
    let mut client = Client::serving(directory.path(), "utf-16");
    client.open(&files[0], leak);
    client.programs();
    let is_fix = |action: &Value| action["isPreferred"] == true;
    let actions = client.actions(&files[0], |all| all.iter().any(is_fix));
    let fix = actions.iter().find(|action| is_fix(action)).expect("there is a fix");
    let edits = &fix["edit"]["changes"][uri(&files[0])];
    assert!(edits[0]["newText"].to_string().contains("MPI_Comm_free(&own);"), "{edits}");
    assert!(actions.iter().any(|action| action["kind"] == "source.fixAll.anyrank"), "{actions:?}");
    assert!(client.end().success());
}

/// A column is sent by a datatype, and received as numbers one after the other.
const COLUMN: &str = "#include <mpi.h>

int main(int argc, char **argv)
{
    double a[4][8] = { 0 }, b[4];
    int rank;
    MPI_Datatype column;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        MPI_Send(a, 1, column, 1, 7, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(b, 4, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
";

#[test]
fn a_call_tells_what_its_datatype_consists_of_and_costs() {
    let (directory, files) = with(&[("a.c", COLUMN)]);
    let mut client = Client::serving(directory.path(), "utf-8");
    opened(&mut client, &files[0], COLUMN);
    let mut hover = |line: usize, column: usize| {
        let hover = client.at("textDocument/hover", &files[0], line, column);
        hover["contents"]["value"].as_str().expect("there is a hover").to_owned()
    };
    // Where it is made, and where it is used.
    for (line, column) in [(9, 4), (12, 8)] {
        let text = hover(line, column);
        for part in [
            "4 elements, 32 bytes of data, extent 200 bytes, cost 12",
            "vector(4,1,8,MPI_DOUBLE)",
            "vec(4,64,con(1,MPI_DOUBLE))",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    assert!(!hover(14, 8).contains("vec("), "the receive has another datatype");
    assert!(client.end().success());
}

#[test]
fn a_suggestion_is_offered_with_its_edit() {
    let (directory, files) = with(&[("a.c", FAN_OUT)]);
    let mut client = Client::serving(directory.path(), "utf-16");
    opened(&mut client, &files[0], FAN_OUT);
    client.diagnostics(&files[0], |all| has(all, "use-collective", SEND));
    let is_broadcast = |action: &&Value| action["edit"].to_string().contains("MPI_Bcast");
    let actions = client.actions(&files[0], |all| all.iter().any(|action| is_broadcast(&action)));
    let offered: Vec<_> = actions.iter().filter(is_broadcast).collect();
    let [action] = offered.as_slice() else { panic!("there is one: {actions:#?}") };
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["diagnostics"][0]["code"], "use-collective");
    assert!(action["isPreferred"].is_null(), "it removes no defect: {action}");
    assert!(actions.iter().all(|action| action["kind"] != "source.fixAll.anyrank"), "nothing needs a fix");
    // What comes first is what changes the program for the better.
    assert_eq!(actions[0], **action);
    assert!(client.end().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_whose_file_was_replaced_goes_on() {
    let (directory, files) = with(&[("a.c", FAN_OUT)]);
    let command = directory.path().join("anyrank");
    fs::copy(env!("CARGO_BIN_EXE_anyrank"), &command).expect("it can be copied");
    let mut client = Client::of(&command);
    client.serve(directory.path(), "utf-16");
    opened(&mut client, &files[0], FAN_OUT);
    fs::remove_file(&command).expect("it can be removed");
    fs::write(&command, "another version").expect("a file can be written");
    client.replace(&files[0], &FAN_OUT.replace("i, 7,", "i, 8,"));
    client.diagnostics(&files[0], |all| has(all, "tag-mismatch", RECEIVE));
    assert!(client.end().success());
}

#[test]
fn documents_of_one_program_are_seen_together() {
    let main = "#include <mpi.h>\nvoid other(int);\nint main(int argc, char **argv)\n{\n    int rank, x = 0;
    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)\n        MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);\n    other(rank);\n    MPI_Finalize();\n    return 0;\n}\n";
    let other = "#include <mpi.h>\nvoid other(int rank)\n{\n    int y;\n    if (rank == 1)
        MPI_Recv(&y, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n";
    let (directory, files) = with(&[("main.c", main), ("other.c", other)]);
    let mut client = Client::serving(directory.path(), "utf-16");
    client.open(&files[1], other);
    client.programs();
    let there = client.at("textDocument/definition", &files[1], 5, 10);
    assert_eq!(there[0]["uri"], uri(&files[0]), "{there}");
    client.open(&files[0], main);
    client.programs();
    client.replace(&files[0], &main.replace("1, 7,", "1, 8,"));
    client.diagnostics(&files[1], |all| has(all, "tag-mismatch", 5));
    assert!(client.end().success());
}

#[test]
fn files_may_be_renamed_and_the_compile_database_may_change() {
    let text = FAN_OUT.replace("i, 7,", "i, TAG,");
    let (directory, files) = with(&[("a.c", &text)]);
    let mut client = Client::serving(directory.path(), "utf-16");
    client.open(&files[0], &text);
    // Nobody says what `TAG` is, so nothing is known of the messages.
    client.programs();
    let database = |tag: u32| {
        let command = format!("mpicc -DTAG={tag} -c a.c");
        let entry = json!([{ "directory": directory.path(), "file": "a.c", "command": command }]);
        fs::write(directory.path().join("compile_commands.json"), entry.to_string())
            .expect("a file can be written");
    };
    let changed =
        json!({ "changes": [{ "uri": uri(&directory.path().join("compile_commands.json")), "type": 2 }] });
    fs::write(directory.path().join("compile_commands.json"), "[{").expect("a file can be written");
    client.tell("workspace/didChangeWatchedFiles", changed.clone());
    let said = client.wait(|message| message["method"] == "window/showMessage");
    assert!(said["params"]["message"].to_string().contains("compile_commands.json"), "{said}");
    database(8);
    client.tell("workspace/didChangeWatchedFiles", changed.clone());
    client.diagnostics(&files[0], |all| has(all, "tag-mismatch", RECEIVE));
    database(7);
    client.tell("workspace/didChangeWatchedFiles", changed);
    client.diagnostics(&files[0], is_clean);

    let renamed = directory.path().join("b.c");
    fs::rename(&files[0], &renamed).expect("it can be renamed");
    client.replace(&files[0], &format!("{text}\n"));
    client.close(&files[0]);
    client.diagnostics(&files[0], is_clean);
    opened(&mut client, &renamed, FAN_OUT);
    let other = client.at("textDocument/definition", &renamed, RECEIVE, 20);
    assert_eq!(other[0]["uri"], uri(&renamed));
    assert!(client.end().success());
}

#[test]
fn what_a_client_does_wrong_is_said_and_does_no_harm() {
    let mut client = Client::new();
    assert_eq!(client.ask("textDocument/hover", json!({}))["error"]["code"], -32002, "before initialize");
    client.send_bytes(
        b"hello\r\n\r\nContent-Length: 5\r\n\r\n{\"a\":Content-Length: 99999999999999999\r\n\r\n",
    );
    client.send_bytes(b"Content-Length: 12\r\n\r\n\xff\xfe not JSON!");
    let result = client.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(result["result"]["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(client.ask("initialize", json!({ "capabilities": {} }))["error"]["code"], -32600);
    assert_eq!(client.ask("textDocument/hover", json!({ "x": 1 }))["error"]["code"], -32602);
    assert_eq!(client.ask("no/such", json!({}))["error"]["code"], -32601);
    client.tell("textDocument/didChange", json!({ "nonsense": [] }));
    client.tell("$/noSuch", json!({}));

    // Documents that are unknown, not there, not files, or not C.
    let nowhere = Path::new("/nowhere/at all/x.c");
    assert!(client.at("textDocument/hover", nowhere, 3, 3).is_null());
    client.replace(nowhere, "int x;");
    client.close(nowhere);
    client.open(nowhere, FAN_OUT);
    client.wait(|message| message["method"] == "window/showMessage");
    let untitled = json!({ "uri": "untitled:Untitled-1", "languageId": "c", "version": 1, "text": FAN_OUT });
    client.tell("textDocument/didOpen", json!({ "textDocument": untitled }));
    assert!(client.at("textDocument/hover", nowhere, 4_000_000_000, 4_000_000_000).is_null());
    assert_eq!(client.all("textDocument/codeAction", nowhere), Vec::<Value>::new());

    client.ask("shutdown", Value::Null);
    assert_eq!(client.ask("textDocument/hover", json!({}))["error"]["code"], -32600, "after shutdown");
    client.tell("exit", Value::Null);
    assert_eq!(client.exited().code(), Some(0));

    let mut client = Client::new();
    client.tell("exit", Value::Null);
    assert_eq!(client.exited().code(), Some(1), "exit without shutdown");
    assert_eq!(Client::new().exited().code(), Some(1), "the client is gone");
}

/// What a process holds: memory that is its own, in KiB, threads, open files, and processes that it started.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct Held {
    memory: u64,
    threads: u64,
    files: usize,
    children: usize,
}

#[cfg(target_os = "linux")]
impl Held {
    fn by(process: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process is there");
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("Linux says it");
            line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("it is a number")
        };
        let files = fs::read_dir(format!("/proc/{process}/fd")).expect("the process is there").count();
        let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("the process is there");
        let children = tasks.flatten().map(|task| fs::read_to_string(task.path().join("children")));
        let children = children.flatten().map(|list| list.split_whitespace().count()).sum();
        Self { memory: number("RssAnon:"), threads: number("Threads:"), files, children }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn opening_and_closing_documents_leaves_nothing() {
    let (directory, files) = with(&[("a.c", FAN_OUT)]);
    let mut client = Client::serving(directory.path(), "utf-16");
    // A text of 100 KB: if one in five was kept, it would show.
    let text = format!("{FAN_OUT}{}", "/* a comment that takes room */\n".repeat(3_000));
    let mut cycles = |count: usize| {
        for cycle in 0..count {
            client.open(&files[0], &text);
            client.replace(&files[0], &text);
            // Most are closed before they are analysed, or while they are.
            if cycle % 25 == 0 {
                client.programs();
            }
            client.close(&files[0]);
        }
        opened(&mut client, &files[0], FAN_OUT);
        // The edit of its suggestion is looked for; after that, nothing is under way.
        client.actions(&files[0], |all| {
            all.iter().any(|action| action["edit"].to_string().contains("MPI_Bcast"))
        });
        client.close(&files[0]);
        client.ask("shutdown-is-not-yet", Value::Null);
        Held::by(client.id())
    };
    cycles(20);
    let before = cycles(50);
    let mut after = cycles(500);
    let things = |held: &Held| (held.threads, held.files, held.children);
    // On a busy machine something may still be under way: that ends, and what was left would stay.
    for _ in 0..100 {
        if things(&after) == things(&before) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        after = Held::by(client.id());
    }
    assert!(after.memory < before.memory + 8 * 1024, "{before:?} before 500 cycles, {after:?} after");
    assert_eq!(things(&after), things(&before), "threads, files and processes");
    assert!(client.end().success());
}
