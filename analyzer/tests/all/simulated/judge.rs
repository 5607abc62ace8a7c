//! What the analysis says of a program against what a simulator of MPI says.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use analyzer::results::{Finding, Instance, Message, ProgramReport, Severity, VerdictKind};
use analyzer::{NpChoice, Options, analyze_program};
use effort::Limits;
use frontend::preprocess::{Request, preprocess};
use frontend::program::{Program, link};
use simulator::{Ended, Executable, FailureKind, Joint, Order, Outcome, Sent, Setting};

/// Numbers of processes at which all is compared.
pub(crate) const COMPARED: std::ops::RangeInclusive<u64> = 1..=7;
/// Further ones at which a defect may show that is reported for any number.
const SHOWN: [u64; 5] = [8, 9, 12, 16, 20];
/// The largest number at which a finding is looked for that names none of these.
const NAMED: u64 = 40;
/// Work for an answer, ample.
pub(crate) const LIMIT: Limits = Limits::of_seconds(10);
/// The same in a run of the test suite; answers that need more are looked at where more programs are wanted.
pub(crate) const SHORT_LIMIT: Limits = Limits::of_work(Limits::RATE / 4);

/// A disagreement.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// Of which kind.
    pub(crate) kind: String,
    /// What differs.
    pub(crate) details: String,
}

/// What is of interest where both agree.
#[derive(Clone, Debug)]
pub(crate) struct Agreement {
    /// Whether the program is right at all numbers of processes that were tried.
    pub(crate) is_right: bool,
    /// Whether it is decided for any number of processes.
    pub(crate) is_exact: bool,
    /// Whether it is decided for the compared numbers.
    pub(crate) is_answered: bool,
    /// Why not.
    pub(crate) reasons: Vec<String>,
}

/// Messages and collectives of a run, and how many of each.
type Counted = (BTreeMap<Sent, i64>, BTreeMap<Joint, i64>);

/// The runs with one number of processes.
struct Runs {
    /// With buffering, in several orders.
    buffered: Vec<Outcome>,
    /// Without.
    unbuffered: Vec<Outcome>,
}

impl Runs {
    fn new(executable: &Executable, np: u64) -> Self {
        let np = usize::try_from(np).expect("small numbers");
        let one = |buffered, order| simulator::run(executable, Setting { np, buffered, order });
        let orders = [Order::InTurn, Order::Random(1), Order::Random(2), Order::Random(3)];
        Self {
            buffered: orders.iter().map(|order| one(true, *order)).collect(),
            unbuffered: orders.iter().take(3).map(|order| one(false, *order)).collect(),
        }
    }

    /// Whether nothing can be said of the program: what it does is not defined, or takes too long.
    fn is_open(&self) -> bool {
        self.buffered.iter().chain(&self.unbuffered).any(|run| match &run.ended {
            Ended::TooLong | Ended::Aborted => true,
            Ended::Failed(failure) => failure.kind == FailureKind::Undefined,
            _ => false,
        })
    }

    fn is_right(&self) -> bool {
        self.buffered.iter().all(Outcome::is_right)
    }

    /// Whether it hangs for want of buffers only.
    fn is_unsafe(&self) -> bool {
        self.is_right() && self.unbuffered.iter().any(|run| matches!(run.ended, Ended::Hang(_)))
    }

    /// Messages and collectives, where they are the same in each order.
    fn picture(&self) -> Option<Counted> {
        let of = |run: &Outcome| -> Counted {
            let messages = run.message_counts().into_iter().map(|(m, n)| (m.clone(), n)).collect();
            (messages, run.collective_counts().into_iter().map(|(c, n)| (c.clone(), n)).collect())
        };
        let first = of(&self.buffered[0]);
        self.buffered[1..].iter().all(|run| of(run) == first).then_some(first)
    }

    fn worst(&self) -> String {
        let bad = self.buffered.iter().find(|run| !run.is_right()).unwrap_or(&self.buffered[0]);
        format!(
            "{:?}, unreceived {:?}, unserved {:?}, unwaited {:?}",
            bad.ended, bad.unreceived, bad.unserved, bad.unwaited
        )
    }
}

fn linked(text: &str) -> Program {
    let request = Request::new("generated.c").with_text(text);
    let preprocessed = preprocess(&request).expect("a generated program has nothing to stumble over");
    let unit =
        frontend::lower::lower(Path::new("generated.c"), preprocessed, &frontend::lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
    link(&[Arc::new(unit)]).remove(0)
}

/// Whether a list like `any np >= 2`, `np = 3`, `2..5`, `np = 1, 4` has a number; `None` where it is not understood.
fn covers(list: &str, np: u64) -> Option<bool> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    if let Some(rest) = list.strip_prefix("any np") {
        let rest = rest.trim();
        if rest.is_empty() {
            return Some(true);
        }
        return rest.strip_prefix(">=").and_then(number).map(|least| least <= np);
    }
    let list = list.strip_prefix("np = ").unwrap_or(list);
    let mut has = false;
    for part in list.split(',') {
        has |= match part.split_once("..") {
            Some((first, last)) => (number(first)?..=number(last)?).contains(&np),
            None => number(part)? == np,
        };
    }
    Some(has)
}

/// Rules that say that something does not come to its end, or is left over, or does not fit.
fn is_of_communication(finding: &Finding) -> bool {
    let rule = finding.rule.id();
    rule.starts_with("unmatched")
        || rule.ends_with("-mismatch") && rule != "op-mismatch"
        || matches!(rule, "deadlock" | "missing-collective" | "message-truncation")
}

fn is_defect(finding: &Finding) -> bool {
    !matches!(finding.rule.id(), "unsafe-send" | "message-race") && finding.severity != Severity::Note
}

/// Whether it says that the program is wrong; a note says so of a degenerate run.
fn says_wrong(finding: &Finding) -> bool {
    !finding.rule.id().starts_with("use-collective")
        && !matches!(
            finding.rule.id(),
            "unsafe-send" | "message-race" | "use-sendrecv" | "overlap-communication"
        )
}

/// Compares what is said of a program with what it does. `was_right` says that it was generated to be right.
pub(crate) fn judge(text: &str, was_right: bool, limits: Limits) -> Result<Agreement, Failure> {
    let parsed = simulator::parse::parse(text).expect("generated programs are parsed");
    let executable = simulator::compile(&parsed).expect("generated programs are understood");
    let runs: BTreeMap<u64, Runs> =
        COMPARED.chain(SHOWN).map(|np| (np, Runs::new(&executable, np))).collect();
    let is_right = runs.values().all(|runs| !runs.is_open() && runs.is_right());
    if was_right && !is_right {
        let (np, bad) = runs.iter().find(|(_, runs)| runs.is_open() || !runs.is_right()).expect("one is");
        return Err(Failure {
            kind: "simulator: a generated program is wrong".to_owned(),
            details: format!("np = {np}: {}", bad.worst()),
        });
    }
    let program = linked(text);
    let counts: Vec<u64> = COMPARED.collect();
    let any = analyze_program(
        &program,
        &Options { limits, instances: counts.clone(), is_checked: true, ..Options::default() },
    );
    check("any np", &any, &executable, &runs, is_right)?;
    let is_exact = any.verdict.kind == VerdictKind::Exact;
    let mut is_answered = is_exact;
    if !is_exact {
        let options =
            Options { np: NpChoice::Fixed(counts.clone()), limits, instances: counts, ..Options::default() };
        let fixed = analyze_program(&program, &options);
        check("fixed np", &fixed, &executable, &runs, is_right)?;
        is_answered = fixed.verdict.kind != VerdictKind::Unknown;
    }
    Ok(Agreement { is_right, is_exact, is_answered, reasons: any.verdict.reasons })
}

fn check(
    regime: &str,
    report: &ProgramReport,
    executable: &Executable,
    runs: &BTreeMap<u64, Runs>,
    is_right: bool,
) -> Result<(), Failure> {
    let said = || {
        let one = |f: &Finding| {
            format!(
                "  {:?} {} in line {}: {} ({}; {})\n",
                f.severity, f.rule, f.range.line, f.message, f.np, f.ranks
            )
        };
        let findings: String = report.findings.iter().map(one).collect();
        format!("verdict {:?}\n{findings}", report.verdict)
    };
    let failure = |kind: &str, details: String| {
        Err(Failure { kind: format!("{regime}: {kind}"), details: format!("{details}\n{}", said()) })
    };
    let is_open = runs.values().any(Runs::is_open);
    // A finding may name other numbers of processes only.
    let shown_elsewhere = |list: &str, shows: fn(&Runs) -> bool| {
        let named = |np: &u64| !runs.contains_key(np) && covers(list, *np) == Some(true);
        (1..=NAMED).filter(named).any(|np| shows(&Runs::new(executable, np)))
    };
    if let Some(finding) = report.findings.iter().find(|f| is_right && is_defect(f)) {
        return failure(&format!("a false {}", finding.rule), format!("in line {}", finding.range.line));
    }
    for finding in report.findings.iter().filter(|f| is_defect(f) && is_of_communication(f) && !is_open) {
        let shown = |np: &u64, runs: &Runs| covers(&finding.np, *np) != Some(false) && !runs.is_right();
        if !runs.iter().any(|(np, runs)| shown(np, runs))
            && !shown_elsewhere(&finding.np, |runs| !runs.is_right())
        {
            return failure(
                &format!("a {} that no run shows", finding.rule),
                format!("in line {}", finding.range.line),
            );
        }
        if let Some((np, _)) = runs.iter().find(|(np, runs)| {
            COMPARED.contains(np) && covers(&finding.np, **np) == Some(true) && runs.is_right()
        }) {
            return failure(
                &format!("a {} for a number of processes too many", finding.rule),
                format!("np = {np}, line {}", finding.range.line),
            );
        }
    }
    for finding in report.findings.iter().filter(|f| f.rule.id() == "unsafe-send" && !is_open) {
        // What a program with a mistake does without buffers may be hidden by the mistake.
        let shown = |(np, runs): (&u64, &Runs)| {
            covers(&finding.np, *np) != Some(false) && (runs.is_unsafe() || !runs.is_right())
        };
        if !runs.iter().any(shown)
            && !shown_elsewhere(&finding.np, |runs| runs.is_unsafe() || !runs.is_right())
        {
            return failure("a false unsafe-send", format!("in line {}", finding.range.line));
        }
    }
    let decides = |np: u64| match report.verdict.kind {
        VerdictKind::Unknown => false,
        VerdictKind::Exact | VerdictKind::Bounded => covers(&report.verdict.np, np) == Some(true),
    };
    let sends_are_open =
        report.verdict.reasons.iter().any(|reason| reason.starts_with("whether sends rely on buffers"));
    for (&np, runs) in
        runs.iter().filter(|(np, runs)| COMPARED.contains(np) && !runs.is_open() && decides(**np))
    {
        let named = |rule: fn(&Finding) -> bool| {
            report.findings.iter().any(|f| rule(f) && covers(&f.np, np) != Some(false))
        };
        let elsewhere = |rule: fn(&Finding) -> bool| {
            if report.findings.iter().any(rule) { " for this number of processes" } else { "" }
        };
        if !runs.is_right() {
            if !named(says_wrong) {
                let kind = format!("a missed defect{}", elsewhere(says_wrong));
                return failure(&kind, format!("np = {np}: {}", runs.worst()));
            }
            continue;
        }
        if runs.is_unsafe() && !named(|f| f.rule.id() == "unsafe-send") && !sends_are_open {
            let ended = runs.unbuffered.iter().map(|run| format!("{:?}", run.ended)).collect::<Vec<_>>();
            let kind = format!("a missed unsafe-send{}", elsewhere(|f| f.rule.id() == "unsafe-send"));
            return failure(&kind, format!("np = {np}: {}", ended.join("; ")));
        }
        let Some(picture) = runs.picture() else { continue };
        let Some(instance) = report.instances.iter().find(|instance| instance.np == np) else {
            if report.verdict.assumptions.is_empty() {
                return failure("no messages for a number of processes", format!("np = {np}"));
            }
            continue;
        };
        let differences = compare(&picture, instance, false);
        if !differences.is_empty() {
            let kind = if compare(&picture, instance, true).is_empty() {
                "numbers are left open"
            } else {
                "other messages"
            };
            return failure(kind, format!("np = {np}\n{}", differences.join("\n")));
        }
    }
    Ok(())
}

/// What differs. A number that the answer leaves open differs, too, since each is known here, unless it may be `open`.
fn compare(picture: &Counted, instance: &Instance, open: bool) -> Vec<String> {
    let mut differences = Vec::new();
    let is = |said: Option<i64>, number: i64| said.map_or(open, |said| said == number);
    // Those with open numbers last: they would take what belongs to one that is known.
    let mut messages: Vec<&Message> = instance.messages.iter().collect();
    messages.sort_by_key(|m| m.tag.is_none() || m.count.is_none());
    let mut left = picture.0.clone();
    for m in messages {
        let rank = |rank: u64| usize::try_from(rank).unwrap_or(usize::MAX);
        let fits = |s: &Sent| {
            (s.from, s.to, s.send_line, s.recv_line) == (rank(m.from), rank(m.to), m.send_line, m.recv_line)
                && is(m.tag, s.tag)
                && is(m.count, s.count)
                && is(m.bytes, s.bytes)
                && s.datatype.is_none_or(|datatype| datatype == m.datatype)
        };
        let found: Vec<Sent> = left.keys().filter(|s| fits(s)).cloned().collect();
        let times: i64 = found.iter().filter_map(|s| left.remove(s)).sum();
        if found.is_empty() || !is(m.repeat, times) {
            differences.push(format!("said and not so ({times} times): {m:?}"));
        }
    }
    differences.extend(left.iter().map(|(sent, times)| format!("not said, {times} times: {sent:?}")));
    let mut left: Vec<(Joint, i64)> = picture.1.iter().map(|(j, n)| (j.clone(), *n)).collect();
    for c in &instance.collectives {
        let mut ranks: Vec<usize> =
            c.ranks.iter().map(|rank| usize::try_from(*rank).unwrap_or(usize::MAX)).collect();
        ranks.sort_unstable();
        let root = c.root.and_then(|root| usize::try_from(root).ok());
        let mut times = 0;
        left.retain(|(j, n)| {
            let is = j.operation == c.operation
                && j.lines.contains(&c.line)
                && j.ranks == ranks
                && (j.root == root || (open && root.is_none()));
            times += if is { *n } else { 0 };
            !is
        });
        if times == 0 || !is(c.repeat, times) {
            differences.push(format!("said and not so ({times} times): {c:?}"));
        }
    }
    differences.extend(left.iter().map(|(joint, times)| format!("not said, {times} times: {joint:?}")));
    differences
}
