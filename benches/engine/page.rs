//! What was measured, as a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use analyzer::results::VerdictKind;

use crate::{Measured, Subject};

/// So many of the slowest programs of the corpus are listed, besides those above their limit.
const SLOWEST: usize = 5;

/// How long it may take.
fn limit(subject: &Subject) -> Option<Duration> {
    match subject {
        Subject::Symbolic(name) if name == "fanout_broadcast" => Some(Duration::from_millis(5)),
        Subject::Symbolic(_) | Subject::Fixed(_) => Some(Duration::from_secs(1)),
        Subject::Large => Some(Duration::from_secs(2)),
        Subject::Grown(..) => None,
    }
}

/// Whether something is measured against a target.
type Belongs<'a> = &'a dyn Fn(&Subject) -> bool;

/// The whole page.
pub(crate) fn page(measured: &BTreeMap<Subject, Measured>) -> String {
    let mut text = String::from(
        "# How long the engine takes\n\n\
        `make engine-times` writes this page with the bench `engine`, which says what is measured.\n\
        Times are those of the fastest of a few runs, on a processor, without reading the program.\n",
    );
    targets(measured, &mut text);
    growth(measured, &mut text);
    text
}

fn targets(measured: &BTreeMap<Subject, Measured>, text: &mut String) {
    let _ = writeln!(
        text,
        "\n## Against the targets\n\n| what | programs | limit | within | slowest | which |\n|---|---|---|---|---|---|"
    );
    let fan_out = |s: &Subject| matches!(s, Subject::Symbolic(name) if name == "fanout_broadcast");
    let groups: [(&str, Belongs); 4] = [
        ("a hand-written broadcast, any number of processes", &fan_out),
        ("other programs of the corpus, any number of processes", &|s| {
            matches!(s, Subject::Symbolic(_)) && !fan_out(s)
        }),
        ("programs of the corpus, 2 to 5 processes", &|s| matches!(s, Subject::Fixed(_))),
        ("500 lines with 200 variables in each process set", &|s| *s == Subject::Large),
    ];
    for (title, belongs) in groups {
        let members: Vec<_> = measured.iter().filter(|(subject, _)| belongs(subject)).collect();
        let Some((slowest, most)) = members.iter().max_by_key(|(_, one)| one.fastest) else { continue };
        let Some(limit) = limit(slowest) else { continue };
        let within = members.iter().filter(|(_, one)| one.fastest <= limit).count();
        let (count, name) = (members.len(), slowest.name());
        let _ = writeln!(
            text,
            "| {title} | {count} | {} | {within} | {} | {name} |",
            time(limit),
            time(most.fastest)
        );
    }
    let mut ranked: Vec<_> = measured.iter().filter(|(subject, _)| limit(subject).is_some()).collect();
    ranked.sort_by_key(|(_, one)| std::cmp::Reverse(one.fastest));
    let is_over =
        |(subject, one): &(&Subject, &Measured)| limit(subject).is_some_and(|limit| limit < one.fastest);
    let over = ranked.iter().filter(|entry| is_over(entry)).count();
    let _ = writeln!(text, "\nThe slowest:\n\n| what | time | answer |\n|---|---|---|");
    for (subject, one) in ranked.iter().take(over + SLOWEST) {
        let _ = writeln!(text, "| {} | {} | {} |", subject.title(), time(one.fastest), one.answer());
    }
}

/// Each row against the one before it, so that the machine is left out of it.
fn growth(measured: &BTreeMap<Subject, Measured>, text: &mut String) {
    let mut tables: BTreeMap<&str, Vec<(usize, &Measured)>> = BTreeMap::new();
    for (subject, one) in measured {
        if let Subject::Grown(what, size) = subject {
            tables.entry(what).or_default().push((*size, one));
        }
    }
    let _ = writeln!(
        text,
        "\n## Growth\n\n\
        Generated programs, for any number of processes.\n\
        The exponent is that of the power with which time grows from the row before: 1 is proportional, 2 quadratic."
    );
    for (what, rows) in tables {
        let _ = writeln!(text, "\n| {what} | time | exponent | answer |\n|---|---|---|---|");
        let mut before: Option<(usize, f64)> = None;
        for (size, one) in rows {
            let seconds = one.fastest.as_secs_f64();
            let exponent = before.map_or(String::new(), |(smaller, less)| {
                format!("{:.1}", (seconds / less).ln() / (size as f64 / smaller as f64).ln())
            });
            let _ = writeln!(text, "| {size} | {} | {exponent} | {} |", time(one.fastest), one.answer());
            before = Some((size, seconds));
        }
    }
}

impl Subject {
    fn name(&self) -> &str {
        match self {
            Self::Symbolic(name) | Self::Fixed(name) => name,
            Self::Large => "500 lines",
            Self::Grown(what, _) => what,
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Symbolic(name) => format!("{name}, any number of processes"),
            Self::Fixed(name) => format!("{name}, 2 to 5 processes"),
            Self::Large => "500 lines with 200 variables in each process set".to_owned(),
            Self::Grown(what, size) => format!("{what} {size}"),
        }
    }
}

impl Measured {
    /// The time of an analysis that gave up says little.
    fn answer(&self) -> String {
        let because = self.answer.reason.as_deref().map_or(String::new(), |reason| format!(": {reason}"));
        match self.answer.kind {
            VerdictKind::Exact => "exact".to_owned(),
            VerdictKind::Bounded => format!("bounded{because}"),
            VerdictKind::Unknown => format!("not decided{because}"),
        }
    }
}

fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{:.1} ms", 1000.0 * seconds) } else { format!("{seconds:.2} s") }
}
