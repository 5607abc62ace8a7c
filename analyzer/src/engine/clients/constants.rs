//! Constant propagation across processes (Fig. 2 of the paper).
//!
//! That a message carries its content from one process set to another, is in the values that the engine keeps anyway, for it needs
//! them to know partners and branches. This client notes where a constant arrives: at the arguments of output calls.

use std::collections::BTreeMap;

use frontend::ir::{Expr, ExprKind, Function, Type};
use lattice::{Constraints, Range, Symbol};

use super::{Client, Completed, Match, Step};
use crate::engine::Engine;
use crate::engine::eval::Scope;
use crate::engine::findings::ranks_text;
use crate::engine::library;
use crate::engine::merge::Join;
use crate::engine::state::SiteId;
use crate::results::Fact;

/// The client: constant arguments by output call.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    found: BTreeMap<SiteId, Noted>,
}

/// Constant arguments of one output call, as long as all visits agree.
#[derive(Clone, Debug)]
struct Noted {
    ranks: Vec<(Range, Constraints)>,
    /// Argument and value; `None` once two visits disagreed.
    values: Option<Vec<(String, i64)>>,
}

impl Client for Constants {
    type Path = ();
    type Shape = ();

    fn transfer(&mut self, scope: &mut Scope<'_, '_>, step: &Step<'_>) {
        let Step::Library { name, args, values, span } = *step;
        if !library::is_output(name) {
            return;
        }
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
                if value.coefficient(Symbol::RANK) != 0 {
                    return None;
                }
                Some((describe(arg, function)?, scope.facts.constant(value)?))
            })
            .collect();
        if constants.is_empty() {
            return;
        }
        let site = scope.engine.site(scope.function, span, name);
        let noted = self
            .found
            .entry(site)
            .or_insert_with(|| Noted { ranks: Vec::new(), values: Some(constants.clone()) });
        if noted.values.as_ref() != Some(&constants) {
            noted.values = None;
        }
        if !noted.ranks.iter().any(|(known, _)| known == scope.ranks) && noted.ranks.len() < 16 {
            noted.ranks.push((scope.ranks.clone(), scope.facts.clone()));
        }
    }

    fn matched(&mut self, (): &mut (), _matched: &Match<'_>) {}

    fn completed(&mut self, (): &mut (), _completed: &Completed<'_>) {}

    fn generalise(&mut self, (): &(), (): &(), _join: &mut Join<'_>) -> Option<()> {
        Some(())
    }

    fn shape((): &()) {}

    fn size((): &()) -> usize {
        0
    }
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
                    ranks: merged_ranks(engine, &noted.ranks),
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

/// The ranges as one text; neighbours with constant bounds as one range.
fn merged_ranks(engine: &Engine<'_>, ranges: &[(Range, Constraints)]) -> String {
    let mut constant: Vec<(i64, i64)> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for (range, facts) in ranges {
        match (facts.constant(&range.lo), facts.constant(&range.hi)) {
            (Some(lo), Some(hi)) => constant.push((lo, hi)),
            _ => others.push(ranks_text(engine, range, facts)),
        }
    }
    constant.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (lo, hi) in constant {
        match merged.last_mut() {
            Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
            _ => merged.push((lo, hi)),
        }
    }
    others.sort_unstable();
    others.dedup();
    let texts = merged.into_iter().map(|(lo, hi)| format!("[{lo}..{hi}]")).chain(others);
    texts.collect::<Vec<_>>().join(", ")
}
