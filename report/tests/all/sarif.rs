//! SARIF and annotations: what services take in.

use std::fs;
use std::path::Path;
use std::process::Command;

use analyzer::results::{Edit, Finding, Fix, Related, Severity, SourceRange};
use analyzer::rules::Rule;
use expect_test::expect;
use report::{InputError, Outcome, Sources, github, sarif};
use serde_json::Value;

/// The schema of the standard, as OASIS publishes it.
const SCHEMA: &str = include_str!("sarif-schema-2.1.0.json");

const PROGRAM: &str = "\
#include <mpi.h>
int main(void)
{
    /* größer */ MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
";

fn range(line: u32, column: u32, end_column: u32) -> SourceRange {
    SourceRange { file: "my src/a.c".into(), line, column, end_line: line, end_column }
}

fn finding(rule: Rule, severity: Severity, range: SourceRange) -> Finding {
    Finding {
        rule,
        severity,
        message: "100% of it: nobody receives".into(),
        range,
        np: "any np >= 2".into(),
        ranks: "[0..0]".into(),
        related: Vec::new(),
        fix: None,
        rebuild: None,
    }
}

fn outcome() -> Outcome {
    let send = Finding {
        related: vec![Related { range: range(5, 5, 70), message: "this waits for tag 8".into() }],
        fix: Some(Fix {
            description: "Send with tag 8".into(),
            edits: vec![Edit { range: range(4, 48, 49), text: "8".into() }],
        }),
        ..finding(Rule::UnmatchedSend, Severity::Error, range(4, 20, 66))
    };
    let receive = |line| finding(Rule::UnmatchedRecv, Severity::Warning, range(line, 5, 70));
    let note = finding(Rule::UnsafeSend, Severity::Note, SourceRange { end_line: 5, ..range(4, 20, 10) });
    Outcome {
        findings: vec![send, note, receive(5), receive(6)],
        programs: Vec::new(),
        errors: vec![
            InputError { file: "b.c".into(), message: "line 3: a syntax error".into(), fatal: false },
            InputError { file: "/no/c.c".into(), message: "it does not exist".into(), fatal: true },
        ],
        ..Outcome::default()
    }
}

fn sources(text: &str) -> Sources {
    let mut sources = Sources::new();
    sources.insert("my src/a.c", text);
    sources
}

fn log(outcome: &Outcome, text: &str) -> Value {
    serde_json::from_str(&sarif::lint(outcome, &sources(text), "1.2.3").unwrap()).unwrap()
}

fn fingerprints(log: &Value) -> Vec<String> {
    let results = log["runs"][0]["results"].as_array().unwrap();
    results.iter().map(|result| result["partialFingerprints"].to_string()).collect()
}

#[test]
fn sarif_obeys_the_schema_of_the_standard() {
    let mut schema: Value = serde_json::from_str(SCHEMA).unwrap();
    // Two patterns of it are no regular expressions: a bracket is closed that was not opened.
    for path in [
        "/definitions/run/properties/language/pattern",
        "/definitions/toolComponent/properties/language/pattern",
    ] {
        *schema.pointer_mut(path).unwrap() = "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$".into();
    }
    for outcome in [outcome(), Outcome::default()] {
        assert_eq!(disagreements(&schema, &log(&outcome, PROGRAM)), "");
    }
    // The validator is one.
    let mut wrong = log(&outcome(), PROGRAM);
    wrong["runs"][0]["results"][0]["level"] = "grave".into();
    assert!(disagreements(&schema, &wrong).contains("'grave' is not one of"));
}

/// Where a document is not as a schema says, a line each. Python's validator takes less time to install than one of Rust to build.
fn disagreements(schema: &Value, document: &Value) -> String {
    const VALIDATE: &str = "\
import json, sys
from jsonschema import Draft7Validator
schema, document = (json.load(open(name, encoding='utf-8')) for name in sys.argv[1:])
Draft7Validator.check_schema(schema)
for error in Draft7Validator(schema).iter_errors(document):
    print(f'{error.json_path}: {error.message}')
";
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build/browser");
    let python = fs::read_to_string(packages.join("python")).expect("`make setup-test` installs jsonschema");
    let folder = tempfile::tempdir().unwrap();
    let files = [("schema", schema), ("document", document)].map(|(name, value)| {
        let file = folder.path().join(name);
        fs::write(&file, value.to_string()).unwrap();
        file
    });
    let mut command = Command::new(python.trim());
    command.env("PYTHONPATH", packages.join("lib")).env("PYTHONDONTWRITEBYTECODE", "1");
    let run = command.args(["-c", VALIDATE]).args(files).output().expect("Python starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn a_result_says_what_the_finding_says() {
    let log = log(&outcome(), PROGRAM);
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["version"], "1.2.3");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["unmatched-recv", "unmatched-send", "unsafe-send"]);
    let mut result = run["results"][0].clone();
    result["partialFingerprints"] = Value::Null;
    expect![[r#"
        {
          "fixes": [
            {
              "artifactChanges": [
                {
                  "artifactLocation": {
                    "uri": "my%20src/a.c"
                  },
                  "replacements": [
                    {
                      "deletedRegion": {
                        "endColumn": 47,
                        "endLine": 4,
                        "startColumn": 46,
                        "startLine": 4
                      },
                      "insertedContent": {
                        "text": "8"
                      }
                    }
                  ]
                }
              ],
              "description": {
                "text": "Send with tag 8"
              }
            }
          ],
          "level": "error",
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "my%20src/a.c"
                },
                "region": {
                  "endColumn": 64,
                  "endLine": 4,
                  "startColumn": 18,
                  "startLine": 4
                }
              }
            }
          ],
          "message": {
            "text": "100% of it: nobody receives"
          },
          "partialFingerprints": null,
          "properties": {
            "np": "any np >= 2",
            "ranks": "[0..0]"
          },
          "relatedLocations": [
            {
              "id": 1,
              "message": {
                "text": "this waits for tag 8"
              },
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "my%20src/a.c"
                },
                "region": {
                  "endColumn": 70,
                  "endLine": 5,
                  "startColumn": 5,
                  "startLine": 5
                }
              }
            }
          ],
          "ruleId": "unmatched-send",
          "ruleIndex": 1
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&result).unwrap());
}

#[test]
fn fingerprints_outlive_changes_elsewhere_and_differ_from_each_other() {
    let before = fingerprints(&log(&outcome(), PROGRAM));
    let mut moved = outcome();
    for finding in &mut moved.findings {
        finding.range.line += 2;
        finding.range.end_line += 2;
    }
    assert_eq!(fingerprints(&log(&moved, &format!("\n\n{PROGRAM}"))), before);
    let mut distinct = before.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), before.len());
}

#[test]
fn annotations_are_one_line_each() {
    expect![[r#"
        ::warning title=anyrank,file=b.c::line 3: a syntax error
        ::error title=anyrank,file=/no/c.c::it does not exist
        ::error title=anyrank (unmatched-send),file=my src/a.c,line=4,endLine=4,col=18,endColumn=64::100%25 of it: nobody receives (any np >= 2)%0Amy src/a.c:5: this waits for tag 8
        ::notice title=anyrank (unsafe-send),file=my src/a.c,line=4,endLine=5::100%25 of it: nobody receives (any np >= 2)
        ::warning title=anyrank (unmatched-recv),file=my src/a.c,line=5,endLine=5,col=5,endColumn=70::100%25 of it: nobody receives (any np >= 2)
        ::warning title=anyrank (unmatched-recv),file=my src/a.c,line=6,endLine=6,col=5,endColumn=70::100%25 of it: nobody receives (any np >= 2)
    "#]]
    .assert_eq(&github::lint(&outcome(), &sources(PROGRAM)));
}
