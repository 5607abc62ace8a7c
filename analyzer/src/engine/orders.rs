//! Explorations of each order in which messages can come, for a given number of processes.
//!
//! Where several messages can be received next, or several operations be complete first, each is a path of its own. There are many
//! paths, but few states: most paths come to a state where another one has been, in another order. What makes them differ, and must
//! not, is
//!
//! * data that decides nothing (a result, a number of rounds, a status that the next receive overwrites): it is forgotten where two
//!   states are joined, neighbours merged, or messages sent;
//! * what was exchanged so far: it is kept for each pair of processes, and states are the same whatever it is. Two histories of one
//!   state are told as one: what only one of them has does not always happen (`clients::topology`);
//! * how far each process has come: states are compared only where the next choice is, when nothing else can move.
//!
//! All that decides what happens next is kept, so the paths that are followed from then on are those of either state. As long as there
//! is room and nothing but choices tells paths apart, none is generalised with what it was before either: a loop that messages drive ends
//! by itself.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::Engine;
use super::state::State;

/// Heads of loops that a path passes without a choice before it is compared with others all the same.
const CHOICELESS: u32 = 400;

impl Engine<'_> {
    /// Whether each order is followed.
    pub(crate) fn follows_orders(&self) -> bool {
        self.fixed.is_some() && self.ground.orders
    }

    /// Whether nothing but choices has told a path from others: then it is compared with them where the next choice is, and nowhere else.
    pub(crate) fn is_driven_by_choices(&self, state: &State) -> bool {
        self.follows_orders() && !state.guessed && state.unstored < CHOICELESS
    }

    /// A number that differs between most states that differ in what decides how they go on.
    pub(crate) fn print(&self, state: &State) -> u64 {
        let mut hasher = FxHasher::default();
        for set in &state.sets {
            set.ranks.hull().and_then(|hull| hull.lo.as_constant()).hash(&mut hasher);
            for (object, content) in set.memory.objects().filter(|(object, _)| self.decides(*object)) {
                let cells = content.cells.iter();
                let known = cells.filter_map(|(offset, (_, value))| Some((offset, value.as_constant()?)));
                known.for_each(|cell| (object, cell).hash(&mut hasher));
            }
        }
        hasher.finish()
    }
}
