//! For which numbers of processes a finding is reported and on which ranks, against explorations of single numbers of processes.

use std::collections::BTreeSet;
use std::sync::Arc;

use analyzer::results::{Finding, ProgramReport, SourceRange, Verdict, VerdictKind};

/// Numbers of processes that are explored before an answer is given: one beyond may be left out of what is said.
const EXPLORED: u64 = 5;
/// Numbers of processes at which they are compared.
pub const COMPARED: std::ops::RangeInclusive<u64> = 1..=6;

/// Whether a general answer says anything of a number of processes: one of a few explored numbers says nothing of others.
pub fn is_decided(verdict: &Verdict, np: u64) -> bool {
    // Defects may have been looked for at some numbers only: then nothing is said of them at others.
    let only = verdict.reasons.iter().find_map(|reason| {
        reason.strip_prefix("defects besides waiting for ever were looked for at ")?.strip_suffix(" only")
    });
    match verdict.kind {
        VerdictKind::Exact => only.is_none_or(|only| holds(only, np) == Some(true)),
        VerdictKind::Bounded => holds(&verdict.np, np) == Some(true),
        VerdictKind::Unknown => false,
    }
}

/// Where the general answer and an exploration of one number of processes differ in where a defect shows; one line each.
///
/// `findings` are those of the general answer; an exploration that was not complete says nothing. What no exploration shows at all is
/// told of only where it holds for any number of processes (lists, small buffers): it is not compared.
pub fn compare(findings: &[Finding], runs: &[(u64, Arc<Vec<ProgramReport>>)]) -> Vec<String> {
    let shown = |finding: &Finding| {
        is_hang(finding.rule.id())
            || (runs.iter().flat_map(|(_, reports)| reports.iter()))
                .any(|run| run.findings.iter().any(|other| key(other) == key(finding)))
    };
    let compared: Vec<Finding> = findings.iter().filter(|finding| shown(finding)).cloned().collect();
    let each = runs.iter().flat_map(|(np, reports)| reports.iter().map(|explored| (*np, explored)));
    each.flat_map(|(np, explored)| compare_at(&compared, np, explored)).collect()
}

fn compare_at(findings: &[Finding], np: u64, explored: &ProgramReport) -> Vec<String> {
    if explored.verdict.kind == VerdictKind::Unknown {
        return Vec::new();
    }
    let mut differences = Vec::new();
    // What is found in single calls has no ranks; sends without buffers are no part of an exploration.
    let general: Vec<&Finding> =
        findings.iter().filter(|f| !f.ranks.is_empty() && f.rule.id() != "unsafe-send").collect();
    let claimed = |f: &&&Finding| holds(&f.np, np) != Some(false);
    let claims_hang = general.iter().filter(claimed).any(|f| is_hang(f.rule.id()));
    let shows_hang = explored.findings.iter().any(|f| is_hang(f.rule.id()));
    let same = |a: &Finding, b: &Finding| key(a) == key(b);
    // What single calls tell already is not told once more, and has no ranks.
    let told = |shown: &Finding| {
        let here = |f: &&Finding| {
            (f.rule, &f.range.file, f.range.line) == (shown.rule, &shown.range.file, shown.range.line)
        };
        findings.iter().filter(here).any(|f| f.ranks.is_empty())
    };
    for shown in explored.findings.iter().filter(|shown| !told(shown)) {
        let claims: Vec<&&Finding> = general.iter().filter(|f| same(f, shown) && claimed(f)).collect();
        let place = format!("{} of line {} at np = {np}", shown.rule.id(), shown.range.line);
        if claims.is_empty() {
            // Which of the calls is named where processes wait for ever may differ.
            if np <= EXPLORED && !(is_hang(shown.rule.id()) && claims_hang) {
                differences.push(format!("{place} shows, and is not reported"));
            }
            continue;
        }
        let ranks: Option<Vec<BTreeSet<i64>>> = claims.iter().map(|f| ranks_at(&f.ranks, np)).collect();
        if let (Some(ranks), Some(seen)) = (ranks, ranks_at(&shown.ranks, np)) {
            let ranks: BTreeSet<i64> = ranks.into_iter().flatten().collect();
            if ranks != seen {
                let texts: Vec<&str> = claims.iter().map(|f| f.ranks.as_str()).collect();
                let texts = texts.join(" and ");
                differences.push(format!("{place} shows on {seen:?}, and is reported on {texts}"));
            }
        }
    }
    let claims = general.iter().filter(|f| holds(&f.np, np) == Some(true));
    for claim in claims {
        let shows = explored.findings.iter().any(|f| same(f, claim));
        // What all paths have to agree about may stay open where each process is followed for itself.
        let of_all_paths = matches!(claim.rule.id(), "request-not-active" | "persistent-not-started");
        let elsewhere = is_hang(claim.rule.id()) && shows_hang;
        if !(shows || of_all_paths || elsewhere) {
            let (rule, line) = (claim.rule.id(), claim.range.line);
            differences.push(format!(
                "{rule} of line {line} does not show at np = {np}, but is said for {}",
                claim.np
            ));
        }
    }
    differences
}

fn key(finding: &Finding) -> (&str, &SourceRange) {
    (finding.rule.id(), &finding.range)
}

fn is_hang(rule: &str) -> bool {
    matches!(
        rule,
        "deadlock"
            | "unmatched-recv"
            | "missing-collective"
            | "collective-mismatch"
            | "tag-mismatch"
            | "communicator-mismatch"
            | "root-mismatch"
    )
}

/// Whether a text like `any even np >= 2`, `np = 2..5, 7` or `np = 3 and any np >= 5` names a number; `None` where it leaves that open.
pub fn holds(text: &str, np: u64) -> Option<bool> {
    let np = i64::try_from(np).ok()?;
    let mut open = false;
    // A range of even or odd numbers goes on over commas.
    for piece in text.split(" and ").flat_map(|part| part.split(", ")) {
        match piece_holds(piece.trim(), np) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => open = true,
        }
    }
    if open { None } else { Some(false) }
}

fn piece_holds(piece: &str, np: i64) -> Option<bool> {
    let (piece, remainders) = match piece.split_once(" with np % ") {
        Some((piece, rest)) => {
            let (period, rests) = rest.split_once(" = ")?;
            let (low, high) = rests.split_once("..").unwrap_or((rests, rests));
            (piece, Some((period.parse::<i64>().ok()?, low.parse::<i64>().ok()?, high.parse::<i64>().ok()?)))
        }
        None => (piece, None),
    };
    let fits = remainders.is_none_or(|(period, low, high)| (low..=high).contains(&(np % period)));
    let (piece, any) = match piece.strip_prefix("any ") {
        Some(rest) => (rest, true),
        None => (piece, false),
    };
    let (piece, fits) = match (piece.strip_prefix("even "), piece.strip_prefix("odd ")) {
        (Some(rest), _) => (rest, fits && np % 2 == 0),
        (_, Some(rest)) => (rest, fits && np % 2 == 1),
        _ => (piece, fits),
    };
    let in_range = if any {
        match piece.strip_prefix("np >= ") {
            Some(least) => least.parse::<i64>().ok()? <= np,
            None if piece == "np" => true,
            None => return None,
        }
    } else {
        let numbers = piece.strip_prefix("np = ").unwrap_or(piece);
        let (low, high) = numbers.split_once("..").unwrap_or((numbers, numbers));
        (low.parse::<i64>().ok()?..=high.parse::<i64>().ok()?).contains(&np)
    };
    Some(in_range && fits)
}

/// The ranks that a text like `[0..np-2], [3..np-1] step 2` names at one number of processes; `None` where it is of another form.
pub fn ranks_at(text: &str, np: u64) -> Option<BTreeSet<i64>> {
    let np = i64::try_from(np).ok()?;
    let mut ranks = BTreeSet::new();
    for part in text.split(", ") {
        let (bounds, step) = part.split_once(" step ").unwrap_or((part, "1"));
        let (low, high) = bounds.strip_prefix('[')?.strip_suffix(']')?.split_once("..")?;
        let step = step.parse::<usize>().ok().filter(|&step| step > 0)?;
        ranks.extend((number(low, np)?..=number(high, np)?).step_by(step));
    }
    Some(ranks)
}

/// The value of an expression of `np` with `+`, `-`, `*` and `/`.
fn number(text: &str, np: i64) -> Option<i64> {
    let mut rest = text.trim();
    let value = sum(&mut rest, np)?;
    rest.is_empty().then_some(value)
}

fn sum(rest: &mut &str, np: i64) -> Option<i64> {
    let mut value = product(rest, np)?;
    loop {
        let text = rest.trim_start();
        let sign = match text.chars().next() {
            Some('+') => 1,
            Some('-') => -1,
            _ => return Some(value),
        };
        *rest = &text[1..];
        value += sign * product(rest, np)?;
    }
}

fn product(rest: &mut &str, np: i64) -> Option<i64> {
    let mut value = factor(rest, np)?;
    loop {
        let text = rest.trim_start();
        let operator = text.chars().next().filter(|c| matches!(c, '*' | '/' | '%'));
        let Some(operator) = operator else { return Some(value) };
        *rest = &text[1..];
        let right = factor(rest, np)?;
        value = match operator {
            '*' => value.checked_mul(right)?,
            '/' => value.checked_div(right)?,
            _ => value.checked_rem(right)?,
        };
    }
}

fn factor(rest: &mut &str, np: i64) -> Option<i64> {
    let text = rest.trim_start();
    if let Some(inner) = text.strip_prefix('(') {
        *rest = inner;
        let value = sum(rest, np)?;
        *rest = rest.trim_start().strip_prefix(')')?;
        return Some(value);
    }
    if let Some(after) = text.strip_prefix("np") {
        *rest = after;
        return Some(np);
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let value = text[..end].parse().ok()?;
    *rest = &text[end..];
    Some(value)
}
