//! Constant propagation across processes (Fig. 2 of the paper).
//!
//! That a message carries its content from one process set to another, is in the values that the engine keeps anyway, for it needs
//! them to know partners and branches. This client notes where a constant arrives: at the arguments of output calls.

use std::collections::BTreeMap;

use frontend::ir::{Expr, ExprKind, Function, Type};
use lattice::{Constraints, Ranks};

use super::ranks::merged;
use super::{At, Client, Step};
use crate::engine::Engine;
use crate::engine::join::Join;
use crate::engine::library;
use crate::engine::state::SiteId;
use crate::results::Fact;

/// The client: constant arguments by output call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    found: BTreeMap<SiteId, Noted>,
}

/// Constant arguments of one output call, as long as all visits agree.
#[derive(Clone, Debug)]
struct Noted {
    ranks: Vec<(Ranks, Constraints)>,
    /// Argument and value; `None` once two visits disagreed.
    values: Option<Vec<(String, i64)>>,
}

impl Client for Constants {
    type Set = ();
    type Cargo = ();
    type Path = ();
    type Shape = ();

    fn transfer(&mut self, at: &mut At<'_, '_, '_>, (): &mut (), step: &Step<'_>) {
        let Step::Library { name, args, values, span } = *step else { return };
        if !library::is_output(name) {
            return;
        }
        let scope = &*at.scope;
        let function = scope.engine.program.function(scope.function);
        let constants: Vec<(String, i64)> = args
            .iter()
            .zip(values)
            .filter(|(arg, _)| {
                matches!(scope.unit().types.get(arg.ty), Type::Int(_))
                    && !matches!(arg.strip_casts().kind, ExprKind::Int(_) | ExprKind::Constant { .. })
            })
            .filter_map(|(arg, value)| {
                let value = value.as_int()?;
                if !value.is_uniform() {
                    return None;
                }
                Some((describe(arg, function)?, scope.facts.constant(value)?))
            })
            .collect();
        if constants.is_empty() {
            return;
        }
        let (ranks, facts) = (scope.ranks.clone(), scope.facts.clone());
        let site = at.scope.engine.site(at.scope.function, span, name);
        let noted = self
            .found
            .entry(site)
            .or_insert_with(|| Noted { ranks: Vec::new(), values: Some(constants.clone()) });
        if noted.values.as_ref() != Some(&constants) {
            noted.values = None;
        }
        if !noted.ranks.iter().any(|(known, _)| *known == ranks) && noted.ranks.len() < 16 {
            noted.ranks.push((ranks, facts));
        }
    }

    fn generalise(&mut self, (): &(), (): &(), _join: &mut Join<'_>) -> Option<()> {
        Some(())
    }

    fn shape((): &()) {}
}

impl Constants {
    /// What was noted, by place.
    pub(crate) fn facts(&self, engine: &Engine<'_>) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self
            .found
            .iter()
            .filter_map(|(&site, noted)| {
                let values = noted.values.clone()?;
                let (function, span) = engine.site_place(site);
                Some(Fact {
                    range: engine.range_of(function.unit, span),
                    function: engine.sites[site.0 as usize].operation.clone(),
                    ranks: merged(engine, &noted.ranks),
                    values,
                })
            })
            .collect();
        facts.sort_by(|a, b| a.range.cmp(&b.range));
        facts
    }
}

/// The name of the variable that an expression reads.
fn describe(expr: &Expr, function: &Function) -> Option<String> {
    match &expr.strip_casts().kind {
        ExprKind::Load(place) => function.local(place.as_local()?).name.as_ref().map(ToString::to_string),
        _ => None,
    }
}
