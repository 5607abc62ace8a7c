//! Numbers that all compute out of parameters, and that are no sums of these: quotients, products and roots.
//!
//! Each is a parameter of its own. What is known of it is linear (a remainder is less than the divisor), or an *identity*: a sum with products
//! that is zero, such as `quotient * divisor + remainder - dividend`. Where something is asked about sums with products, multiples of
//! identities are added to them (`Region::linear`).

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::Expr;
use presburger::Set;

use crate::error::Result;
use crate::extract::{Extractor, Frame, NP, Named};
use crate::form::{Atom, Bound, Form};
use crate::memory::Value;
use crate::parameters::{Kind, everywhere};
use crate::region::{Parameters, Region};
use crate::state::State;

/// What such parameters are called until the program says how it writes them.
const UNNAMED: [&str; 4] = ["quotient", "remainder", "product", "root"];

/// How a root is made a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rounding {
    Down,
    Nearest,
    Up,
}

/// What a number comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    Quotient(Form, Form),
    Product(Form, Form),
    Root(Form, Rounding),
}

/// Numbers with what they come from: each has a number of its own.
pub(crate) type Origins = BTreeMap<Origin, usize>;

impl Extractor<'_> {
    /// Whether a form is a sum of parameters alone.
    fn is_of_parameters(&self, form: &Form) -> bool {
        form.coordinates().next().is_none() && form.as_number().is_none()
    }

    /// A sum as it is where processes have no digits.
    fn without_digits(&self, form: &Form) -> Form {
        let np = self.number_of_processes();
        let digits: Vec<usize> = self.count.iter().flat_map(Form::parameters).collect();
        for times in [1, -1, 2, -2] {
            let rest = form.plus(&np, -times);
            if let Some(rest) = rest.filter(|rest| !rest.parameters().iter().any(|at| digits.contains(at)))
                && let Some(plain) = rest.plus(&Form::atom(Atom::Parameter(NP)), times)
            {
                return plain;
            }
        }
        form.clone()
    }

    /// The parameter for what comes from there.
    fn derived(&mut self, origin: Origin, kind: fn(usize) -> Kind, name: &str) -> Form {
        let count = self.origins_of_numbers.len();
        let number = *self.origins_of_numbers.entry(origin).or_insert(count);
        let form = self.parameter_on(everywhere(kind(number)), Named::Expression(name.to_owned()));
        self.derived_numbers.extend(form.parameters());
        form
    }

    /// The parameters in what a parameter is the product of; none where it is no product.
    pub(crate) fn factors_of(&self, parameter: usize) -> Vec<usize> {
        let is_it = |number: &usize| {
            self.known_parameters.get(&everywhere(Kind::Product(*number))) == Some(&parameter)
        };
        let mut products = self.origins_of_numbers.iter().filter(|(_, number)| is_it(number));
        match products.next() {
            Some((Origin::Product(a, b), _)) => [a.parameters(), b.parameters()].concat(),
            _ => Vec::new(),
        }
    }

    /// The derived numbers that come from these.
    pub(crate) fn derived_from(&self, parameters: &BTreeSet<usize>) -> Vec<usize> {
        let mut found = Vec::new();
        for (origin, number) in &self.origins_of_numbers {
            let of = match origin {
                Origin::Quotient(a, b) | Origin::Product(a, b) => [a.parameters(), b.parameters()].concat(),
                Origin::Root(of, _) => of.parameters(),
            };
            if of.iter().any(|at| parameters.contains(at)) {
                for kind in [Kind::Quotient, Kind::Remainder, Kind::Product, Kind::Root] {
                    found.extend(self.known_parameters.get(&everywhere(kind(*number))));
                }
            }
        }
        found
    }

    /// Calls a derived number as the program writes it.
    pub(crate) fn name_derived(&mut self, frame: &Frame, expr: &Expr, value: &Value) {
        if let Value::Number(form) = value
            && let Some(Atom::Parameter(at)) = form.as_atom()
            && self.derived_numbers.contains(&at)
            && matches!(&self.parameter_names[at], Named::Expression(name) if UNNAMED.contains(&name.as_str()))
            && let Some(name) = self.written_as(frame.function, expr)
        {
            let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            let name = if is_word { name } else { format!("({name})") };
            self.parameter_names[at] = Named::Expression(name);
        }
    }

    /// Notes what is known of derived numbers: where a path is taken now, all that bounds say in one of these cases.
    fn note_facts(&mut self, state: &mut State, numbers: &[&Form], cases: &[Vec<Bound>]) -> Result<()> {
        let here = state.region.set.parameter_domain()?;
        let all = Region::of(&self.context, Vec::new())?;
        let all = all.within(all.set.intersect_parameters(&here)?);
        let mut possible = all.set.subtract(&all.set)?;
        for bounds in cases {
            let mut case = all.clone();
            for bound in bounds {
                // What is not known of products is not said.
                if let Some(condition) = case.linear(bound, &self.parameters)? {
                    case = case.meet(&condition, &self.parameters)?;
                }
            }
            possible = possible.union(&case.set)?;
        }
        let possible = possible.parameter_domain()?.coalesce()?;
        for at in numbers.iter().flat_map(|number| number.parameters()) {
            self.note_fact(at, &here, &possible)?;
        }
        state.region.set = state.region.set.intersect_parameters(&possible)?;
        Ok(())
    }

    /// Notes that a number is known: where parameters are in one set, they are in the other one.
    pub(crate) fn note_fact(&mut self, at: usize, here: &Set, possible: &Set) -> Result<()> {
        self.derived_numbers.insert(at);
        let (all, both) = match self.facts_of.get(&at) {
            None => (here.clone(), possible.clone()),
            Some((of, known)) => {
                // Both hold.
                let all = of.union(here)?.coalesce()?;
                let known = known.union(&all.subtract(of)?)?;
                let both = known.intersect(&possible.union(&all.subtract(here)?)?)?.coalesce()?;
                (all, both)
            }
        };
        self.facts_of.insert(at, (all, both));
        Ok(())
    }

    /// Whether only the number of processes decides about a number.
    fn note_determined(&mut self, of: &[&Form], numbers: &[&Form]) {
        let of_np = self.of_np();
        let is_determined =
            |at: &usize| self.determined.contains(at) || of_np.contains(&self.parameters.names[*at]);
        if of.iter().flat_map(|form| form.parameters()).all(|at| is_determined(&at)) {
            self.determined.extend(numbers.iter().flat_map(|number| number.parameters()));
        }
    }

    pub(crate) fn note_identity(&mut self, identity: Option<Form>) {
        if let Some(identity) = identity
            && !identity.is_linear()
            && !self.parameters.identities.contains(&identity)
        {
            self.parameters.identities.push(identity);
        }
    }

    /// The quotient and the remainder of two sums of parameters, the first one not negative and the second one positive.
    pub(crate) fn derived_quotient(
        &mut self,
        state: &mut State,
        a: &Form,
        b: &Form,
    ) -> Result<Option<(Form, Form)>> {
        let is_of_parameters = |form: &Form| form.coordinates().next().is_none();
        if !is_of_parameters(a)
            || !self.is_of_parameters(b)
            || !state.region.implies(Some(Bound::not_negative(a.clone())), &self.parameters)?
        {
            return Ok(None);
        }
        let origin = Origin::Quotient(self.without_digits(a), self.without_digits(b));
        let quotient = self.derived(origin.clone(), Kind::Quotient, "quotient");
        let remainder = self.derived(origin, Kind::Remainder, "remainder");
        let identity = quotient.multiplied(b).and_then(|part| part.plus(&remainder, 1)?.plus(a, -1));
        self.note_identity(identity);
        let (zero, one) = (Form::default(), Form::number(1));
        let less = vec![Some(Bound::zero(quotient.clone())), Bound::equal(&remainder, a), Bound::below(a, b)];
        let more = vec![
            Bound::at_most(&one, &quotient),
            Bound::at_most(&quotient, a),
            Bound::at_most(&zero, &remainder),
            Bound::below(&remainder, b),
            Bound::at_most(b, a),
        ];
        let cases = [less, more].map(|case| case.into_iter().flatten().collect());
        self.note_facts(state, &[&quotient, &remainder], &cases)?;
        self.note_determined(&[a, b], &[&quotient, &remainder]);
        self.scales.extend(quotient.parameters());
        Ok(Some((quotient, remainder)))
    }

    /// The product of two sums of parameters.
    pub(crate) fn derived_product(&mut self, state: &mut State, a: &Form, b: &Form) -> Result<Option<Form>> {
        if !self.is_of_parameters(a) || !self.is_of_parameters(b) {
            return Ok(None);
        }
        let Some(product) = a.multiplied(b) else { return Ok(None) };
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let origin = Origin::Product(self.without_digits(a), self.without_digits(b));
        if !self.origins_of_numbers.contains_key(&origin) {
            // An identity may say what it is.
            for identity in &self.parameters.identities {
                for times in [1, -1] {
                    if let Some(sum) = product.plus(identity, times)
                        && sum.is_linear()
                    {
                        return Ok(Some(sum));
                    }
                }
            }
        }
        let form = self.derived(origin, Kind::Product, "product");
        self.note_identity(form.plus(&product, -1));
        let one = Form::number(1);
        let mut are_positive = true;
        for factor in [a, b] {
            are_positive &= state.region.implies(Bound::at_most(&one, factor), &self.parameters)?;
        }
        let mut bounds = Vec::new();
        if are_positive {
            bounds = [a, b].into_iter().filter_map(|factor| Bound::at_most(factor, &form)).collect();
        } else if a == b {
            bounds.push(Bound::not_negative(form.clone()));
        }
        self.note_facts(state, &[&form], &[bounds])?;
        self.note_determined(&[a, b], &[&form]);
        Ok(Some(form))
    }

    /// The product of two sums of parameters, where that is a width of digits.
    pub(crate) fn known_product(&self, a: &Form, b: &Form) -> Option<Form> {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let origin = Origin::Product(self.without_digits(a), self.without_digits(b));
        let number = self.origins_of_numbers.get(&origin)?;
        let atom = Atom::Parameter(*self.known_parameters.get(&everywhere(Kind::Product(*number)))?);
        self.parameters.widths.contains(&atom).then(|| Form::atom(atom))
    }

    /// The square root of a sum of parameters that is not negative, as a whole number.
    pub(crate) fn derived_root(
        &mut self,
        state: &mut State,
        of: &Form,
        rounding: Rounding,
    ) -> Result<Option<Form>> {
        if !self.is_of_parameters(of)
            || !state.region.implies(Some(Bound::not_negative(of.clone())), &self.parameters)?
        {
            return Ok(None);
        }
        let origin = Origin::Root(self.without_digits(of), rounding);
        let root = self.derived(origin, Kind::Root, "root");
        let (zero, one) = (Form::default(), Form::number(1));
        let square = |form: &Form| form.multiplied(form);
        let mut bounds = vec![Bound::at_most(&zero, &root), Bound::at_most(&root, of)];
        let is_one = state.region.implies(Bound::at_most(&one, of), &self.parameters)?;
        bounds.extend(is_one.then(|| Bound::at_most(&one, &root)));
        let before = root.plus(&one, -1);
        let after = root.plus(&one, 1);
        match rounding {
            Rounding::Down => {
                bounds.push(square(&root).and_then(|square| Bound::at_most(&square, of)));
                bounds.push(after.and_then(|after| Bound::below(of, &square(&after)?)));
            }
            Rounding::Up => {
                bounds.push(before.and_then(|before| Bound::below(&square(&before)?, of)));
                bounds.push(square(&root).and_then(|square| Bound::at_most(of, &square)));
            }
            Rounding::Nearest => {
                // (root - 1/2)^2 < of < (root + 1/2)^2, in whole numbers.
                let square = square(&root);
                bounds.push(square.as_ref().and_then(|square| Bound::below(&square.plus(&root, -1)?, of)));
                bounds.push(square.and_then(|square| Bound::at_most(of, &square.plus(&root, 1)?)));
            }
        }
        let bounds = bounds.into_iter().flatten().collect();
        self.note_facts(state, &[&root], &[bounds])?;
        self.note_determined(&[of], &[&root]);
        Ok(Some(root))
    }
}

impl Parameters {
    /// A bound with multiples of identities added, which says the same: those that share something with it.
    pub(crate) fn with_identities(&self, bound: &Bound) -> Vec<Bound> {
        let mut all = Vec::new();
        for identity in &self.identities {
            for times in identity.cancelling(&bound.form) {
                if let Some(form) = bound.form.plus(identity, times) {
                    all.push(Bound { form, ..bound.clone() });
                }
            }
        }
        all
    }
}
