//! JSON as `design.md` section 3 contracts it: names, nesting and order of the fields are an interface.

mod flow;
mod suggest;

use serde::Serialize;

use analyzer::results::{
    Channel, Collective, CollectiveInstance, Edit, Finding, Fix, Instance, Message, Pattern, ProgramReport,
    Related, Severity, Site, Verdict, VerdictKind,
};

use crate::outcome::{InputError, Outcome};

pub use suggest::suggestions;

/// Number of the format. It grows when a field changes its meaning, not when one is added.
pub const SCHEMA: u32 = 1;

/// What `anyrank lint --format json` prints.
///
/// # Errors
/// None in practice: all keys are strings and all numbers finite. The error is passed on rather than asserted away.
pub fn lint(outcome: &Outcome) -> serde_json::Result<String> {
    render(&LintView {
        schema: SCHEMA,
        findings: outcome.findings.iter().map(finding).collect(),
        programs: outcome.programs.iter().map(program).collect(),
        errors: outcome.errors.iter().map(error).collect(),
        flows: flow::all(outcome),
    })
}

/// What `anyrank topology --format json` prints.
///
/// # Errors
/// See [`lint`].
pub fn topology(outcome: &Outcome) -> serde_json::Result<String> {
    render(&TopologyView {
        schema: SCHEMA,
        programs: outcome.programs.iter().map(program_topology).collect(),
        errors: outcome.errors.iter().map(error).collect(),
    })
}

fn render(view: &impl Serialize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(view)?;
    text.push('\n');
    Ok(text)
}

#[derive(Serialize)]
struct LintView<'a> {
    schema: u32,
    findings: Vec<FindingView<'a>>,
    programs: Vec<ProgramView<'a>>,
    errors: Vec<ErrorView<'a>>,
    /// Only where sources and sinks were named.
    #[serde(skip_serializing_if = "Option::is_none")]
    flows: Option<Vec<flow::ProgramFlowView<'a>>>,
}

#[derive(Serialize)]
struct FindingView<'a> {
    rule: &'a str,
    severity: &'static str,
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    np: &'a str,
    ranks: &'a str,
    related: Vec<RelatedView<'a>>,
    fix: Option<FixView<'a>>,
}

#[derive(Serialize)]
struct RelatedView<'a> {
    file: &'a str,
    line: u32,
    message: &'a str,
}

#[derive(Serialize)]
struct FixView<'a> {
    description: &'a str,
    edits: Vec<EditView<'a>>,
}

#[derive(Serialize)]
struct EditView<'a> {
    file: &'a str,
    start: [u32; 2],
    end: [u32; 2],
    text: &'a str,
}

#[derive(Serialize)]
struct ProgramView<'a> {
    entry: &'a str,
    verdict: VerdictView<'a>,
    seconds: f64,
}

#[derive(Serialize)]
struct VerdictView<'a> {
    kind: &'static str,
    np: &'a str,
    assumptions: &'a [String],
    reasons: &'a [String],
    lengths: &'static str,
    length_reasons: &'a [String],
}

#[derive(Serialize)]
struct ErrorView<'a> {
    file: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct TopologyView<'a> {
    schema: u32,
    programs: Vec<ProgramTopologyView<'a>>,
    errors: Vec<ErrorView<'a>>,
}

#[derive(Serialize)]
struct ProgramTopologyView<'a> {
    entry: &'a str,
    verdict: VerdictView<'a>,
    channels: Vec<ChannelView<'a>>,
    collectives: Vec<CollectiveView<'a>>,
    patterns: Vec<PatternView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<InstanceView<'a>>,
    /// Only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<flow::FactsView<'a>>,
    /// Only where sources and sinks were named.
    #[serde(skip_serializing_if = "Option::is_none")]
    flows: Option<Vec<flow::FlowView<'a>>>,
}

#[derive(Serialize)]
struct SiteView<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    operation: &'a str,
}

#[derive(Serialize)]
struct ChannelView<'a> {
    send: SiteView<'a>,
    recv: SiteView<'a>,
    senders: &'a str,
    partner: &'a str,
    receivers: &'a str,
    source: &'a str,
    communicator: &'a str,
    tag: &'a str,
    count: &'a str,
    datatype: &'a str,
    repeat: &'a str,
}

#[derive(Serialize)]
struct CollectiveView<'a> {
    operation: &'a str,
    sites: Vec<SiteView<'a>>,
    ranks: &'a str,
    root: Option<&'a str>,
    communicator: &'a str,
    repeat: &'a str,
}

#[derive(Serialize)]
struct PatternView<'a> {
    name: &'a str,
    channels: &'a [usize],
}

#[derive(Serialize)]
struct InstanceView<'a> {
    np: u64,
    messages: Vec<MessageView<'a>>,
    collectives: Vec<CollectiveInstanceView<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    open: Vec<String>,
}

#[derive(Serialize)]
struct MessageView<'a> {
    from: u64,
    to: u64,
    send_line: u32,
    recv_line: u32,
    communicator: &'a str,
    tag: Option<i64>,
    count: Option<i64>,
    datatype: &'a str,
    bytes: Option<i64>,
    repeat: Option<i64>,
}

#[derive(Serialize)]
struct CollectiveInstanceView<'a> {
    operation: &'a str,
    line: u32,
    ranks: &'a [u64],
    root: Option<u64>,
    repeat: Option<i64>,
}

fn finding(finding: &Finding) -> FindingView<'_> {
    FindingView {
        rule: finding.rule.id(),
        severity: severity(finding.severity),
        message: &finding.message,
        file: &finding.range.file,
        line: finding.range.line,
        column: finding.range.column,
        end_line: finding.range.end_line,
        end_column: finding.range.end_column,
        np: &finding.np,
        ranks: &finding.ranks,
        related: finding.related.iter().map(related).collect(),
        fix: finding.fix.as_ref().map(fix),
    }
}

/// The contract's word for a severity.
#[must_use]
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn related(related: &Related) -> RelatedView<'_> {
    RelatedView { file: &related.range.file, line: related.range.line, message: &related.message }
}

fn fix(fix: &Fix) -> FixView<'_> {
    FixView { description: &fix.description, edits: fix.edits.iter().map(edit).collect() }
}

fn edit(edit: &Edit) -> EditView<'_> {
    EditView {
        file: &edit.range.file,
        start: [edit.range.line, edit.range.column],
        end: [edit.range.end_line, edit.range.end_column],
        text: &edit.text,
    }
}

fn program(program: &ProgramReport) -> ProgramView<'_> {
    // Microseconds are all that a wall clock is good for.
    let seconds = (program.seconds * 1e6).round() / 1e6;
    ProgramView { entry: &program.entry, verdict: verdict(&program.verdict), seconds }
}

fn verdict(verdict: &Verdict) -> VerdictView<'_> {
    VerdictView {
        kind: verdict_kind(verdict.kind),
        np: &verdict.np,
        assumptions: &verdict.assumptions,
        reasons: &verdict.reasons,
        lengths: verdict.lengths.word(),
        length_reasons: verdict.lengths.reasons(),
    }
}

/// The contract's word for a kind of verdict.
#[must_use]
pub fn verdict_kind(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Exact => "exact",
        VerdictKind::Bounded => "bounded",
        VerdictKind::Unknown => "unknown",
    }
}

fn error(error: &InputError) -> ErrorView<'_> {
    ErrorView { file: &error.file, message: &error.message }
}

fn program_topology(program: &ProgramReport) -> ProgramTopologyView<'_> {
    let topology = &program.topology;
    ProgramTopologyView {
        entry: &program.entry,
        verdict: verdict(&program.verdict),
        channels: topology.channels.iter().map(channel).collect(),
        collectives: topology.collectives.iter().map(collective).collect(),
        patterns: topology.patterns.iter().map(pattern).collect(),
        instance: topology.instance.as_ref().map(instance),
        facts: flow::facts(program),
        flows: program.flows.as_ref().map(|flows| flows.iter().map(flow::flow).collect()),
    }
}

fn site(site: &Site) -> SiteView<'_> {
    SiteView {
        file: &site.range.file,
        line: site.range.line,
        column: site.range.column,
        function: &site.function,
        operation: &site.operation,
    }
}

fn channel(channel: &Channel) -> ChannelView<'_> {
    ChannelView {
        send: site(&channel.send),
        recv: site(&channel.recv),
        senders: &channel.senders,
        partner: &channel.partner,
        receivers: &channel.receivers,
        source: &channel.source,
        communicator: &channel.communicator,
        tag: &channel.tag,
        count: &channel.count,
        datatype: &channel.datatype,
        repeat: &channel.repeat,
    }
}

fn collective(collective: &Collective) -> CollectiveView<'_> {
    CollectiveView {
        operation: &collective.operation,
        sites: collective.sites.iter().map(site).collect(),
        ranks: &collective.ranks,
        root: collective.root.as_deref(),
        communicator: &collective.communicator,
        repeat: &collective.repeat,
    }
}

fn pattern(pattern: &Pattern) -> PatternView<'_> {
    PatternView { name: &pattern.name, channels: &pattern.channels }
}

fn instance(instance: &Instance) -> InstanceView<'_> {
    InstanceView {
        np: instance.np,
        messages: instance.messages.iter().map(message).collect(),
        collectives: instance.collectives.iter().map(collective_instance).collect(),
        open: instance.open_reasons(),
    }
}

fn message(message: &Message) -> MessageView<'_> {
    MessageView {
        from: message.from,
        to: message.to,
        send_line: message.send_line,
        recv_line: message.recv_line,
        communicator: &message.communicator,
        tag: message.tag,
        count: message.count,
        datatype: &message.datatype,
        bytes: message.bytes,
        repeat: message.repeat,
    }
}

fn collective_instance(collective: &CollectiveInstance) -> CollectiveInstanceView<'_> {
    CollectiveInstanceView {
        operation: &collective.operation,
        line: collective.line,
        ranks: &collective.ranks,
        root: collective.root,
        repeat: collective.repeat,
    }
}
