//! One program, three answers: the symbolic one, that of an exploration of one number of processes, and what the program does by
//! construction.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use analyzer::engine::explore_at;
use analyzer::results::{ProgramReport, VerdictKind};
use analyzer::{NpChoice, Options, analyze_program};
use effort::Limits;
use frontend::preprocess::{Request, preprocess};
use frontend::program::{Program, link};

use super::effects::{Effects, Picture};
use super::phase::Written;

/// Time for an exploration of one number of processes, ample: nearly all must come to an end.
const EXPLORED_LIMIT: Limits = Limits::of_seconds(2);
/// Time for one that an exact answer is to be compared with, if the other one was not enough.
const LONG_LIMIT: Limits = Limits::of_seconds(30);
/// Numbers of processes up to which a defect may show that is reported for any number.
const SHOWN: i64 = 24;

/// The largest number of processes that is explored although nothing is compared with it, only to see that it comes to an end.
const ALONE: i64 = 8;

/// A disagreement.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// Which of the answers disagree, and on what.
    pub(crate) kind: String,
    pub(crate) np: i64,
    pub(crate) details: String,
}

/// What is of interest about a program on which all agree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agreement {
    /// Whether the symbolic analysis answered.
    pub(crate) exact: bool,
    /// Why not.
    pub(crate) reasons: Vec<String>,
    /// Whether the explorations came to their ends.
    pub(crate) explored: bool,
    /// Whether an exact answer was compared with nothing at some number of processes: no exploration came to its end, and it is not known
    /// what the program does there.
    pub(crate) alone: bool,
    /// Numbers that the symbolic answer leaves open although they are known.
    pub(crate) left_open: usize,
}

fn program(text: &str) -> Program {
    let request = Request::new("generated.c").with_text(text);
    let preprocessed = preprocess(&request).expect("a generated program has nothing to stumble over");
    let unit =
        frontend::lower::lower(Path::new("generated.c"), preprocessed, &frontend::lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
    link(&[Arc::new(unit)]).remove(0)
}

/// Rules and lines. When processes wait forever, which of them is named first may differ between ranges and single ranks.
fn defects(report: &ProgramReport) -> BTreeSet<(&'static str, u32)> {
    let one = |f: &analyzer::results::Finding| match f.rule.id() {
        "deadlock" | "unmatched-recv" => ("hang", 0),
        "unsafe-send" => ("unsafe-send", 0),
        rule => (rule, f.range.line),
    };
    report.findings.iter().map(one).collect()
}

fn picture(report: &ProgramReport) -> Option<Picture> {
    report.topology.instance.as_ref().map(Picture::of_instance)
}

/// Compares the answers at some numbers of processes. `limits` are for each answer, half of them for the symbolic attempt: a program that
/// needs more is not exact.
pub(crate) fn compare(written: &Written, counts: &[i64], limits: Limits) -> Result<Agreement, Failure> {
    let program = program(&written.text);
    let mut agreement = Agreement { exact: true, explored: true, ..Agreement::default() };
    for (index, &np) in counts.iter().enumerate() {
        let choice = if index == 0 { NpChoice::Any } else { NpChoice::Fixed(vec![np.unsigned_abs()]) };
        let any = choice == NpChoice::Any;
        if !agreement.exact && !written.is_right && np > ALONE && !super::is_long() {
            continue;
        }
        let options = Options {
            np: choice,
            limits,
            instance: Some(np.unsigned_abs()),
            is_checked: true,
            ..Options::default()
        };
        let failure = |kind: &str, details: String| Failure { kind: kind.to_owned(), np, details };
        let mut explored = explore_at(&program, np.unsigned_abs(), EXPLORED_LIMIT);
        let mut complete = explored.verdict.kind == VerdictKind::Bounded;
        let before = agreement.explored;
        agreement.explored &= complete;
        let expected = written.is_right.then(|| written.effects(np));
        if let Some(expected) = expected.as_ref().filter(|_| complete) {
            check(&explored, np, expected, written, false, |_| false)
                .map_err(|(kind, details)| failure(&format!("explored: {kind}"), details))?;
        }
        if !agreement.exact && index > 0 {
            continue;
        }
        let symbolic = analyze_program(&program, &options);
        let early = format!("every path ends the program early (np = {np})");
        if symbolic.verdict.reasons.contains(&early) {
            if explored.verdict.reasons.contains(&early) {
                continue;
            }
            return Err(failure("symbolic: ends early", format!("{:?}", explored.verdict)));
        }
        if symbolic.verdict.kind != VerdictKind::Exact {
            agreement.exact = false;
            agreement.reasons.clone_from(&symbolic.verdict.reasons);
            if symbolic.verdict.kind == VerdictKind::Unknown {
                continue;
            }
        }
        if let Some(expected) = &expected {
            let shown = |property: fn(&Effects) -> bool| {
                any && (1..=SHOWN).chain([np]).any(|np| property(&written.effects(np)))
            };
            let may_show = |rule: &str| match rule {
                "hang" => shown(|e| e.hangs),
                _ => shown(|e| e.is_unsafe),
            };
            check(&symbolic, np, expected, written, !any, may_show)
                .map_err(|(kind, details)| failure(&format!("symbolic: {kind}"), details))?;
            if agreement.exact
                && let Some(answer) = picture(&symbolic)
            {
                agreement.left_open += Picture::of_effects(expected, &written.lines).left_open_by(&answer);
            }
        }
        if !agreement.exact {
            continue;
        }
        if !complete {
            // An exact answer is worth a longer look.
            explored = explore_at(&program, np.unsigned_abs(), LONG_LIMIT);
            complete = explored.verdict.kind == VerdictKind::Bounded;
            agreement.explored = before && complete;
        }
        if !complete {
            // What the program does by construction is another answer, if there are messages to compare with it.
            agreement.alone |= expected.is_none() || picture(&symbolic).is_none();
            // No answer contradicts nothing; how often there is none is looked at for all programs together.
            continue;
        }
        if !any {
            let (mut a, b) = (defects(&symbolic), defects(&explored));
            a.remove(&("unsafe-send", 0));
            if a != b {
                let details = format!("symbolic {a:?}\nexplored {b:?}");
                return Err(failure("symbolic against explored: findings", details));
            }
        }
        match (picture(&symbolic), picture(&explored)) {
            (Some(answer), Some(is)) if !is.is_answered_by(&answer) => {
                let details = format!("symbolic {answer:?}\nexplored {is:?}");
                return Err(failure("symbolic against explored: messages", details));
            }
            // No answer at this np is only right where the program is in error there.
            (None, _) if explored.findings.is_empty() => {
                return Err(failure("symbolic: no instance", format!("{:?}", symbolic.verdict)));
            }
            _ => {}
        }
    }
    Ok(agreement)
}

/// Whether a list like `2..5` or `1, 2, 4` has a number.
fn is_listed(list: &str, np: i64) -> bool {
    let number = |text: &str| text.trim().parse::<i64>().expect("the verdict lists numbers");
    list.split(',').any(|part| match part.split_once("..") {
        Some((first, last)) => (number(first)..=number(last)).contains(&np),
        None => number(part) == np,
    })
}

/// Compares an answer at one number of processes with what the program does by construction. What `may_show` is allowed to be reported.
fn check(
    report: &ProgramReport,
    np: i64,
    expected: &Effects,
    written: &Written,
    judges_sends: bool,
    may_show: impl Fn(&str) -> bool,
) -> Result<(), (&'static str, String)> {
    let text = || format!("{:?}", report.findings);
    let found = defects(report);
    for (rule, is) in [("hang", expected.hangs), ("unsafe-send", expected.is_unsafe && !expected.hangs)] {
        let said = found.contains(&(rule, 0));
        if said && !is && !may_show(rule) {
            return Err((if rule == "hang" { "a false hang" } else { "a false unsafe-send" }, text()));
        }
        // Where not all numbers of processes could be explored, the answer is for the others.
        let answered = report.verdict.kind != VerdictKind::Bounded || is_listed(&report.verdict.np, np);
        if rule == "hang" && is && !said && answered {
            return Err(("a missed hang", text()));
        }
        // Sends are looked at last; where time is up, that is left out and said.
        let is_open = || {
            report.verdict.reasons.iter().any(|reason| reason.starts_with("whether sends rely on buffers"))
        };
        if judges_sends && is && !said && !is_open() {
            return Err(("a missed unsafe-send", text()));
        }
    }
    // Where the program hangs, for whatever number of processes, messages are left over.
    let is_left_over = |rule: &str| rule.starts_with("unmatched") && may_show("hang");
    let others = found.iter().filter(|(rule, _)| !matches!(*rule, "hang" | "unsafe-send"));
    if others.clone().any(|(rule, _)| !is_left_over(rule)) && !expected.hangs {
        return Err(("a false alarm", text()));
    }
    if expected.hangs {
        return Ok(());
    }
    let is = Picture::of_effects(expected, &written.lines);
    match picture(report) {
        Some(answer) if !is.is_answered_by(&answer) => {
            Err(("messages against construction", format!("said {answer:?}\nis   {is:?}")))
        }
        _ => Ok(()),
    }
}
