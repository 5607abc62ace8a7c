//! The page, the pictures and the graphs of `anyrank topology`, as files that stand alone.

use std::fs;
use std::process::{Command, Output, Stdio};

fn topology(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command.arg("topology").args(arguments).output().expect("the command starts")
}

fn page(arguments: &[&str]) -> String {
    let output = topology(&[arguments, &["--format", "html"]].concat());
    String::from_utf8(output.stdout).expect("a page is UTF-8")
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let page = page(&["corpus/fig1_mdcask.c", "--np", "2,8,100"]);
    for reference in ["src=", "@import", "url(http", "<link", "<iframe"] {
        assert!(!page.contains(reference), "{reference}");
    }
    for shown in [
        "Exact for",
        "np = 2, 8, 100",
        "Channel 3",
        "Rank 0 sends to each of [1..np-1]",
        "prefers-color-scheme",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    // One picture of the matrix for each number of processes and each measure, and the first in place.
    assert_eq!(page.matches("class=\"board\"").count(), 2 * (3 + 1));
}

#[test]
fn the_page_says_which_process_counts_it_has_not() {
    let page = page(&["corpus/assume_even.c", "--np", "3,4"]);
    assert!(page.contains("Nothing is shown at np = 3"), "an odd number is assumed away");
}

#[test]
fn names_and_lines_cannot_break_out_of_the_page() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let name = directory.path().join("a<b>&\"'.c");
    let source = fs::read_to_string("corpus/ring.c").expect("the corpus is here");
    let evil = "/* </script><script>alert(1)</script> \" ' & \u{1b}[31m */";
    let source = source.replacen("#include <mpi.h>", &format!("#include <mpi.h> {evil}"), 1).into_bytes();
    fs::write(&name, [source, b"// \xff\xfe\n".to_vec()].concat()).expect("the file can be written");
    let path = name.to_str().expect("this name is UTF-8");
    let page = page(&[path, "--np", "4"]);
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert!(!page.contains("<script>alert") && !page.contains("a<b>") && !page.contains('\u{1b}'));
    assert_eq!(page.matches("</script>").count(), 2);
    let picture = topology(&[path, "--np", "4", "--format", "svg"]);
    let picture = String::from_utf8(picture.stdout).expect("a picture is UTF-8");
    assert!(picture.starts_with("<svg") && picture.contains("a&lt;b&gt;&amp;"));
}

#[test]
fn graphs_have_process_sets_or_ranks() {
    let graph = |arguments: &[&str]| {
        let output = topology(&[&["corpus/ring.c", "--format", "dot"], arguments].concat());
        String::from_utf8(output.stdout).expect("a graph is UTF-8")
    };
    assert!(graph(&[]).contains("s0 -> s0 [label = \"1: line"));
    let ranks = graph(&["--np", "4"]);
    assert!(["0 -> 1;", "1 -> 2;", "2 -> 3;", "3 -> 0;"].iter().all(|edge| ranks.contains(edge)), "{ranks}");
}

#[test]
fn text_draws_a_matrix_for_each_number_of_processes() {
    let output = topology(&["corpus/ring.c", "--np", "2,3", "--color", "never"]);
    let text = String::from_utf8(output.stdout).expect("text is UTF-8");
    assert!(text.contains("at np = 2: ") && text.contains("at np = 3: "), "{text}");
}

#[test]
fn one_analysis_lists_what_one_for_each_number_of_processes_does() {
    // Exact for any number of processes, for some only, and explored number by number.
    for file in ["corpus/fig1_mdcask.c", "corpus/mesh_halo.c", "corpus/cart_red_black.c"] {
        let page = page(&[file]);
        for np in ["2", "4", "8", "16"] {
            let json = topology(&[file, "--np", np, "--format", "json"]).stdout;
            let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
            let messages = json["programs"][0]["instance"]["messages"].as_array();
            let sum =
                messages.map(|all| all.iter().map(|message| message["repeat"].as_i64()).sum::<Option<i64>>());
            let told = match sum {
                // What is explored only because it is asked for is not on the page, but nothing else is there either.
                None => continue,
                Some(Some(1)) => format!("\"np = {np}: 1 message, "),
                Some(Some(sum)) => format!("\"np = {np}: {sum} messages, "),
                Some(None) => format!("\"np = {np}: a number of messages that depends on input, "),
            };
            let is_shown = page.contains(&format!("data-np=\"{np}\""));
            assert!(page.contains(&told) || !is_shown, "{file}: {told}");
            assert!(is_shown || (file.contains("red_black") && np == "16"), "{file} at {np}");
        }
    }
}
