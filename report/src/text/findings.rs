//! One finding with its place in the source.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use analyzer::results::{Finding, Fix, Severity, SourceRange};

use super::clean;
use crate::sources::Sources;

/// A line longer than this is generated text; an excerpt of it helps nobody.
const LONGEST_LINE: usize = 2_000;

/// Related places further than this from the finding get an excerpt of their own, so that no long stretch of the file
/// has to be walked for two lines of it.
const SAME_EXCERPT: u32 = 2_000;

/// One finding as a few lines of text that end in a line feed. The first line stands alone: severity, rule, message.
#[must_use]
pub fn finding(finding: &Finding, sources: &Sources, width: usize) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(clean(&finding.message)).id(finding.rule.id());
    let mut group = excerpts(Group::with_title(title), finding, sources);
    if let Some(scope) = scope(finding) {
        group = group.element(Level::NOTE.message(scope));
    }
    let mut groups = vec![group];
    groups.extend(finding.fix.as_ref().map(|fix| fix_group(fix, sources)));
    let mut text = Renderer::styled().term_width(width).render(&groups);
    text.push('\n');
    text
}

/// For which runs a finding holds.
pub(crate) fn scope(finding: &Finding) -> Option<String> {
    let np = (!finding.np.is_empty()).then(|| format!("for {}", clean(&finding.np)));
    let ranks = (!finding.ranks.is_empty()).then(|| format!("on {}", ranks_phrase(&finding.ranks)));
    match (np, ranks) {
        (Some(np), Some(ranks)) => Some(format!("{np}, {ranks}")),
        (np, ranks) => np.or(ranks),
    }
}

/// `rank 0` for a set of one rank, `some ranks` where they are not known, `ranks [0..np-2]` otherwise; a condition on np stays behind it.
pub(super) fn ranks_phrase(ranks: &str) -> String {
    let ranks = clean(ranks);
    let (set, condition) = match ranks.split_once(" for ") {
        Some((set, condition)) => (set, format!(" for {condition}")),
        None => (ranks.as_str(), String::new()),
    };
    let bounds =
        set.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|rest| rest.split_once(".."));
    match bounds {
        Some((low, high)) if low == high => format!("rank {low}{condition}"),
        // Words of the analysis: which ranks is not known.
        None if set.starts_with("some ranks") => format!("{set}{condition}"),
        _ => format!("ranks {set}{condition}"),
    }
}

/// Adds the finding's own excerpt, with the related places it can show, then those of the other related places.
fn excerpts<'a>(mut group: Group<'a>, finding: &'a Finding, sources: &'a Sources) -> Group<'a> {
    let (near, far): (Vec<_>, Vec<_>) = finding.related.iter().partition(|related| {
        related.range.file == finding.range.file
            && related.range.line.abs_diff(finding.range.line) <= SAME_EXCERPT
    });
    let mut marks = vec![Mark { range: &finding.range, label: None, kind: AnnotationKind::Primary }];
    marks.extend(near.iter().map(|related| Mark::context(&related.range, &related.message)));
    group = excerpt(group, &marks, sources);
    for related in far {
        group = excerpt(group, &[Mark::context(&related.range, &related.message)], sources);
    }
    group
}

/// A place to underline.
struct Mark<'a> {
    range: &'a SourceRange,
    label: Option<&'a str>,
    kind: AnnotationKind,
}

impl<'a> Mark<'a> {
    fn context(range: &'a SourceRange, label: &'a str) -> Self {
        Self { range, label: Some(label), kind: AnnotationKind::Context }
    }

    fn annotation(&self, span: Range<usize>) -> Annotation<'a> {
        let annotation = self.kind.span(span);
        match self.label {
            Some(label) => annotation.label(clean(label)),
            None => annotation,
        }
    }
}

/// One excerpt of one file; without its text, the bare places.
fn excerpt<'a>(mut group: Group<'a>, marks: &[Mark<'a>], sources: &'a Sources) -> Group<'a> {
    let file = &marks[0].range.file;
    let first = marks.iter().map(|mark| mark.range.line).min().unwrap_or(1);
    let last = marks.iter().map(|mark| mark.range.end_line.max(mark.range.line)).max().unwrap_or(1);
    let lines = sources.lines(file, first, last);
    let readable = lines.filter(|lines| lines.text.lines().all(|line| line.len() <= LONGEST_LINE));
    if let Some(lines) = readable {
        let spans: Option<Vec<_>> = marks.iter().map(|mark| lines.span(mark.range)).collect();
        if let Some(spans) = spans {
            let annotations = marks.iter().zip(spans).map(|(mark, span)| mark.annotation(span));
            return group.element(
                Snippet::source(lines.text)
                    .line_start(lines.first as usize)
                    .path(clean(file))
                    .annotations(annotations),
            );
        }
    }
    for mark in marks {
        group = group.element(
            Origin::path(clean(&mark.range.file))
                .line(mark.range.line as usize)
                .char_column(mark.range.column as usize),
        );
        if let Some(label) = mark.label {
            group = group.element(Level::NOTE.message(clean(label)));
        }
    }
    group
}

/// The edit that removes the finding, as a patch.
fn fix_group<'a>(fix: &'a Fix, sources: &'a Sources) -> Group<'a> {
    let mut group = Group::with_title(Level::HELP.secondary_title(clean(&fix.description)));
    for edit in &fix.edits {
        let lines = sources.lines(&edit.range.file, edit.range.line, edit.range.end_line);
        let spanned = lines.and_then(|lines| Some((lines, lines.span(&edit.range)?)));
        if let Some((lines, span)) = spanned {
            group = group.element(
                Snippet::source(lines.text)
                    .line_start(lines.first as usize)
                    .path(clean(&edit.range.file))
                    .patch(Patch::new(span, edit.text.as_str())),
            );
        }
    }
    group
}
