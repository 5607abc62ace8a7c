//! What a program's section shows of one number of processes after the other: the slider, and pictures that it chooses.

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};

use analyzer::results::Instance;

use super::program::{Place, Shown, ends, ends_of};
use super::source;
use crate::cells::{cells, total};
use crate::svg::{self, Measure, Picture};

/// The number of processes that is shown first: the pattern is seen, and each rank has a number.
const FIRST: u64 = 8;

/// So many numbers of processes that are not shown are named one by one.
const NAMED: usize = 12;

impl Shown<'_> {
    /// The slider and what it chooses.
    pub(super) fn at_np(&self) -> Markup {
        let first = self.instances.iter().rposition(|instance| instance.np <= FIRST).unwrap_or(0);
        let Some(shown) = self.instances.get(first) else {
            return html! {
                h3 { "At a chosen number of processes" }
                p { (self.availability()) }
            };
        };
        let id = format!("p{}", self.index);
        let last = shown.np.saturating_sub(1);
        let silent = self.instances.iter().all(|instance| instance.messages.is_empty());
        html! {
            h3 { "At a chosen number of processes" }
            div.controls {
                label for={ (id) "-np" } { "Processes" }
                input.np type="range" id={ (id) "-np" } min="0" max=(self.instances.len() - 1) value=(first) step="1"
                    aria-valuetext={ "np = " (shown.np) } list={ (id) "-nps" };
                datalist id={ (id) "-nps" } {
                    @for (index, instance) in self.instances.iter().enumerate() {
                        option value=(index) label=(instance.np) {}
                    }
                }
                label { "or exactly " input.exact type="number" min="1" max="1000000" value=(shown.np) aria-describedby={ (id) "-near" }; }
                output for={ (id) "-np" } { (sum(shown)) }
                span.near role="status" id={ (id) "-near" } {}
                fieldset hidden[silent] {
                    legend { "Shade by" }
                    label { input type="radio" name={ (id) "-measure" } value="messages" checked; " messages" }
                    label { input type="radio" name={ (id) "-measure" } value="bytes"; " bytes" }
                }
            }
            p.caption { (self.availability()) }
            div.instance { (pictures(shown, &self.program.entry)) }
            form.pick hidden[silent] {
                label { "From rank " input.from type="number" min="0" max=(last) value="0" required; }
                label { "to rank " input.to type="number" min="0" max=(last) value="0" required; }
                button type="submit" { "Show messages" }
                span.caption { "or click a cell or an arrow; in the matrix, arrow keys move and Enter shows" }
            }
            div.detail role="status" {}
            details.list hidden[silent] { summary { "All messages in words" } ul.lines {} }
            @for instance in &self.instances {
                template data-np=(instance.np) data-sum=(sum(instance)) { (pictures(instance, &self.program.entry)) }
            }
            div hidden {
                @for (send, recv) in self.other_ends() {
                    div id=(self.sides_id((send, recv))) { (source::sides(self.sources, send, recv)) }
                }
            }
        }
    }

    /// Which numbers of processes there are, and why not others.
    fn availability(&self) -> String {
        let here: Vec<u64> = self.instances.iter().map(|instance| instance.np).collect();
        let is_missing = |np: &u64| !here.contains(np) && !self.too_many.contains(np);
        let missing: Vec<u64> = self.wanted.iter().copied().filter(is_missing).collect();
        let mut text = if here.is_empty() {
            "There are no messages to show.".to_owned()
        } else {
            format!("The page has np = {}; anyrank topology --np writes one with others.", list(&here))
        };
        let nowhere = match missing.len() {
            0 => None,
            1..=NAMED => Some(format!("np = {}", list(&missing))),
            more => Some(format!("{more} other numbers that were tried")),
        };
        if let Some(nowhere) = nowhere {
            text.push_str(&format!(
                " Nothing is shown at {nowhere}: the answer does not hold there, who communicates depends on input, or the time \
                 limit was reached."
            ));
        }
        if !self.too_many.is_empty() {
            text.push_str(&format!(
                " At np = {} there are too many messages for a page; --format json has them.",
                list(&self.too_many)
            ));
        }
        text
    }

    /// Calls of messages that no channel has (where channels are those of another number of processes).
    fn other_ends(&self) -> BTreeSet<(Place<'_>, Place<'_>)> {
        let known: BTreeSet<_> = self.program.topology.channels.iter().map(ends).collect();
        let messages = self.instances.iter().flat_map(|instance| &instance.messages);
        messages.map(ends_of).filter(|ends| !known.contains(ends)).collect()
    }
}

/// `1 to 64, 72, 80`: ascending numbers, three or more that follow each other as a range.
fn list(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let told = runs.flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        few => few.iter().map(u64::to_string).collect(),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// `np = 8: 21 messages, 168 bytes`.
fn sum(instance: &Instance) -> String {
    let total = total(&cells(instance));
    format!("np = {}: {}, {}", instance.np, total.messages.phrase("message"), total.bytes.phrase("byte"))
}

/// Everything that depends on the number of processes.
fn pictures(instance: &Instance, entry: &str) -> Markup {
    let drawn = |picture: Option<Picture>| picture.map(|picture| PreEscaped(picture.node.to_string()));
    html! {
        @if instance.messages.is_empty() {
            p { "There are no messages from rank to rank at np = " (instance.np) "." }
        } @else {
            div.pair {
                @for measure in [Measure::Messages, Measure::Bytes] {
                    div.matrix data-measure={ (measure.noun()) "s" } {
                        @match drawn(svg::matrix(instance, measure)) {
                            Some(picture) => {
                                // Keys are the page's own here, so that arrow keys reach it from a screen reader.
                                div.board tabindex="0" role="application"
                                    aria-label={ "Matrix of " (measure.noun()) "s at np = " (instance.np) "; arrow keys move from cell to cell, Enter shows the messages" } {
                                    (picture)
                                }
                            }
                            None => { p { "The matrix has too many different cells to be drawn." } }
                        }
                    }
                }
                div.ranks {
                    @match svg::ranks(instance) {
                        Some(picture) => {
                            (PreEscaped(picture.node.to_string()))
                            p.caption { (picture.title) "." }
                        }
                        None => { p { "There are too many arrows to be told apart; the matrix has them all." } }
                    }
                }
            }
        }
        @if let Some(picture) = drawn(svg::timeline(instance, entry)) {
            h4 { "Collectives at np = " (instance.np) }
            div.wide tabindex="0" role="group" aria-label="Collectives in order" { (picture) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_each_other_are_ranges() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[7], "7"),
            (&[1, 2, 4, 5, 6, 8], "1, 2, 4 to 6, 8"),
            (&[2, 8, 1000], "2, 8, 1000"),
            (&[1, 2, 3, 4], "1 to 4"),
        ] {
            assert_eq!(list(numbers), text);
        }
    }
}
