//! How many rounds a loop has before it, where that can be read off: of many rounds that only compute, few need be followed before the
//! others are passed over.
//!
//! To pass over code is right whenever it is done, so that a number of rounds that is wrong costs knowledge and nothing else.

use frontend::ir::visit::{Part, walk_expr};
use frontend::ir::{
    BinaryOp, BlockId, Cfg, Expr, ExprKind, InstKind, NaturalLoop, Place, PlaceBase, Terminator,
};

use super::eval::Scope;
use super::functions::FunctionFacts;
use super::value::Value;

impl Scope<'_, '_> {
    /// The rounds of the loop that begins with this block, from where the branch at its end is taken: where it compares a variable that
    /// each round moves by a constant with what no round changes, and is the only way out.
    pub(crate) fn rounds_ahead(&mut self, cfg: &Cfg, facts: &FunctionFacts, head: BlockId) -> Option<i64> {
        let body = cfg.loops.iter().find(|l| l.header == head)?;
        let Terminator::Branch { condition, then, otherwise } = &cfg.graph[head].terminator else {
            return None;
        };
        if !body.blocks.contains(then) || body.blocks.contains(otherwise) {
            return None;
        }
        let stays = |target: &BlockId| body.blocks.contains(target) || facts.dead_end[target.index()];
        let mut others = body.blocks.iter().filter(|&&block| block != head);
        if !others.all(|&block| cfg.graph[block].terminator.targets().iter().all(stays)) {
            return None;
        }
        let ExprKind::Binary(relation, left, right) = &condition.strip_casts().kind else { return None };
        let steps = |side: &Expr| {
            let ExprKind::Load(place) = &side.strip_casts().kind else { return None };
            body.inductions
                .iter()
                .find(|known| Some(known.variable) == place.as_local())
                .map(|known| known.step)
        };
        let (step, relation, counter, bound) = match (steps(left), steps(right)) {
            (Some(step), None) => (step, *relation, left, right),
            (None, Some(step)) => (step, relation.mirrored(), right, left),
            _ => return None,
        };
        if changes(cfg, body, bound) {
            return None;
        }
        let (Ok(Value::Int(bound)), Ok(Value::Int(counter))) = (self.eval(bound), self.eval(counter)) else {
            return None;
        };
        let distance = self.constant(&bound.sub(&counter)?)?;
        rounds(relation, distance, i64::try_from(step).ok()?)
    }
}

/// Rounds for which a counter is in a relation to a bound that is so far above it at first.
fn rounds(relation: BinaryOp, distance: i64, step: i64) -> Option<i64> {
    let up = 0 < step;
    let beyond = match (relation, up) {
        (BinaryOp::Lt, true) | (BinaryOp::Gt, false) => distance,
        (BinaryOp::Le, true) => distance.checked_add(1)?,
        (BinaryOp::Ge, false) => distance.checked_sub(1)?,
        (BinaryOp::Ne, _) if distance.checked_rem(step)? == 0 && 0 <= distance / step => distance,
        _ => return None,
    };
    let (beyond, step) = if up { (beyond, step) } else { (beyond.checked_neg()?, step.checked_neg()?) };
    beyond.max(0).checked_add(step - 1)?.checked_div(step)
}

/// Whether a round may change what an expression says, as far as that shows in the loop itself.
fn changes(cfg: &Cfg, body: &NaturalLoop, expr: &Expr) -> bool {
    let mut read = Vec::new();
    let mut plain = true;
    walk_expr(expr, &mut |part| {
        if let Part::Place(place) = part {
            plain &= place.projections.is_empty();
            read.push(&place.base);
        }
    });
    let is_read = |place: &Place| read.contains(&&place.base);
    let mut insts = body.blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
    !plain
        || insts.any(|inst| match &inst.kind {
            InstKind::Assign(place, _) => is_read(place),
            InstKind::Declare(local) => read.contains(&&PlaceBase::Local(*local)),
            InstKind::Call { dest, .. } => dest.as_ref().is_some_and(is_read),
            InstKind::Opaque { writes, .. } => {
                writes.as_ref().is_none_or(|places| places.iter().any(is_read))
            }
        })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::rc::Rc;
    use std::sync::Arc;

    use effort::{Budget, Limits};
    use frontend::lower::{self, lower};
    use frontend::preprocess::{Request, preprocess};
    use frontend::program::{Program, link};

    use super::super::exploration::explore;
    use super::super::groundwork::Groundwork;
    use super::*;

    /// A program that does this between initialising MPI and finalising it.
    fn program(body: &str) -> Program {
        let text = format!(
            "#include <mpi.h>\nint main(int argc, char **argv)\n{{\nMPI_Init(&argc, &argv);\n{body}\nMPI_Finalize();\nreturn 0;\n}}\n"
        );
        let request = Request::new("rounds.c").with_text(text);
        let preprocessed = preprocess(&request).expect("there is nothing to stumble over");
        let unit = lower(Path::new("rounds.c"), preprocessed, &lower::Options::default());
        assert!(unit.problems.is_empty(), "{:?}", unit.problems);
        link(&[Arc::new(unit)]).remove(0)
    }

    /// Steps of one process that does this.
    fn steps(body: &str) -> u64 {
        let program = program(&format!("double v[2000]; {body}"));
        let ground = Rc::new(Groundwork::new(&program));
        explore(&ground, Some(1), Budget::begin(Limits::of_seconds(60))).walk.steps
    }

    /// Of many rounds fewer are followed than of some.
    #[test]
    fn many_rounds_are_passed_over() {
        let some = steps("for (int i = 0; i < 8; i++) v[i] = 2.0 * i;");
        for many in [
            "for (int i = 0; i < 1000; i++) v[i] = 2.0 * i;",
            "for (int i = 999; i >= 0; i--) v[i] = 2.0 * i;",
            "for (int i = 0; 1000 > i; i += 2) v[i] = 2.0 * i;",
            "int n = 1000; for (int i = 0; i != n; i++) v[i] = 2.0 * i;",
        ] {
            assert!(steps(many) < some, "{many}");
        }
        // What a round changes is not read off.
        let counted = "int n = 1000; for (int i = 0; i < n; i++) v[i] = 2.0 * i;";
        let changed = "int n = 1000; for (int i = 0; i < n; i++) n = 1000;";
        assert!(steps(counted) < steps(changed));
    }

    /// Against counting.
    #[test]
    fn rounds_are_as_many_as_are_counted() {
        let holds = |relation, counter: i64, bound: i64| match relation {
            BinaryOp::Lt => counter < bound,
            BinaryOp::Le => counter <= bound,
            BinaryOp::Gt => counter > bound,
            BinaryOp::Ge => counter >= bound,
            _ => counter != bound,
        };
        let all = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Ne];
        let mut cases = Vec::new();
        for step in -3..=3 {
            for distance in -9..=9 {
                cases.extend(all.map(|relation| (relation, step, distance)));
            }
        }
        for (relation, step, distance) in cases {
            let counted = (0..100).find(|round| !holds(relation, round * step, distance));
            if let Some(told) = rounds(relation, distance, step) {
                assert_eq!(Some(told), counted, "{relation:?} {distance} by {step}");
            } else {
                // No more than one round is a matter of course.
                assert!(counted.is_none_or(|n| n <= 1) || step == 0, "{relation:?} {distance} by {step}");
            }
        }
    }
}
