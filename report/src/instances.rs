//! The messages of programs at several numbers of processes.

use std::collections::BTreeMap;

use analyzer::results::{Instance, ProgramReport};

/// The messages of programs at the numbers of processes that a report shows. The analysis finds them; where it has none
/// for a number, that number is shown as missing.
#[derive(Clone, Debug, Default)]
pub struct Instances {
    wanted: Vec<u64>,
    by_entry: BTreeMap<String, Vec<Instance>>,
}

impl Instances {
    /// Nothing yet, of these numbers of processes in ascending order.
    #[must_use]
    pub fn new(wanted: Vec<u64>) -> Self {
        Self { wanted, by_entry: BTreeMap::new() }
    }

    /// Adds what was found of the program with this entry point, in ascending order of the number of processes.
    pub fn insert(&mut self, entry: impl Into<String>, found: Vec<Instance>) {
        self.by_entry.insert(entry.into(), found);
    }

    /// The numbers of processes that were asked for.
    #[must_use]
    pub fn wanted(&self) -> &[u64] {
        &self.wanted
    }

    /// What is known of a program: these instances, or the one that its report has.
    pub fn of<'a>(&'a self, program: &'a ProgramReport) -> &'a [Instance] {
        let own = program.topology.instance.as_slice();
        self.by_entry.get(&program.entry).map_or(own, Vec::as_slice)
    }
}
