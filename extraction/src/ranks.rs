//! Ranks and other numbers as a program has them where processes are written with digits.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::{BinaryOp, Expr, ExprKind, Type};
use model::Digits;
use presburger::{Relation, Set};

use crate::communicators::Communicator;
use crate::digits::below;
use crate::error::Result;
use crate::extract::{Extractor, Frame, NP, Named};
use crate::form::{Atom, Bound, Form, atoms};
use crate::memory::Value;
use crate::parameters::{Kind, everywhere};
use crate::region::{Condition, Region};
use crate::state::State;

/// The largest number of which residues are looked at one by one.
const RESIDUES: i64 = 8;

impl Extractor<'_> {
    /// Whether processes have digits.
    pub(crate) fn has_digits(&self) -> bool {
        !self.parameters.widths.is_empty()
    }

    /// The coordinates of a process.
    pub(crate) fn process(&self) -> Vec<Form> {
        atoms(&self.process)
    }

    /// Whether the number of processes is the width of the lowest digit: the other one is zero in ranks.
    pub(crate) fn has_np_as_width(&self) -> bool {
        self.parameters.widths == [Atom::Parameter(NP)]
    }

    /// Its rank.
    pub(crate) fn rank(&self) -> Form {
        if self.has_np_as_width() {
            return Form::atom(Atom::Coordinate(self.process[1]));
        }
        self.parameters.number_with(&self.process)
    }

    /// How many processes there are.
    pub(crate) fn number_of_processes(&self) -> Form {
        if self.has_np_as_width() {
            return Form::atom(Atom::Parameter(NP));
        }
        self.parameters.number(&self.count).expect("digits and widths have the factor 1")
    }

    /// All processes, of any number of these.
    pub(crate) fn everybody(&self) -> Result<Region> {
        let parameters = &self.parameters;
        let mut region = Region::of(&self.context, self.process.clone())?;
        let process = self.process();
        let mut bounds = vec![Bound::not_negative(process[0].clone())];
        bounds.extend(parameters.bounds(&process));
        region = region.bounded(&bounds, parameters)?.meet(&below(&process, &self.count), parameters)?;
        region.bounded(&self.of_count(), parameters)
    }

    /// The communicator of all.
    pub(crate) fn of_all(&self) -> Result<Communicator> {
        Communicator::of_all(&self.everybody()?, &self.process(), &self.parameters)
    }

    /// A number as one form, or as its digits where it has products. `None` where these are not known.
    pub(crate) fn written(&mut self, region: &Region, number: &Form) -> Result<Option<(Region, Vec<Form>)>> {
        if number.is_linear() {
            return Ok(Some((region.clone(), vec![number.clone()])));
        }
        self.as_process(region, number)
    }

    /// A number as the numbers that are multiplied with widths of digits in it. `None` where others are multiplied, too.
    pub(crate) fn parts(&self, number: &Form) -> Option<Vec<Form>> {
        self.parameters.parts(number)
    }

    /// New coordinates: as many as a process has.
    pub(crate) fn new_digits(&mut self) -> Vec<u32> {
        (0..self.process.len()).map(|_| self.new_coordinate()).collect()
    }

    /// All of some regions, each with its value, which have more coordinates than these at most: those are dropped.
    pub(crate) fn in_cases(
        &mut self,
        coordinates: &[u32],
        cases: &[(Region, Form)],
    ) -> Result<Option<(Region, Form)>> {
        let is_linear = cases.iter().all(|(_, value)| value.is_linear());
        let count = if is_linear { 1 } else { self.process.len() };
        let at: Vec<u32> = (0..count).map(|_| self.new_coordinate()).collect();
        let mut all: Option<Region> = None;
        for (region, value) in cases {
            // Digits can be compared with more than other sums.
            let written = match value.is_linear() {
                true => None,
                false => region.with_digits(&at, value, &self.parameters)?,
            };
            let part = match written {
                Some(written) => written,
                None => match region.defined(&at, value, &self.parameters)? {
                    Some(part) => part,
                    None => return Ok(None),
                },
            };
            let part = part.projected(&[coordinates, &at].concat())?;
            all = Some(match all {
                Some(all) => all.union(&part)?,
                None => part,
            });
        }
        Ok(all.map(|all| (all, self.parameters.number_with(&at))))
    }

    /// A rank as the coordinates of the process.
    pub(crate) fn as_process(&mut self, region: &Region, rank: &Form) -> Result<Option<(Region, Vec<Form>)>> {
        if !self.has_digits() {
            return Ok(Some((region.clone(), vec![rank.clone()])));
        }
        let at = self.new_digits();
        let digits = atoms(&at);
        Ok(region.with_digits(&at, rank, &self.parameters)?.map(|region| (region, digits)))
    }

    /// A rank of a communicator as it numbers its processes.
    pub(crate) fn as_rank(
        &mut self,
        region: &Region,
        rank: &Form,
        of: &Communicator,
    ) -> Result<Option<(Region, Vec<Form>)>> {
        if of.length == 1 && !rank.is_linear() {
            return Ok(None);
        }
        if of.length == 1 { self.written(region, rank) } else { self.as_process(region, rank) }
    }

    /// The parameters that say how many processes there are.
    pub(crate) fn of_np(&self) -> BTreeSet<String> {
        self.count
            .iter()
            .filter_map(|digit| match digit.as_atom() {
                Some(Atom::Parameter(at)) => Some(self.parameters.names[at].clone()),
                _ => None,
            })
            .collect()
    }

    /// How ranks are written.
    pub(crate) fn digits(&self) -> Option<Digits> {
        let name = |atom: Atom| match atom {
            Atom::Parameter(at) => Some(self.parameters.names[at].clone()),
            Atom::Coordinate(_) => None,
        };
        let widths: Vec<String> = self.parameters.widths.iter().filter_map(|&width| name(width)).collect();
        let count = self.count.iter().filter_map(|digit| name(digit.as_atom()?)).collect();
        self.has_digits().then_some(Digits { widths, count })
    }

    /// A digit of the number of processes as an expression, with what the program calls the widths.
    pub(crate) fn digit(&self, at: usize, names: &BTreeMap<String, String>) -> Option<String> {
        let Digits { widths, count } = self.digits()?;
        let widths = widths.iter().map(|width| names.get(width).cloned()).collect::<Option<_>>()?;
        Some(Digits { widths, count }.digit("np", at))
    }

    /// A parameter as a form: with digits of its own where processes have some, if it is none of their widths.
    pub(crate) fn parameter_with_digits(&mut self, parameter: usize) -> Form {
        let atom = Form::atom(Atom::Parameter(parameter));
        if !self.has_digits() || self.parameters.widths.contains(&Atom::Parameter(parameter)) {
            return atom;
        }
        if !self.numbers_with_digits.contains_key(&parameter) {
            let digits: Vec<Form> = (0..self.process.len())
                .map(|at| {
                    let path = everywhere(Kind::Digit(parameter, at));
                    self.parameter_on(path, Named::Expression("digit".to_owned()))
                })
                .collect();
            self.determined.extend(digits.iter().flat_map(Form::parameters));
            self.numbers_with_digits.insert(parameter, digits);
        }
        let digits = &self.numbers_with_digits[&parameter];
        self.parameters.number(digits).expect("digits and widths have the factor 1")
    }

    /// The same condition without products, where the parameters in it are written with digits, as rounds are. `None` where that is not known.
    pub(crate) fn linear_with_digits(
        &mut self,
        state: &mut State,
        bound: &Bound,
    ) -> Result<Option<Condition>> {
        let of_digits: BTreeSet<usize> =
            (self.count.iter().chain(self.numbers_with_digits.values().flatten()))
                .flat_map(Form::parameters)
                .collect();
        // The counters that have digits, of the loops around.
        let mut counters = self.counters.as_slice();
        let mut is_counted = false;
        for &digits in &self.innermost {
            let (own, others) = counters.split_at(digits.min(counters.len()));
            counters = others;
            is_counted |= digits > 1 && bound.form.coordinates().any(|at| own.contains(&at));
        }
        if !self.has_digits() || !is_counted || bound.form.is_linear() {
            return Ok(None);
        }
        let mut form = bound.form.clone();
        let mut region = state.region.clone();
        for (atom, _) in bound.form.terms() {
            let Atom::Parameter(at) = atom else { continue };
            if self.parameters.widths.contains(&atom) || of_digits.contains(&at) {
                continue;
            }
            let is_determined = self.determined.contains(&at);
            let written = self.parameter_with_digits(at);
            if !is_determined {
                let digits = self.numbers_with_digits[&at].iter().flat_map(Form::parameters);
                self.determined.retain(|own| !digits.clone().any(|digit| digit == *own));
            }
            region =
                region.bounded(&self.parameters.bounds(&self.numbers_with_digits[&at]), &self.parameters)?;
            let Some(replaced) = form.replaced(atom, &written) else { return Ok(None) };
            form = replaced;
        }
        let linear = region.linear(&Bound { form, ..bound.clone() }, &self.parameters)?;
        if linear.is_some() {
            state.region = region;
        }
        Ok(linear)
    }

    /// The quotient of a number that is written with digits by one that is not, with digits, too, and the remainder.
    pub(crate) fn divided_by_number(
        &mut self,
        region: &Region,
        of: &Form,
        by: i64,
    ) -> Result<Option<(Region, Form, Form)>> {
        let at = self.new_digits();
        let quotient = self.parameters.number_with(&at);
        let rest_at = self.new_coordinate();
        let rest = Form::atom(Atom::Coordinate(rest_at));
        let same = of.plus(&quotient, -by).and_then(|left| Bound::equal(&left, &rest));
        let same: Vec<Bound> = same.into_iter().collect();
        let within = [Some(Bound::not_negative(rest.clone())), Bound::below(&rest, &Form::number(by))];
        let within = within.into_iter().flatten().collect();
        let region = region
            .extended_by_digits(&at, true, &self.parameters)?
            .extended(rest_at, &[within], &self.parameters)?
            .where_linear(&same, &self.parameters)?;
        Ok(region.map(|region| (region, quotient, rest)))
    }

    /// A product, where that is a number or one of the factors is a width of digits.
    pub(crate) fn product(&mut self, a: &Form, b: &Form) -> Option<Form> {
        if let Some(product) = a.product(b) {
            return Some(product);
        }
        let widths = &self.parameters.widths;
        // A sum of widths, or what is the same for all and is asked whether a loop is left.
        let is_of_widths = |form: &Form| {
            let is_sum = form.is_linear() && form.terms().all(|(atom, _)| widths.contains(&atom));
            form.is_product_of(widths) || is_sum
        };
        let is_of_all = |form: &Form| form.is_linear() && form.coordinates().all(|at| self.counts(at));
        if let Some(known) = self.known_product(a, b) {
            return Some(known);
        }
        if is_of_widths(a) || is_of_widths(b) || (self.has_digits() && is_of_all(a) && is_of_all(b)) {
            return a.multiplied(b);
        }
        let is_scale =
            |form: &Form| matches!(form.as_atom(), Some(Atom::Parameter(at)) if self.scales.contains(&at));
        let is_scaled = (is_scale(a) && b.is_linear()) || (is_scale(b) && a.is_linear());
        let is_by_rank = [a, b].iter().any(|form| form.coordinates().next().is_some());
        for form in [a, b] {
            for atom in form.factors() {
                self.want_part(&Form::atom(atom));
            }
            if is_by_rank {
                self.want(form);
            } else {
                self.want_part(form);
            }
        }
        (is_scaled && is_by_rank).then(|| a.multiplied(b)).flatten()
    }

    /// The remainder of a product by a small number, which follows from those of the factors. `None` where it is no such product, or the
    /// product has a form.
    pub(crate) fn remainder_of_product(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (product, by): (&Expr, &Expr),
    ) -> Result<Option<Form>> {
        let ExprKind::Binary(BinaryOp::Mul, x, y) = &product.kind else { return Ok(None) };
        // Without a sign it would wrap around.
        match self.program.units[frame.unit()].types.get(product.ty) {
            Type::Int(kind) if kind.is_signed() => {}
            _ => return Ok(None),
        }
        let Value::Number(by) = self.evaluate(frame, state, by)? else { return Ok(None) };
        let Some(number) = by.as_number().filter(|number| (2..=RESIDUES).contains(number)) else {
            return Ok(None);
        };
        let mut residues = Vec::new();
        for factor in [x, y] {
            let Value::Number(factor) = self.evaluate(frame, state, factor)? else { return Ok(None) };
            if factor.as_number().is_some()
                || !state.region.implies(Some(Bound::not_negative(factor.clone())), &self.parameters)?
            {
                return Ok(None);
            }
            match self.divided(state, &factor, &by)?.1 {
                Some(residue) if residue.is_linear() => residues.push(residue),
                _ => return Ok(None),
            }
        }
        let table =
            (0..number).flat_map(|a| (0..number).map(move |b| format!("[{a}, {b}] -> [{}]", a * b % number)));
        let table = format!("{{ {} }}", table.collect::<Vec<_>>().join("; "));
        let table = Relation::parse(&self.context, &table)?;
        let at = self.new_coordinate();
        state.region = state.region.extended_by(&[at], &residues, &table, &self.parameters)?;
        if residues.iter().flat_map(Form::coordinates).all(|at| self.counts(at)) {
            self.uniform.insert(at);
        }
        Ok(Some(Form::atom(Atom::Coordinate(at))))
    }

    /// The parts `multiple` and `rest` of a number that is `multiple * width + rest`, where the width is one of digits, or of several.
    pub(crate) fn multiple(&self, number: &Form, width: &Form) -> Option<(Form, Form)> {
        if !width.is_product_of(&self.parameters.widths) {
            return None;
        }
        let mut rest = Form::default();
        let (mut multiple, mut unit) = (number.clone(), Form::number(1));
        for atom in width.product_of()? {
            let (above, below) = multiple.divided(atom);
            rest = rest.plus(&below.multiplied(&unit)?, 1)?;
            unit = unit.multiplied(&Form::atom(atom))?;
            multiple = above;
        }
        Some((multiple, rest))
    }

    /// What holds of the digits of the number of processes.
    fn of_count(&self) -> Vec<Bound> {
        let mut bounds = self.parameters.bounds(&self.count);
        bounds.extend(
            self.parameters
                .widths
                .iter()
                .filter_map(|width| Bound::at_most(&Form::number(1), &Form::atom(*width))),
        );
        if self.has_digits() {
            bounds.push(Bound::not_negative(self.count[0].clone()));
        }
        if self.has_np_as_width() {
            bounds.extend(Bound::equal(&self.count[0], &Form::number(1)));
            bounds.push(Bound::zero(self.count[1].clone()));
        }
        bounds
    }

    /// The parameters with so many processes or more.
    pub(crate) fn with_at_least(&self, least: i64) -> Result<Set> {
        let nothing = Region::of(&self.context, Vec::new())?.bounded(&self.of_count(), &self.parameters)?;
        let enough = Bound::at_most(&Form::number(least), &self.number_of_processes());
        let enough: Vec<Bound> = enough.into_iter().collect();
        Ok(nothing.bounded(&enough, &self.parameters)?.set.parameter_domain()?)
    }
}
