//! SARIF 2.1.0, what code-scanning services take in (OASIS standard, <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>).

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::path::{Component, Path};

use analyzer::results::{Edit, Finding, Severity, SourceRange};
use analyzer::rules::Rule;
use fnv::FnvHasher;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;

use crate::outcome::{InputError, Outcome};
use crate::sources::Sources;

/// Where the schema is that a result obeys.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// How the fingerprints of findings are made; a new way gets a new name.
const FINGERPRINT: &str = "anyrankLine/v1";
/// What a URI cannot hold in a path (RFC 3986 section 3.3).
const IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// What `anyrank lint --format sarif` prints. `sources` has the files of the findings: without one, its columns count bytes and its
/// findings are told apart by their messages only.
///
/// # Errors
/// None in practice, as with [`crate::json::lint`].
pub fn lint(outcome: &Outcome, sources: &Sources, version: &str) -> serde_json::Result<String> {
    let mut used: Vec<Rule> = outcome.findings.iter().map(|finding| finding.rule).collect();
    used.sort_by_key(|rule| rule.id());
    used.dedup();
    let mut same: BTreeMap<u64, u32> = BTreeMap::new();
    let result = |finding| result(finding, &used, sources, &mut same);
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "anyrank",
                version,
                information_uri: "https://www.mpi-forum.org/docs/",
                rules: used.iter().copied().map(descriptor).collect(),
            },
        },
        invocations: [Invocation {
            execution_successful: !outcome.errors.iter().any(|error| error.fatal),
            tool_execution_notifications: outcome.errors.iter().map(notification).collect(),
        }],
        column_kind: "unicodeCodePoints",
        results: outcome.findings.iter().map(result).collect(),
    };
    let mut text = serde_json::to_string_pretty(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    text.push('\n');
    Ok(text)
}

fn descriptor(rule: Rule) -> Descriptor {
    let summary = rule.summary();
    Descriptor {
        id: rule.id(),
        short_description: Text::new(summary),
        full_description: Text::new(rule.section("What it does").unwrap_or(summary).trim()),
        help: Help { text: rule.explanation(), markdown: rule.explanation() },
        default_configuration: Configuration { level: level(rule.default_severity()) },
        properties: Tags { tags: ["mpi", rule.group().title()] },
    }
}

fn result<'a>(
    finding: &'a Finding,
    rules: &[Rule],
    sources: &Sources,
    same: &mut BTreeMap<u64, u32>,
) -> Result<'a> {
    let related = finding.related.iter().zip(1..).map(|(related, id)| RelatedLocation {
        id,
        physical_location: place(&related.range, sources),
        message: Text::new(&related.message),
    });
    let hash = hash(finding, sources);
    // The first, second, ... of those whose lines read the same.
    let number = same.entry(hash).or_default();
    *number += 1;
    let fingerprint = format!("{hash:016x}:{number}");
    Result {
        rule_id: finding.rule.id(),
        rule_index: rules.iter().position(|rule| *rule == finding.rule).unwrap_or_default(),
        level: level(finding.severity),
        message: Text::new(&finding.message),
        locations: [Location { physical_location: place(&finding.range, sources) }],
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint)]),
        fixes: finding.fix.iter().map(|fix| fixed(&fix.description, &fix.edits, sources)).collect(),
        properties: Extent { np: &finding.np, ranks: &finding.ranks },
    }
}

/// What a finding has in common with the same finding after lines were added or removed elsewhere.
fn hash(finding: &Finding, sources: &Sources) -> u64 {
    let line = sources.lines(&finding.range.file, finding.range.line, finding.range.line);
    let line = line.map_or(finding.message.as_str(), |excerpt| excerpt.text.trim());
    let mut hasher = FnvHasher::default();
    for part in [finding.rule.id(), &*uri(&finding.range.file), line] {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    hasher.finish()
}

fn fixed<'a>(description: &'a str, edits: &'a [Edit], sources: &Sources) -> Fix<'a> {
    let mut files: BTreeMap<String, Vec<Replacement<'a>>> = BTreeMap::new();
    for edit in edits {
        files.entry(uri(&edit.range.file)).or_default().push(Replacement {
            deleted_region: region(&edit.range, sources),
            inserted_content: Text::new(&edit.text),
        });
    }
    let changes = files
        .into_iter()
        .map(|(uri, replacements)| Change { artifact_location: Artifact { uri }, replacements });
    Fix { description: Text::new(description), artifact_changes: changes.collect() }
}

fn notification(error: &InputError) -> Notification<'_> {
    Notification {
        level: if error.fatal { "error" } else { "warning" },
        message: Text::new(&error.message),
        locations: [FileOnly {
            physical_location: FilePlace { artifact_location: Artifact { uri: uri(&error.file) } },
        }],
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn place(range: &SourceRange, sources: &Sources) -> PhysicalLocation {
    PhysicalLocation { artifact_location: Artifact { uri: uri(&range.file) }, region: region(range, sources) }
}

fn region(range: &SourceRange, sources: &Sources) -> Region {
    let column = |line: u32, column: u32| sources.character(&range.file, line, column);
    Region {
        start_line: range.line,
        start_column: column(range.line, range.column),
        end_line: range.end_line,
        end_column: column(range.end_line, range.end_column),
    }
}

/// A path as a URI reference: relative ones stay relative.
fn uri(path: &str) -> String {
    let mut encoded = String::new();
    for component in Path::new(path).components() {
        match component {
            Component::RootDir | Component::Prefix(_) => encoded.push_str("file://"),
            Component::CurDir => continue,
            Component::ParentDir | Component::Normal(_) => {}
        }
        if let Component::Normal(name) = component {
            let name = name.to_string_lossy();
            let name = utf8_percent_encode(&name, IN_PATH).to_string();
            // The first part of a relative path must not look like a scheme.
            let name = if encoded.is_empty() { name.replace(':', "%3A") } else { name };
            if !encoded.is_empty() {
                encoded.push('/');
            }
            encoded.push_str(&name);
        } else if component == Component::ParentDir {
            encoded.push_str(if encoded.is_empty() { ".." } else { "/.." });
        }
    }
    encoded
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation<'a>; 1],
    column_kind: &'static str,
    results: Vec<Result<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'a str,
    information_uri: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Text<'static>,
    full_description: Text<'static>,
    help: Help,
    default_configuration: Configuration,
    properties: Tags,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Tags {
    tags: [&'static str; 2],
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

impl<'a> Text<'a> {
    fn new(text: &'a str) -> Self {
        Self { text }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'static str,
    message: Text<'a>,
    locations: [FileOnly; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FileOnly {
    physical_location: FilePlace,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FilePlace {
    artifact_location: Artifact,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<'a>,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RelatedLocation<'a>>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix<'a>>,
    properties: Extent<'a>,
}

#[derive(Serialize)]
struct Extent<'a> {
    np: &'a str,
    ranks: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RelatedLocation<'a> {
    id: u32,
    physical_location: PhysicalLocation,
    message: Text<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'a> {
    description: Text<'a>,
    artifact_changes: Vec<Change<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    artifact_location: Artifact,
    replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Text<'a>,
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        for (path, expected) in [
            ("a.c", "a.c"),
            ("./src/a.c", "src/a.c"),
            ("../my code/50%.c", "../my%20code/50%25.c"),
            ("/home/me/a.c", "file:///home/me/a.c"),
            ("c:a.c", "c%3Aa.c"),
            ("x/ä.c", "x/%C3%A4.c"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}
