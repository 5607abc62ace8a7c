//! The fields of the JSON that other programs read.

use serde_json::Value;

use super::{array, has_fields, json, run, stderr};

#[test]
fn lint_json_has_the_contracted_fields() {
    let output = run(&["lint", "--format", "json", "corpus/datatype_mismatch.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report = json(&output);
    has_fields(&report, ["schema", "findings", "programs", "errors"]);
    assert_eq!(report["schema"], 1);
    assert!(array(&report, "errors").is_empty());
    let findings = array(&report, "findings");
    assert!(!findings.is_empty());
    for finding in findings {
        has_fields(
            finding,
            [
                "rule",
                "severity",
                "message",
                "file",
                "line",
                "column",
                "end_line",
                "end_column",
                "np",
                "ranks",
                "related",
                "fix",
            ],
        );
        assert_eq!(finding["file"], "corpus/datatype_mismatch.c");
        assert!(["note", "warning", "error"].contains(&finding["severity"].as_str().expect("a string")));
        for field in ["line", "column", "end_line", "end_column"] {
            assert!(finding[field].as_u64().is_some_and(|number| number > 0), "{field}: {finding}");
        }
        for related in array(finding, "related") {
            has_fields(related, ["file", "line", "message"]);
        }
        if !finding["fix"].is_null() {
            has_fields(&finding["fix"], ["description", "edits"]);
        }
    }
    let programs = array(&report, "programs");
    assert_eq!(programs.len(), 1);
    has_fields(&programs[0], ["entry", "verdict", "seconds"]);
    assert_eq!(programs[0]["entry"], "corpus/datatype_mismatch.c");
    has_fields(
        &programs[0]["verdict"],
        ["kind", "np", "assumptions", "reasons", "lengths", "length_reasons"],
    );
    assert!(programs[0]["seconds"].as_f64().is_some_and(|seconds| 0.0 <= seconds));
}

/// The orders in which the root may receive are too many to follow them all, and none of them matters.
#[test]
fn unsafe_sends_show_in_one_of_many_orders() {
    let output = run(&["lint", "--np", "8", "--format", "json", "corpus/unsafe_after_gather.c"]);
    let report = json(&output);
    let rules: Vec<&Value> = array(&report, "findings").iter().map(|finding| &finding["rule"]).collect();
    assert_eq!(rules, ["unsafe-send"]);
}

#[test]
fn topology_json_has_the_contracted_fields() {
    let output = run(&["topology", "--format", "json", "corpus/fanout_broadcast.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    has_fields(&report, ["schema", "programs", "errors"]);
    let program = &array(&report, "programs")[0];
    has_fields(program, ["entry", "verdict", "channels", "collectives", "patterns"]);
    assert_eq!(program["verdict"]["kind"], "exact");
    let channels = array(program, "channels");
    assert_eq!(channels.len(), 1);
    has_fields(
        &channels[0],
        [
            "send",
            "recv",
            "senders",
            "partner",
            "receivers",
            "source",
            "communicator",
            "tag",
            "count",
            "datatype",
            "repeat",
        ],
    );
    for (side, operation) in [("send", "MPI_Send"), ("recv", "MPI_Recv")] {
        has_fields(&channels[0][side], ["file", "line", "column", "function", "operation"]);
        assert_eq!(channels[0][side]["operation"], operation);
        assert_eq!(channels[0][side]["function"], "main");
    }
    assert_eq!(channels[0]["datatype"], "MPI_INT");
}

#[test]
fn a_number_of_processes_at_which_the_program_ends_early_is_told() {
    let verdict = |np: &str| {
        let output = run(&["topology", "--format", "json", "--np", np, "corpus/hypercube_bits.c"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(&output)["programs"][0]["verdict"].clone()
    };
    let early = serde_json::json!(["every path ends the program early (np = 3)"]);
    for (np, kind, answered, reasons) in [
        ("3", "unknown", "any np >= 1", &early),
        ("3,8", "exact", "8", &early),
        ("8", "exact", "8", &serde_json::json!([])),
    ] {
        let verdict = verdict(np);
        assert_eq!(verdict["kind"], kind, "{verdict}");
        assert_eq!(verdict["np"], answered, "{verdict}");
        assert_eq!(&verdict["reasons"], reasons, "{verdict}");
    }
}

#[test]
fn topology_json_with_np_has_an_instance() {
    let output = run(&["topology", "--format", "json", "--np", "4", "corpus/fanout_broadcast.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    let instance = &array(&report, "programs")[0]["instance"];
    has_fields(instance, ["np", "messages", "collectives"]);
    assert_eq!(instance["np"], 4);
    let messages = array(instance, "messages");
    let ends: Vec<_> =
        messages.iter().map(|message| (message["from"].as_u64(), message["to"].as_u64())).collect();
    assert_eq!(ends, [(Some(0), Some(1)), (Some(0), Some(2)), (Some(0), Some(3))]);
    for message in messages {
        has_fields(
            message,
            [
                "from",
                "to",
                "send_line",
                "recv_line",
                "communicator",
                "tag",
                "count",
                "datatype",
                "bytes",
                "repeat",
            ],
        );
        assert_eq!(
            (&message["tag"], &message["count"], &message["bytes"]),
            (&7.into(), &1.into(), &4.into())
        );
        assert_eq!((&message["communicator"], &message["repeat"]), (&"MPI_COMM_WORLD".into(), &1.into()));
    }
}

/// A verdict is about who talks to whom; what it says of lengths stands beside it.
#[test]
fn lengths_stand_beside_the_verdict() {
    let verdict = |args: &[&str], file: &str| {
        let report = json(&run(&[&["lint", "--format", "json"], args, &[file]].concat()));
        array(&report, "programs")[0]["verdict"].clone()
    };
    let open = verdict(&[], "corpus/length_short_last_block.c");
    assert_eq!((open["kind"].as_str(), open["lengths"].as_str()), (Some("exact"), Some("not proved")));
    let reasons = array(&open, "length_reasons");
    assert_eq!(reasons.len(), 1, "one for each place: {open}");
    assert!(reasons[0].as_str().is_some_and(|reason| reason.ends_with(": count-mismatch")), "{open}");
    let few = verdict(&["--np", "8"], "corpus/length_short_last_block.c");
    assert_eq!((few["lengths"].as_str(), array(&few, "length_reasons").len()), (Some("proved"), 0));
    let text = run(&["lint", "--np", "9", "corpus/length_short_last_block.c"]);
    let shown = String::from_utf8_lossy(&text.stdout).into_owned() + &String::from_utf8_lossy(&text.stderr);
    assert!(shown.contains("; lengths: not proved, line "), "{shown}");
}
