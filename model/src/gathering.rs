//! Collective operations, as formulas to read: calls that belong together.

use std::collections::BTreeMap;

use presburger::{Relation, Set};

use crate::error::Result;
use crate::operation::Program;
use crate::teller::{Teller, joined};

/// Calls of one collective operation that are made together.
#[derive(Clone, Debug)]
pub struct Gathering {
    /// The calls, by their indices in [`Program::operations`].
    pub operations: Vec<usize>,
    /// Who takes part: `[0..np-1]`.
    pub ranks: String,
    /// The root, if there is one. `Some(None)` where it is no formula.
    pub root: Option<Option<String>>,
    /// How often each process takes part. `None` where that is no formula, or differs.
    pub repeat: Option<String>,
    /// From each process to the calls that it makes.
    pub calls: Relation,
    /// From each process to the roots of these.
    pub roots: Relation,
}

impl Program {
    /// The collective operations, out of what [`Program::collectives`] says: in the order of their first calls.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn gatherings(&self, together: &Relation) -> Result<Vec<Gathering>> {
        let mut named = self.by_name()?;
        named.retain(|_, at| self.operations[*at].is_collective());
        // Each with the first one that it is together with.
        let mut first: BTreeMap<usize, usize> = named.values().map(|&at| (at, at)).collect();
        for (from, to, _) in together.parts()? {
            let (Some(&a), Some(&b)) = (named.get(&from.name), named.get(&to.name)) else { continue };
            let (a, b) = (first[&a].min(first[&b]), first[&a].max(first[&b]));
            first.values_mut().filter(|at| **at == b).for_each(|at| *at = a);
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, first) in first {
            groups.entry(first).or_default().push(at);
        }
        let ranks = match &self.digits {
            Some(digits) => digits.names("rank"),
            None => vec!["rank".to_owned()],
        };
        let ranks: Vec<&str> = ranks.iter().map(String::as_str).collect();
        let mut all = Vec::new();
        for operations in groups.into_values() {
            let chosen = || operations.iter().map(|&at| &self.operations[at]);
            let processes = self.all(chosen(), |operation| Ok(operation.process.clone()))?;
            let roots = self.all(chosen(), |operation| Ok(operation.partner.clone()))?;
            let (processes, known) = self.without_others(&processes)?;
            let teller = Teller { known: &known, ..self.teller() };
            let calls = processes.inverse()?;
            let is_certain = chosen().all(|operation| operation.options.is_empty());
            let has_root = !roots.is_empty()?;
            let nobody = Set::parse(self.known.context(), "{ [] }")?;
            let root = || teller.formula(&nobody.cross(&roots.range()?)?, &[]);
            all.push(Gathering {
                ranks: joined(teller.sides(&processes.range()?)?),
                root: if has_root { Some(root()?) } else { None },
                repeat: if is_certain { teller.number(&calls, &ranks)? } else { None },
                operations,
                roots: calls.apply_range(&roots)?,
                calls,
            });
        }
        Ok(all)
    }
}
