//! What people and scripts see, written out. The pictures here are read by eye when they change.

use analyzer::results::{
    Channel, Collective, Edit, Fact, Finding, Fix, Instance, Lengths, Message, Pairing, Pattern,
    ProgramReport, Related, Severity, Site, SourceRange, Topology, Verdict, VerdictKind,
};
use analyzer::rules::Rule;
use expect_test::expect;
use report::{InputError, Outcome, Sources, json, text};

const PROGRAM: &str = "\
#include <mpi.h>
int main(void)
{
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    else
        MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
";

fn range(line: u32, column: u32, end_column: u32) -> SourceRange {
    SourceRange { file: "a.c".into(), line, column, end_line: line, end_column }
}

fn finding() -> Finding {
    Finding {
        rule: Rule::UnmatchedSend,
        severity: Severity::Error,
        message: "rank 0 sends a message with tag 7 to rank 1 that nobody receives".into(),
        range: range(5, 9, 55),
        np: "any np >= 2".into(),
        ranks: "[0..0]".into(),
        related: vec![Related { range: range(7, 9, 74), message: "rank 1 waits for tag 8".into() }],
        fix: None,
        rebuild: None,
    }
}

fn site(line: u32, operation: &str) -> Site {
    Site { range: range(line, 9, 55), function: "main".into(), operation: operation.into() }
}

fn program() -> ProgramReport {
    ProgramReport {
        entry: "a.c".into(),
        verdict: Verdict {
            kind: VerdictKind::Exact,
            np: "any np >= 2".into(),
            assumptions: vec!["compute() does not communicate".into()],
            reasons: vec![],
            lengths: Lengths::Proved,
        },
        is_by_model: false,
        topology: Topology {
            channels: vec![Channel {
                send: site(5, "MPI_Send"),
                recv: Site { function: "serve".into(), ..site(7, "MPI_Recv") },
                senders: "[0..0]".into(),
                partner: "each of [1..np-1]".into(),
                receivers: "[1..np-1]".into(),
                source: "0".into(),
                communicator: "MPI_COMM_WORLD".into(),
                tag: "7".into(),
                count: "n".into(),
                datatype: "MPI_INT".into(),
                repeat: "1".into(),
                pairing: Pairing::RootToOthers("0".into()),
            }],
            collectives: vec![Collective {
                operation: "MPI_Bcast".into(),
                sites: vec![site(3, "MPI_Bcast"), site(8, "MPI_Bcast")],
                ranks: "[0..np-1]".into(),
                root: Some("0".into()),
                communicator: "MPI_COMM_WORLD".into(),
                repeat: "steps".into(),
            }],
            patterns: vec![Pattern { name: "fan-out".into(), channels: vec![0] }],
            instance: Some(Instance {
                np: 3,
                messages: (1..3)
                    .map(|to| Message {
                        from: 0,
                        to,
                        send_line: 5,
                        recv_line: 7,
                        send_file: "a.c".into(),
                        recv_file: "a.c".into(),
                        communicator: "MPI_COMM_WORLD".into(),
                        tag: Some(7),
                        count: None,
                        datatype: "MPI_INT".into(),
                        bytes: None,
                        repeat: if to == 1 { Some(12) } else { None },
                    })
                    .collect(),
                collectives: vec![],
            }),
        },
        instances: Vec::new(),
        findings: vec![],
        facts: vec![Fact {
            range: range(7, 5, 20),
            function: "printf".into(),
            ranks: "[0..1]".into(),
            values: vec![("x".into(), 5)],
        }],
        uniformity: None,
        flows: None,
        proofs: None,
        datatypes: vec![],
        seconds: 0.003_000_4,
        work: 30_000,
        questions: 0,
    }
}

fn sources() -> Sources {
    let mut sources = Sources::new();
    sources.insert("a.c", PROGRAM);
    sources
}

/// Without the colours.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn a_finding_shows_its_source_and_the_related_place() {
    let text = plain(&text::finding(&finding(), &sources(), 80));
    expect![[r#"
        error[unmatched-send]: rank 0 sends a message with tag 7 to rank 1 that nobody receives
         --> a.c:5:9
          |
        5 |         MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        6 |     else
        7 |         MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          |         ----------------------------------------------------------------- rank 1 waits for tag 8
          |
          = note: for any np >= 2, on rank 0
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_finding_without_its_source_still_names_the_places() {
    let mut finding = finding();
    finding.related[0].range.file = "b.c".into();
    let text = plain(&text::finding(&finding, &Sources::new(), 80));
    expect![[r#"
        error[unmatched-send]: rank 0 sends a message with tag 7 to rank 1 that nobody receives
        --> a.c:5:9
        ::: b.c:7:9
         = note: rank 1 waits for tag 8
         = note: for any np >= 2, on rank 0
    "#]]
    .assert_eq(&text);
}

#[test]
fn the_first_line_stands_alone() {
    let text = plain(&text::finding(&finding(), &sources(), 30));
    let first = text.lines().next().expect("there is a first line");
    assert_eq!(
        first,
        "error[unmatched-send]: rank 0 sends a message with tag 7 to rank 1 that nobody receives"
    );
}

#[test]
fn a_fix_is_shown_as_a_patch() {
    let fix = Fix {
        description: "receive tag 7".into(),
        edits: vec![Edit { range: range(7, 37, 38), text: "7".into() }],
    };
    let text = plain(&text::finding(&Finding { fix: Some(fix), ..finding() }, &sources(), 80));
    expect![[r#"
        error[unmatched-send]: rank 0 sends a message with tag 7 to rank 1 that nobody receives
         --> a.c:5:9
          |
        5 |         MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        6 |     else
        7 |         MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          |         ----------------------------------------------------------------- rank 1 waits for tag 8
          |
          = note: for any np >= 2, on rank 0
        help: receive tag 7
          |
        7 -         MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        7 +         MPI_Recv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          |
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_place_outside_the_file_and_a_control_character_do_no_harm() {
    let mut finding = finding();
    finding.message = "bell \u{7} and escape \u{1b}[2J".into();
    finding.range = range(4_000_000, 9, 10);
    let text = text::finding(&finding, &sources(), 80);
    assert!(!text.contains('\u{7}') && !text.contains("\u{1b}[2J"), "{text:?}");
    assert!(plain(&text).contains("a.c:4000000:9"), "{text}");
}

#[test]
fn a_line_of_a_megabyte_gets_no_excerpt() {
    let mut sources = Sources::new();
    sources.insert("a.c", "x".repeat(1 << 20));
    let mut finding = finding();
    finding.range = range(1, 500_000, 500_010);
    finding.related.clear();
    assert!(text::finding(&finding, &sources, 80).len() < 1_000);
}

#[test]
fn a_topology_reads_as_prose() {
    let program = program();
    let mut text = text::topology(&program);
    text.push_str(&text::instance_matrix(
        program.topology.instance.as_ref().expect("the program has an instance"),
    ));
    expect![[r#"
        a.c: exact for any np >= 2, assuming compute() does not communicate
          channel 1: MPI_Send line 5 -> MPI_Recv line 7 in serve
            Rank 0 sends to each of [1..np-1]
            Ranks [1..np-1] receive from 0
            n MPI_INT, tag 7, MPI_COMM_WORLD, once per pair
          collectives
            MPI_Bcast lines 3, 8, root 0, ranks [0..np-1], MPI_COMM_WORLD, steps times
          patterns
            fan-out: channel 1
          constants that reach an output
            line 7: printf gets x = 5 on ranks [0..1]
          assumptions
            - compute() does not communicate
          at np = 3: a number of messages that depends on input
                to  0  1  2
            from 0  . 12  ?
            from 1  .  .  .
            from 2  .  .  .
    "#]]
    .assert_eq(&plain(&text));
}

#[test]
fn verdicts_are_sentences() {
    let verdict = |kind, np: &str, reasons: &[&str]| {
        text::verdict_sentence(&Verdict {
            kind,
            np: np.into(),
            assumptions: vec![],
            reasons: reasons.iter().map(|&reason| reason.to_owned()).collect(),
            lengths: Lengths::Proved,
        })
    };
    assert_eq!(verdict(VerdictKind::Exact, "any np >= 1", &[]), "exact for any np >= 1");
    assert_eq!(
        verdict(VerdictKind::Bounded, "2..5", &["line 40: partner read from a file"]),
        "explored exactly for np = 2..5 only: line 40: partner read from a file"
    );
    assert_eq!(
        verdict(VerdictKind::Unknown, "any np >= 1", &["line 4: setjmp", "line 5: longjmp"]),
        "not decided: line 4: setjmp (and 1 more reason)"
    );
}

#[test]
fn lengths_that_are_not_proved_are_said_beside_the_verdict() {
    let verdict = |kind, open: &[&str]| {
        text::verdict_sentence(&Verdict {
            kind,
            np: "any np >= 1".into(),
            assumptions: vec![],
            reasons: vec![],
            lengths: Lengths::NotProved(open.iter().map(|&reason| reason.to_owned()).collect()),
        })
    };
    assert_eq!(
        verdict(VerdictKind::Exact, &["line 9: how much is sent is not known"]),
        "exact for any np >= 1; lengths: not proved, line 9: how much is sent is not known"
    );
    assert_eq!(
        verdict(VerdictKind::Exact, &["line 9: a", "line 12: b"]),
        "exact for any np >= 1; lengths: not proved, line 9: a (and 1 more place)"
    );
    assert_eq!(verdict(VerdictKind::Unknown, &[]), "not decided");
}

#[test]
fn the_summary_counts_and_names_every_verdict() {
    let mut outcome = Outcome {
        findings: vec![finding(), finding(), Finding { severity: Severity::Note, ..finding() }],
        programs: vec![program()],
        ..Outcome::default()
    };
    outcome.sort();
    expect![[r#"
        a.c: exact for any np >= 2, assuming compute() does not communicate
        found 1 error, 1 note
    "#]]
    .assert_eq(&plain(&text::lint_summary(&outcome, text::Detail::Normal)));
    expect![[r#"
        2  error    unmatched-send
    "#]]
    .assert_eq(&text::statistics(&outcome));
    assert_eq!(text::lint_summary(&outcome, text::Detail::Quiet), "");
    outcome.programs = vec![program(); 21];
    expect![[r#"
        21 programs: 21 exact, 0 bounded, 0 not decided (-v lists them)
        found 1 error, 1 note
    "#]]
    .assert_eq(&plain(&text::lint_summary(&outcome, text::Detail::Normal)));
}

#[test]
fn lint_json_is_the_contract() {
    let fix = Fix {
        description: "receive tag 7".into(),
        edits: vec![Edit { range: range(7, 37, 38), text: "7".into() }],
    };
    let outcome = Outcome {
        findings: vec![Finding { fix: Some(fix), ..finding() }],
        programs: vec![program()],
        errors: vec![InputError { file: "b.c".into(), message: "not text".into(), fatal: true }],
        ..Outcome::default()
    };
    expect![[r#"
        {
          "schema": 1,
          "findings": [
            {
              "rule": "unmatched-send",
              "severity": "error",
              "message": "rank 0 sends a message with tag 7 to rank 1 that nobody receives",
              "file": "a.c",
              "line": 5,
              "column": 9,
              "end_line": 5,
              "end_column": 55,
              "np": "any np >= 2",
              "ranks": "[0..0]",
              "related": [
                {
                  "file": "a.c",
                  "line": 7,
                  "message": "rank 1 waits for tag 8"
                }
              ],
              "fix": {
                "description": "receive tag 7",
                "edits": [
                  {
                    "file": "a.c",
                    "start": [
                      7,
                      37
                    ],
                    "end": [
                      7,
                      38
                    ],
                    "text": "7"
                  }
                ]
              }
            }
          ],
          "programs": [
            {
              "entry": "a.c",
              "verdict": {
                "kind": "exact",
                "np": "any np >= 2",
                "assumptions": [
                  "compute() does not communicate"
                ],
                "reasons": [],
                "lengths": "proved",
                "length_reasons": []
              },
              "seconds": 0.003
            }
          ],
          "errors": [
            {
              "file": "b.c",
              "message": "not text"
            }
          ]
        }
    "#]]
    .assert_eq(&json::lint(&outcome).expect("renders"));
}

#[test]
fn topology_json_is_the_contract() {
    let outcome =
        Outcome { findings: vec![], programs: vec![program()], errors: vec![], ..Outcome::default() };
    expect![[r#"
        {
          "schema": 1,
          "programs": [
            {
              "entry": "a.c",
              "verdict": {
                "kind": "exact",
                "np": "any np >= 2",
                "assumptions": [
                  "compute() does not communicate"
                ],
                "reasons": [],
                "lengths": "proved",
                "length_reasons": []
              },
              "channels": [
                {
                  "send": {
                    "file": "a.c",
                    "line": 5,
                    "column": 9,
                    "function": "main",
                    "operation": "MPI_Send"
                  },
                  "recv": {
                    "file": "a.c",
                    "line": 7,
                    "column": 9,
                    "function": "serve",
                    "operation": "MPI_Recv"
                  },
                  "senders": "[0..0]",
                  "partner": "each of [1..np-1]",
                  "receivers": "[1..np-1]",
                  "source": "0",
                  "communicator": "MPI_COMM_WORLD",
                  "tag": "7",
                  "count": "n",
                  "datatype": "MPI_INT",
                  "repeat": "1"
                }
              ],
              "collectives": [
                {
                  "operation": "MPI_Bcast",
                  "sites": [
                    {
                      "file": "a.c",
                      "line": 3,
                      "column": 9,
                      "function": "main",
                      "operation": "MPI_Bcast"
                    },
                    {
                      "file": "a.c",
                      "line": 8,
                      "column": 9,
                      "function": "main",
                      "operation": "MPI_Bcast"
                    }
                  ],
                  "ranks": "[0..np-1]",
                  "root": "0",
                  "communicator": "MPI_COMM_WORLD",
                  "repeat": "steps"
                }
              ],
              "patterns": [
                {
                  "name": "fan-out",
                  "channels": [
                    0
                  ]
                }
              ],
              "instance": {
                "np": 3,
                "messages": [
                  {
                    "from": 0,
                    "to": 1,
                    "send_line": 5,
                    "recv_line": 7,
                    "communicator": "MPI_COMM_WORLD",
                    "tag": 7,
                    "count": null,
                    "datatype": "MPI_INT",
                    "bytes": null,
                    "repeat": 12
                  },
                  {
                    "from": 0,
                    "to": 2,
                    "send_line": 5,
                    "recv_line": 7,
                    "communicator": "MPI_COMM_WORLD",
                    "tag": 7,
                    "count": null,
                    "datatype": "MPI_INT",
                    "bytes": null,
                    "repeat": null
                  }
                ],
                "collectives": [],
                "open": [
                  "line 5: the number of elements of a message that line 7 receives is not known",
                  "line 5: the number of the messages that line 7 receives is not known"
                ]
              }
            }
          ],
          "errors": []
        }
    "#]]
    .assert_eq(&json::topology(&outcome).expect("renders"));
}

#[test]
fn without_np_there_is_no_instance_field() {
    let mut program = program();
    program.topology.instance = None;
    let outcome = Outcome { findings: vec![], programs: vec![program], errors: vec![], ..Outcome::default() };
    assert!(!json::topology(&outcome).expect("renders").contains("instance"));
}

#[test]
fn the_order_of_discovery_does_not_show() {
    let other = Finding { range: range(7, 9, 74), ..finding() };
    let graver = Finding { severity: Severity::Warning, message: "something else".into(), ..finding() };
    let mut forwards =
        Outcome { findings: vec![finding(), other.clone(), graver.clone()], ..Outcome::default() };
    let mut backwards = Outcome { findings: vec![graver, other, finding()], ..Outcome::default() };
    forwards.sort();
    backwards.sort();
    assert_eq!(forwards.findings, backwards.findings);
    assert_eq!(forwards.findings[0], finding());
}
