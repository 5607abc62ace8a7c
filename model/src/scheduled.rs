//! A clock as a schedule: what isl finds out of what has to come before what, and what is checked then.

use presburger::{Relation, Set};

use crate::error::Result;
use crate::matching::Matching;
use crate::operation::{Operation, Program};
use crate::order::waits;

/// Operations of a program that a schedule is looked for, at most: what comes before what has a part for any two of them.
const OPERATIONS: usize = 16;

/// Starts and ends of operations: points of their own.
struct Events<'a> {
    program: &'a Program,
    /// From the instances of operations to their ends, which have names of their own.
    ends: Relation,
}

impl Program {
    /// Whether there are times for all starts and ends such that time grows along everything that has to come before something else.
    pub(crate) fn is_scheduled(
        &self,
        matching: &Matching,
        together: &Relation,
        is_unbuffered: bool,
    ) -> Result<bool> {
        if self.operations.len() > OPERATIONS {
            return Ok(false);
        }
        let events = Events::new(self)?;
        let order = events.order(matching, together, is_unbuffered)?;
        let all = order.domain()?.union(&order.range()?)?;
        Ok(match order.schedule(&all)? {
            Some(schedule) => {
                all.is_subset(&schedule.domain()?)? && order.is_subset(&schedule.lex_lt(&schedule)?)?
            }
            None => false,
        })
    }
}

impl<'a> Events<'a> {
    fn new(program: &'a Program) -> Result<Self> {
        let context = program.known.context();
        let mut ends = Relation::empty(context)?;
        for operation in &program.operations {
            for (tuple, _) in operation.domain()?.parts()? {
                let names: Vec<String> = (0..tuple.length).map(|at| format!("i{at}")).collect();
                let (name, names) = (&tuple.name, names.join(", "));
                let end = format!("{{ {name}[{names}] -> end_of_{name}[{names}] }}");
                ends = ends.union(&Relation::parse(context, &end)?)?;
            }
        }
        Ok(Self { program, ends })
    }

    /// What comes before what.
    fn order(&self, matching: &Matching, together: &Relation, is_unbuffered: bool) -> Result<Relation> {
        let program = self.program;
        // The program order of each process: by position, and an end after a start.
        let of = |relation: &dyn Fn(&Operation) -> Relation| {
            program.all(&program.operations, |operation| Ok(relation(operation)))
        };
        let processes = of(&|operation| operation.process.clone())?;
        let moment = |relation: Relation, is_end: u8| -> Result<Relation> {
            let flag = Set::parse(program.known.context(), &format!("{{ [{is_end}] }}"))?;
            Ok(relation.flat_range_product(&relation.domain()?.cross(&flag)?)?)
        };
        let starts = moment(of(&|operation| operation.position.clone())?, 0)?;
        let ends = moment(of(&|operation| operation.end().clone())?, 1)?;
        let of_end = self.ends.inverse()?;
        let moments = starts.union(&of_end.apply_range(&ends)?)?;
        let processes = processes.union(&of_end.apply_range(&processes)?)?;
        let same_process = processes.apply_range(&processes.inverse()?)?;
        let mut order = moments.lex_lt(&moments)?.intersect(&same_process)?;
        // Messages, and collective operations.
        let candidates = &matching.candidates;
        let waiting = program.operations.iter().filter(|operation| waits(operation, is_unbuffered));
        let waiting = program.all(waiting, |operation| Ok(operation.process.clone()))?.domain()?;
        for pairs in [&matching.awaited, &candidates.intersect_domain(&waiting)?.inverse()?, together] {
            order = order.union(&pairs.apply_range(&self.ends)?)?;
        }
        Ok(order.intersect_parameters(&program.known)?.coalesce()?)
    }
}
