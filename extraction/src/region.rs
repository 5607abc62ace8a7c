//! Where a path is taken: the values of its coordinates, for all values of the parameters.

use presburger::{Constraint, Context, Names, Relation, Set};

use crate::error::{GivenUp, Result};
use crate::form::{Atom, Bound, Form, atoms};

/// What decides which way a path goes.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Holds(bool),
    Is(Bound),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// The values of these coordinates are inside, and not outside.
    Points {
        coordinates: Vec<u32>,
        inside: Set,
        outside: Set,
    },
    /// It is not known, but the same for all processes that come here in the same round.
    Same(Said),
    /// It is not known.
    Open,
}

/// What is known of a condition that is the same for all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    /// What it would say, if that were linear.
    pub(crate) bound: Option<Bound>,
    /// Whether it depends on nothing but the counter of the innermost loop, and on what is the same in all rounds.
    pub(crate) is_repeated: bool,
}

impl Condition {
    pub(crate) fn is(bound: Option<Bound>) -> Self {
        match bound {
            Some(bound) => match bound.form.as_number() {
                Some(number) => Self::Holds(if bound.is_equation { number == 0 } else { number >= 0 }),
                None => Self::Is(bound),
            },
            None => Self::Open,
        }
    }

    pub(crate) fn negated(&self) -> Self {
        match self {
            Self::Holds(holds) => Self::Holds(!holds),
            Self::Is(Bound { form, is_equation: true }) => {
                let zero = Form::default();
                Self::Any(vec![Self::is(Bound::below(form, &zero)), Self::is(Bound::below(&zero, form))])
            }
            Self::Is(Bound { form, is_equation: false }) => Self::is(Bound::below(form, &Form::default())),
            Self::All(parts) => Self::Any(parts.iter().map(Self::negated).collect()),
            Self::Any(parts) => Self::All(parts.iter().map(Self::negated).collect()),
            Self::Points { coordinates, inside, outside } => Self::Points {
                coordinates: coordinates.clone(),
                inside: outside.clone(),
                outside: inside.clone(),
            },
            Self::Same(Said { bound, is_repeated }) => {
                let bound = bound.as_ref().and_then(Bound::negated);
                Self::Same(Said { bound, is_repeated: *is_repeated })
            }
            Self::Open => Self::Open,
        }
    }

    /// Whether a part of it is not known, and whether that part may differ between processes.
    pub(crate) fn unknown(&self) -> Option<bool> {
        match self {
            Self::Holds(_) | Self::Is(_) | Self::Points { .. } => None,
            Self::All(parts) | Self::Any(parts) => parts.iter().filter_map(Self::unknown).max(),
            Self::Same(_) => Some(false),
            Self::Open => Some(true),
        }
    }

    /// Whether what is not known of it says the same whenever the innermost loop is entered.
    pub(crate) fn is_repeated(&self) -> bool {
        match self {
            Self::Holds(_) | Self::Is(_) | Self::Points { .. } => true,
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_repeated),
            Self::Same(said) => said.is_repeated,
            Self::Open => false,
        }
    }

    /// Whether it depends on nothing but these coordinates, and on what is the same for all.
    pub(crate) fn depends_on(&self, coordinates: &[u32]) -> bool {
        match self {
            Self::Holds(_) | Self::Same(_) => true,
            Self::Is(bound) => bound.form.coordinates().all(|at| coordinates.contains(&at)),
            Self::Points { coordinates: of, .. } => of.iter().all(|at| coordinates.contains(at)),
            Self::All(parts) | Self::Any(parts) => parts.iter().all(|part| part.depends_on(coordinates)),
            Self::Open => false,
        }
    }

    /// The condition with this one in place of those that are the same for all.
    pub(crate) fn with_same(&self, by: &Self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.with_same(by)).collect();
        match self {
            Self::Same(_) => by.clone(),
            Self::All(parts) => Self::All(all(parts)),
            Self::Any(parts) => Self::Any(all(parts)),
            other => other.clone(),
        }
    }
}

/// The values of the coordinates with which a path is taken.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The names of the coordinates: the rank first.
    pub(crate) coordinates: Vec<u32>,
    pub(crate) set: Set,
}

/// Numbers that are the same for all processes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    /// Their names, by their index.
    pub(crate) names: Vec<String>,
    /// The widths of the digits that processes are written with, of all but the highest (module [`crate::digits`]).
    pub(crate) widths: Vec<Atom>,
    /// Sums with products that are zero (module [`crate::derived`]).
    pub(crate) identities: Vec<Form>,
}

struct Columns<'a> {
    parameters: Vec<usize>,
    names: Vec<&'a str>,
    coordinates: Vec<String>,
}

impl<'a> Columns<'a> {
    fn of<'b>(forms: impl Iterator<Item = &'b Form>, coordinates: usize, parameters: &'a Parameters) -> Self {
        let mut used: Vec<usize> = forms
            .flat_map(Form::terms)
            .filter_map(|(atom, _)| match atom {
                Atom::Parameter(parameter) => Some(parameter),
                Atom::Coordinate(_) => None,
            })
            .collect();
        used.sort_unstable();
        used.dedup();
        let names = used.iter().map(|&parameter| parameters.names[parameter].as_str()).collect();
        Self { parameters: used, names, coordinates: (0..coordinates).map(|at| format!("c{at}")).collect() }
    }

    fn coordinates(&self) -> Vec<&str> {
        self.coordinates.iter().map(String::as_str).collect()
    }

    /// A row of factors for a form over these coordinates.
    ///
    /// # Errors
    ///
    /// [`GivenUp::Program`] where it has products.
    ///
    /// # Panics
    ///
    /// Where it has others: a value needs a coordinate that was dropped, which would make it another number.
    fn factors(&self, form: &Form, coordinates: &[u32]) -> Result<Vec<i64>> {
        if !form.is_linear() {
            return Err(not_linear());
        }
        assert!(form.coordinates().all(|at| coordinates.contains(&at)), "{form:?} has only {coordinates:?}");
        let parameters = self.parameters.iter().map(|&parameter| form.factor(Atom::Parameter(parameter)));
        let coordinates = coordinates.iter().map(|&at| form.factor(Atom::Coordinate(at)));
        Ok(parameters.chain(coordinates).collect())
    }
}

fn not_linear() -> GivenUp {
    GivenUp::Program {
        reason: "what a product of two unknown numbers is, is not known".to_owned(),
        place: None,
    }
}

fn tuple<'a>(coordinates: &'a [&'a str]) -> Names<'a> {
    Names { tuple: "", coordinates }
}

impl Region {
    /// Any values of these coordinates.
    pub(crate) fn of(context: &Context, coordinates: Vec<u32>) -> Result<Self> {
        let names: Vec<String> = (0..coordinates.len()).map(|at| format!("c{at}")).collect();
        let set = Set::parse(context, &format!("{{ [{}] }}", names.join(", ")))?;
        Ok(Self { coordinates, set })
    }

    /// The points of a tuple of these coordinates that bounds leave.
    fn points(&self, bounds: &[Bound], parameters: &Parameters) -> Result<Set> {
        let columns = Columns::of(bounds.iter().map(|bound| &bound.form), self.coordinates.len(), parameters);
        let constraints = bounds
            .iter()
            .map(|bound| {
                Ok(Constraint {
                    is_equation: bound.is_equation,
                    factors: columns.factors(&bound.form, &self.coordinates)?,
                    constant: bound.form.constant,
                })
            })
            .collect::<Result<Vec<Constraint>>>()?;
        let names = columns.coordinates();
        Ok(Set::of(self.set.context(), &columns.names, &tuple(&names), 0, &constraints)?)
    }

    pub(crate) fn within(&self, set: Set) -> Self {
        Self { coordinates: self.coordinates.clone(), set }
    }

    /// Where all bounds hold.
    ///
    /// # Errors
    ///
    /// [`GivenUp::Program`] where that is not known of products.
    pub(crate) fn bounded(&self, bounds: &[Bound], parameters: &Parameters) -> Result<Self> {
        let (linear, others): (Vec<Bound>, Vec<Bound>) =
            bounds.iter().cloned().partition(|bound| bound.form.is_linear());
        let region = self.within(self.set.intersect(&self.points(&linear, parameters)?)?);
        others.iter().try_fold(region, |region, bound| {
            let condition = region.linear(bound, parameters)?.ok_or_else(not_linear)?;
            region.meet(&condition, parameters)
        })
    }

    /// Where a condition holds, or may hold where a part of it is not known.
    pub(crate) fn meet(&self, condition: &Condition, parameters: &Parameters) -> Result<Self> {
        match condition {
            Condition::Holds(true) | Condition::Same(_) | Condition::Open => Ok(self.clone()),
            Condition::Holds(false) => Ok(self.within(self.set.subtract(&self.set)?)),
            Condition::Is(bound) => self.bounded(std::slice::from_ref(bound), parameters),
            Condition::Points { coordinates, inside, .. } => {
                let values = atoms(coordinates);
                self.with_values_in(&values, inside, parameters)
            }
            Condition::All(parts) => {
                parts.iter().try_fold(self.clone(), |region, part| region.meet(part, parameters))
            }
            Condition::Any(parts) => {
                let mut set = self.set.subtract(&self.set)?;
                for part in parts {
                    set = set.union(&self.meet(part, parameters)?.set)?;
                }
                Ok(self.within(set.coalesce()?))
            }
        }
    }

    pub(crate) fn is_empty(&self) -> Result<bool> {
        Ok(self.set.is_empty()?)
    }

    /// Whether a bound is known to hold everywhere.
    pub(crate) fn implies(&self, bound: Option<Bound>, parameters: &Parameters) -> Result<bool> {
        let condition = match bound {
            Some(bound) => self.linear(&bound, parameters)?.unwrap_or(Condition::Open),
            None => Condition::Open,
        };
        self.meet(&condition.negated(), parameters)?.is_empty()
    }

    /// With one coordinate more, of which this holds in each case: some cases, each with its bounds.
    pub(crate) fn extended(
        &self,
        coordinate: u32,
        cases: &[Vec<Bound>],
        parameters: &Parameters,
    ) -> Result<Self> {
        let mut coordinates = self.coordinates.clone();
        coordinates.push(coordinate);
        let mut extension = Relation::empty(self.set.context())?;
        for bounds in cases {
            let columns = Columns::of(bounds.iter().map(|bound| &bound.form), coordinates.len(), parameters);
            let names = columns.coordinates();
            let (from, more) = names.split_at(names.len() - 1);
            let to: Vec<String> = (0..coordinates.len()).map(|at| format!("d{at}")).collect();
            let to: Vec<&str> = to.iter().map(String::as_str).collect();
            let width = columns.names.len() + from.len() + to.len();
            let mut constraints = bounds
                .iter()
                .map(|bound| {
                    let row = columns.factors(&bound.form, &coordinates)?;
                    let (parameters, of_coordinates) = row.split_at(columns.names.len());
                    let mut factors = parameters.to_vec();
                    factors.extend(vec![0; from.len()]);
                    factors.extend(of_coordinates);
                    Ok(Constraint { is_equation: bound.is_equation, factors, constant: bound.form.constant })
                })
                .collect::<Result<Vec<Constraint>>>()?;
            debug_assert_eq!(more.len(), 1);
            for at in 0..from.len() {
                let mut factors = vec![0; width];
                factors[columns.names.len() + at] = 1;
                factors[columns.names.len() + from.len() + at] = -1;
                constraints.push(Constraint { is_equation: true, factors, constant: 0 });
            }
            let part =
                Relation::of(self.set.context(), &columns.names, &tuple(from), &tuple(&to), 0, &constraints)?;
            extension = extension.union(&part)?;
        }
        Ok(Self { coordinates, set: self.set.apply(&extension)?.coalesce()? })
    }

    /// With more coordinates: what a relation says of these values. Where it says nothing, the path is not taken.
    pub(crate) fn extended_by(
        &self,
        more: &[u32],
        of: &[Form],
        relation: &Relation,
        parameters: &Parameters,
    ) -> Result<Self> {
        let known = atoms(&self.coordinates);
        let value = self.values("", of, parameters)?.apply_range(relation)?;
        let both = self.values("", &known, parameters)?.flat_range_product(&value)?;
        let coordinates = [&self.coordinates[..], more].concat();
        Ok(Self { coordinates, set: self.set.apply(&both)?.coalesce()? })
    }

    /// Where the values of forms are in a set.
    pub(crate) fn with_values_in(&self, forms: &[Form], set: &Set, parameters: &Parameters) -> Result<Self> {
        let inside = self.values("", forms, parameters)?.intersect_range(set)?.domain()?;
        Ok(self.within(self.set.intersect(&inside)?))
    }

    /// With these coordinates alone, which are among its own, in this order.
    pub(crate) fn projected(&self, coordinates: &[u32]) -> Result<Self> {
        if self.coordinates == coordinates {
            return Ok(self.clone());
        }
        let forms = atoms(coordinates);
        let set = self.set.apply(&self.of_coordinates(&forms)?)?;
        Ok(Self { coordinates: coordinates.to_vec(), set: set.coalesce()? })
    }

    /// The same points as one conjunction, where they are that: what one way excludes, another one mostly has.
    pub(crate) fn simple(self) -> Result<Self> {
        let hull = self.set.simple_hull()?;
        Ok(if hull.is_subset(&self.set)? { self.within(hull) } else { self })
    }

    /// From its points to these coordinates.
    fn of_coordinates(&self, forms: &[Form]) -> Result<Relation> {
        self.values("", forms, &Parameters::default())
    }

    /// From its points to the values of forms.
    fn values(&self, name: &str, forms: &[Form], parameters: &Parameters) -> Result<Relation> {
        let columns = Columns::of(forms.iter(), self.coordinates.len(), parameters);
        let from = columns.coordinates();
        let to: Vec<String> = (0..forms.len()).map(|at| format!("d{at}")).collect();
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        let constraints = forms
            .iter()
            .enumerate()
            .map(|(at, form)| {
                let mut factors = columns.factors(form, &self.coordinates)?;
                factors.extend((0..forms.len()).map(|other| if other == at { -1 } else { 0 }));
                Ok(Constraint { is_equation: true, factors, constant: form.constant })
            })
            .collect::<Result<Vec<Constraint>>>()?;
        let to = Names { tuple: name, coordinates: &to };
        Ok(Relation::of(self.set.context(), &columns.names, &tuple(&from), &to, 0, &constraints)?)
    }

    /// From instances with these coordinates, under a name, to the values of forms, where the path is taken.
    pub(crate) fn relation(
        &self,
        name: &str,
        instance: &[u32],
        forms: &[Form],
        parameters: &Parameters,
    ) -> Result<Relation> {
        let keys = atoms(instance);
        let instances = self.values(name, &keys, parameters)?.intersect_domain(&self.set)?;
        let values = self.values("", forms, parameters)?;
        Ok(instances.inverse()?.apply_range(&values)?.coalesce()?)
    }

    /// The points of the region that another one of some of its coordinates, the first ones, has too.
    pub(crate) fn inside(&self, other: &Self) -> Result<Self> {
        let forms = atoms(&other.coordinates);
        let inside = self.of_coordinates(&forms)?.intersect_range(&other.set)?.domain()?;
        Ok(self.within(self.set.intersect(&inside)?))
    }

    /// The same region, as another one says it that has the same points: where all ways of a branch come together again.
    pub(crate) fn simplified_to(self, other: Self) -> Result<Self> {
        if !self.coordinates.iter().all(|at| other.coordinates.contains(at)) {
            return Ok(self);
        }
        let other = other.projected(&self.coordinates)?;
        Ok(if self.set.is_equal(&other.set)? { other } else { self })
    }

    /// All of two regions of the same coordinates.
    pub(crate) fn union(&self, other: &Self) -> Result<Self> {
        debug_assert_eq!(self.coordinates, other.coordinates);
        Ok(self.within(self.set.union(&other.set)?.coalesce()?))
    }

    /// Those points whose last coordinates, so many digits of a counter that begins with 0, are not beyond one of another region of the same
    /// coordinates: the rounds of a loop that are reached, given those in which it is left.
    pub(crate) fn until(&self, left: &Self, digits: usize) -> Result<Self> {
        debug_assert_eq!(self.coordinates, left.coordinates);
        let count = self.coordinates.len();
        let from: Vec<String> = (0..count).map(|at| format!("c{at}")).collect();
        let to: Vec<String> = (0..count).map(|at| format!("d{at}")).collect();
        let from: Vec<&str> = from.iter().map(String::as_str).collect();
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        let mut set = self.set.clone();
        for first in count - digits..count {
            // The digits before are the same, and this one is greater.
            let constraints: Vec<Constraint> = (0..=first)
                .map(|at| {
                    let mut factors = vec![0; 2 * count];
                    (factors[at], factors[count + at]) = (-1, 1);
                    let is_greater = at == first;
                    Constraint { is_equation: !is_greater, factors, constant: -i64::from(is_greater) }
                })
                .collect();
            let later = Relation::of(self.set.context(), &[], &tuple(&from), &tuple(&to), 0, &constraints)?;
            set = set.subtract(&left.set.apply(&later)?)?;
        }
        Ok(self.within(set.coalesce()?))
    }

    /// Whether the last coordinate has the same values, whatever the others are.
    pub(crate) fn is_free_of_last(&self) -> Result<bool> {
        let count = self.coordinates.len();
        let names: Vec<String> = (0..count).map(|at| format!("c{at}")).collect();
        let (around, last) = (names[..count - 1].join(", "), &names[count - 1]);
        let apart = format!("{{ [{}] -> [[{around}] -> [{last}]] }}", names.join(", "));
        let pairs = self.set.apply(&Relation::parse(self.set.context(), &apart)?)?.unwrap_pairs()?;
        Ok(pairs.domain()?.cross(&pairs.range()?)?.is_subset(&pairs)?)
    }

    /// Its points with one less in the last coordinate, a counter: the rounds before.
    pub(crate) fn moved_back(&self) -> Result<Self> {
        let names: Vec<String> = (0..self.coordinates.len()).map(|at| format!("c{at}")).collect();
        let all = names.join(", ");
        let back = Relation::parse(self.set.context(), &format!("{{ [{all}] -> [{all} - 1] }}"))?;
        Ok(self.within(self.set.apply(&back)?))
    }

    /// Whether every point of it is, without its last coordinates, one of another region.
    pub(crate) fn covers_first_of(&self, whole: &Self) -> Result<bool> {
        Ok(whole.set.is_subset(&self.projected(&whole.coordinates)?.set)?)
    }
}
