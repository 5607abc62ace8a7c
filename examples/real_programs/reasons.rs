//! Reasons for a verdict, without what makes each of them unique: lines, files, names and numbers.

use std::collections::BTreeMap;

/// A reason as it is counted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Its text, with `…` for names and `N` for numbers.
    pub(crate) text: String,
    /// The first name in it.
    pub(crate) name: Option<String>,
}

/// Takes places, names and numbers out of a reason.
pub(crate) fn kind(reason: &str) -> Kind {
    let reason =
        reason.split_once(": ").filter(|(place, _)| is_place(place)).map_or(reason, |(_, rest)| rest);
    let mut name = None;
    let mut text = String::new();
    // Every other piece stands between backquotes.
    for (index, piece) in reason.split('`').enumerate() {
        if index % 2 == 1 {
            name.get_or_insert_with(|| piece.to_owned());
            text.push_str("`…`");
        } else {
            text.push_str(&without_places(piece));
        }
    }
    Kind { text, name }
}

/// `line 12`, `a/b.c:12`.
fn is_place(text: &str) -> bool {
    let number = text.strip_prefix("line ").or_else(|| {
        let (file, number) = text.rsplit_once(':')?;
        (!file.contains(' ')).then_some(number)
    });
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Takes ` in line 12` and ` in a/b.c:12` out, and ` (np = 3)`, and puts `N` for other numbers. Spaces at either end stay.
fn without_places(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut kept: Vec<String> = Vec::new();
    let mut rest = words.as_slice();
    while let [word, after @ ..] = rest {
        rest = after;
        match (*word, after) {
            ("in" | "at", ["line", number, more @ ..]) if is_place(&format!("line {}", bare(number))) => {
                rest = more
            }
            ("in" | "at", [place, more @ ..]) if is_place(bare(place)) => rest = more,
            ("(np", ["=", number, more @ ..]) if number.ends_with(')') => rest = more,
            _ => kept.push(without_digits(word)),
        }
    }
    kept.join(" ")
}

fn bare(word: &str) -> &str {
    word.trim_end_matches([',', ';'])
}

/// `N` for each number.
fn without_digits(word: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in word.chars() {
        if c.is_ascii_digit() {
            if !inside {
                text.push('N');
            }
        } else {
            text.push(c);
        }
        inside = c.is_ascii_digit();
    }
    text
}

/// What there is to say about a kind of reason: why the analysis is right to stop there.
pub(crate) fn explanation(kind: &str) -> Option<&'static str> {
    EXPLANATIONS.iter().find(|(known, _)| *known == kind).map(|&(_, text)| text)
}

const EXPLANATIONS: &[(&str, &str)] = &[
    (
        "whether `…` is reached depends on data that may differ between ranks",
        "a branch decides who communicates, and what it asks is not known to be the same on all ranks.\n\
        Mostly that is data which each rank computes from its own part of the problem, or which it keeps in memory that is made piece by piece \
        (lists, tables that grow), of which the analysis does not tell the pieces apart.\n\
        Taking the branch for one that all ranks decide alike would give an exact answer that some inputs contradict, \
        and following both ways on each rank would report hangs that no run shows.",
    ),
    (
        "the time limit was reached",
        "the program has more paths than the walk could follow in the time given; it was not alone on the machine.\n\
        What was found until then is not the whole, and not said to be.",
    ),
    (
        "a call through a pointer may reach `…`, which communicates",
        "a driver or back end is chosen at run time and called through a table of functions in memory whose content is not known at the call.\n\
        One of the functions whose address is taken somewhere communicates; which of them is called decides what is sent.",
    ),
    (
        "`…` is not followed yet",
        "functions of MPI whose meaning is not modelled: windows that several ranks share, requests that the program completes itself, cancelling, of which the library decides whether it succeeds.\n\
        They change what later calls mean, so that passing over them would be a guess.",
    ),
    (
        "the communicator is not known here",
        "a communicator is read from memory of which the analysis has lost track, or comes from a parent process.\n\
        Who takes part in what follows is then open.",
    ),
];

/// How often a kind of reason occurs.
#[derive(Debug, Default)]
pub(crate) struct Count {
    /// Entry points that are not decided, and this is the first reason.
    pub(crate) unknown: usize,
    /// Entry points that are bounded, and this is the first reason.
    pub(crate) bounded: usize,
    /// Entry points with this among their reasons.
    pub(crate) named: usize,
    /// First names in it, where it is the first reason.
    pub(crate) names: BTreeMap<String, usize>,
    /// Packages, where it is the first reason.
    pub(crate) packages: BTreeMap<&'static str, usize>,
}

/// The largest counts first, as `a 3, b 2`; at most `most` of them.
pub(crate) fn top(counts: impl IntoIterator<Item = (impl AsRef<str>, usize)>, most: usize) -> String {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.as_ref().cmp(b.0.as_ref())));
    let left = counts.len().saturating_sub(most);
    let mut shown: Vec<_> =
        counts.iter().take(most).map(|(what, count)| format!("{} {count}", what.as_ref())).collect();
    if left > 0 {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_lose_their_places_names_and_numbers() {
        for (reason, text, name) in [
            (
                "hypre/src/utilities/printf.c:36: whether `hypre_MAlloc` in line 38 is reached depends on data",
                "whether `…` is reached depends on data",
                Some("hypre_MAlloc"),
            ),
            ("line 7: `MPI_Isend` is not followed yet", "`…` is not followed yet", Some("MPI_Isend")),
            (
                "a.c:1: some ranks wait in `MPI_Bcast` while others do not reach it (np = 3)",
                "some ranks wait in `…` while others do not reach it",
                Some("MPI_Bcast"),
            ),
            ("the time limit was reached", "the time limit was reached", None),
            ("every path ends the program early (np = 3)", "every path ends the program early", None),
            (
                "the general answer differs from the exploration of np = 12",
                "the general answer differs from the exploration of np = N",
                None,
            ),
            (
                "line 3: `f` may call `g`, which communicates",
                "`…` may call `…`, which communicates",
                Some("f"),
            ),
            ("whether `f` in x/y.c:9 is reached", "whether `…` is reached", Some("f")),
            ("note: this is no place", "note: this is no place", None),
        ] {
            assert_eq!(
                kind(reason),
                Kind { text: text.to_owned(), name: name.map(str::to_owned) },
                "{reason}"
            );
        }
    }

    #[test]
    fn the_top_is_sorted_and_says_when_there_is_more() {
        assert_eq!(top([("b", 1), ("a", 1), ("c", 5)], 2), "c 5, a 1, …");
        assert_eq!(top([("b", 1)], 2), "b 1");
    }
}
