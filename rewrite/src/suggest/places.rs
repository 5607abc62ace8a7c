//! Elements of arrays, and those that loops go through.

use tree_sitter::Node;

use super::counted::Counted;
use super::members::Member;
use super::scope::{Scope, Shape, Variable, has_word};
use super::sum::Sum;
use super::values::words;

/// An element of an array, `a[i][j]`.
#[derive(Clone)]
pub(super) struct Place<'t> {
    /// The array, or the pointer to its first element.
    pub(super) variable: Variable<'t>,
    indices: Vec<Sum>,
    /// Lengths of all dimensions but the first.
    lengths: Vec<Sum>,
    /// What a list adds to one of the indices.
    listed: Option<Listed<'t>>,
    /// The member that is meant, where the elements are structs.
    member: Option<Member<'t>>,
}

/// An element of a list of indices, as in `a[list[i]]`.
#[derive(Clone)]
pub(super) struct Listed<'t> {
    /// The list, and its name where it is used.
    pub(super) list: Variable<'t>,
    pub(super) name: Node<'t>,
    /// Which of its elements.
    at: Sum,
    /// What that is multiplied with.
    factor: Sum,
    /// Which of the indices of the array it is part of.
    dimension: usize,
}

/// The least and the greatest value of an index.
pub(super) type Range = (Sum, Sum);

/// A loop over elements: how many, and how far apart in elements of the array.
#[derive(Clone)]
pub(super) struct Level {
    pub(super) count: Sum,
    pub(super) stride: Sum,
}

/// What a nest of loops goes through, in the fewest loops; of each element only one.
pub(super) struct Walk {
    /// Elements that lie side by side, which the innermost loop goes through.
    pub(super) block: Sum,
    /// The struct of which each element is a member; strides count these.
    pub(super) owner: Option<String>,
    /// Loops over blocks, the outermost first.
    pub(super) levels: Vec<Level>,
}

/// What a nest of loops goes through where a list says where each block is.
pub(super) struct ListWalk<'t> {
    /// The list, and its name where it is used.
    pub(super) list: Variable<'t>,
    pub(super) name: Node<'t>,
    /// The first of its elements that is used, and how many are.
    pub(super) first: Sum,
    pub(super) count: Sum,
    /// Elements of a block, and between those of one index and the next.
    pub(super) block: Sum,
    pub(super) stride: Sum,
}

impl<'t> Place<'t> {
    /// The element that an expression is.
    pub(super) fn of(scope: &Scope<'t>, node: Node<'t>) -> Option<Self> {
        let place = Self::start(scope, node)?;
        // Of a row there are too few indices.
        let mut depth = 0;
        let mut base = node;
        while base.kind() == "subscript_expression" {
            (depth, base) = (depth + 1, base.child_by_field_name("argument")?);
        }
        (depth == place.indices.len()).then_some(place)
    }

    /// The first element of what an expression is: an element, a row, or the whole array.
    pub(super) fn start(scope: &Scope<'t>, node: Node<'t>) -> Option<Self> {
        let (mut base, mut indices) = (node, Vec::new());
        while base.kind() == "subscript_expression" {
            indices.insert(0, Sum::of(scope, base.child_by_field_name("index")?)?);
            base = base.child_by_field_name("argument")?;
        }
        if base.kind() != "identifier" {
            return None;
        }
        let variable = scope.variable(base, scope.text(base))?;
        let lengths = match &variable.shape {
            Shape::Pointer => Vec::new(),
            Shape::Array(lengths) => lengths
                .iter()
                .skip(1)
                .map(|&length| settled_length(scope, length?, base))
                .collect::<Option<_>>()?,
            Shape::Plain | Shape::Other => return None,
        };
        let is_plain = !scope.text(variable.declaration).contains("volatile");
        let dimensions = lengths.len() + 1;
        if !is_plain || dimensions < indices.len() {
            return None;
        }
        indices.resize(dimensions, Sum::default());
        Some(Self { variable, indices, lengths, listed: None, member: None })
    }

    /// The element that an expression is, where a list may say which one; or a variable that is no array.
    pub(super) fn of_any(scope: &Scope<'t>, node: Node<'t>) -> Option<Self> {
        if let Some(place) = Self::of(scope, node) {
            return Some(place);
        }
        if node.kind() == "identifier" {
            let variable = scope.variable(node, scope.text(node)).filter(|v| v.shape == Shape::Plain)?;
            let declaration = scope.text(variable.declaration);
            let has_address = !["register", "volatile"].iter().any(|word| has_word(declaration, word));
            return has_address.then_some(Self {
                variable,
                indices: Vec::new(),
                lengths: Vec::new(),
                listed: None,
                member: None,
            });
        }
        if let Some((owner, path, name)) = Member::of(scope, node) {
            let place = match path.starts_with('.') {
                true => Self::of_any(scope, owner)?,
                false => Self::start(scope, owner).filter(|place| place.variable.shape == Shape::Pointer)?,
            };
            let member = Member::in_variable(scope, &place.variable, (path, name))?;
            let is_plain = place.listed.is_none() && place.member.is_none();
            return is_plain.then_some(Self { member: Some(member), ..place });
        }
        let (mut base, mut indices) = (node, Vec::new());
        while base.kind() == "subscript_expression" {
            indices.insert(0, base.child_by_field_name("index")?);
            base = base.child_by_field_name("argument")?;
        }
        // All that an array is but for its indices.
        let place = Self::start(scope, base).filter(|place| place.indices.len() == indices.len())?;
        let mut listed = None;
        let mut sums = Vec::new();
        for (dimension, index) in indices.into_iter().enumerate() {
            let (found, rest) = Listed::split(scope, index, dimension)?;
            if let Some(found) = found
                && listed.replace(found).is_some()
            {
                return None;
            }
            sums.push(rest);
        }
        Some(Self { indices: sums, listed, ..place })
    }

    /// Elements before it in the array.
    pub(super) fn offset(&self) -> Option<Sum> {
        let mut offset = Sum::default();
        for (position, index) in self.indices.iter().enumerate() {
            if let Some(length) = position.checked_sub(1).map(|before| &self.lengths[before]) {
                offset = offset.times(length)?;
            }
            offset = offset.plus(index)?;
        }
        Some(offset)
    }

    /// With a value in place of a variable.
    pub(super) fn with(&self, variable: &str, value: &Sum) -> Option<Self> {
        let indices = self.indices.iter().map(|index| index.with(variable, value)).collect::<Option<_>>()?;
        Some(Self { indices, ..self.clone() })
    }

    /// The first element that loops come to.
    pub(super) fn first(&self, loops: &[Counted<'t>]) -> Option<Self> {
        loops.iter().try_fold(self.clone(), |place, one| place.with(one.variable, &one.first))
    }

    /// Whether it is a member of a struct.
    pub(super) fn is_member(&self) -> bool {
        self.member.is_some()
    }

    /// Whether the elements are those of a predefined datatype.
    pub(super) fn has_elements(&self, scope: &Scope<'t>, datatype: &str) -> bool {
        match &self.member {
            Some(member) => Scope::is_element(member.c_type, datatype),
            None => scope.has_elements(&self.variable, datatype),
        }
    }

    /// Whether it is a variable that is no array.
    pub(super) fn is_scalar(&self) -> bool {
        self.indices.is_empty()
    }

    /// The list that says where elements are.
    pub(super) fn list(&self) -> Option<&Variable<'t>> {
        self.listed.as_ref().map(|listed| &listed.list)
    }

    /// The address of the element as an expression of C.
    pub(super) fn address(&self, scope: &Scope<'t>) -> String {
        let name = scope.text(self.variable.name);
        if let Some(member) = &self.member {
            let indices = if member.path.starts_with('.') { self.indices.as_slice() } else { &[] };
            let indices: String = indices.iter().map(|index| format!("[{index}]")).collect();
            return format!("&{name}{indices}{}", member.path);
        }
        match self.indices.as_slice() {
            all if self.listed.is_some() && all.iter().all(|index| *index == Sum::default()) => {
                name.to_owned()
            }
            [only] if *only == Sum::default() => name.to_owned(),
            all => {
                let indices: String = all.iter().map(|index| format!("[{index}]")).collect();
                format!("&{name}{indices}")
            }
        }
    }

    /// What loops around it go through, where a list says which blocks the outermost of them goes through.
    pub(super) fn list_walk(&self, scope: &Scope<'t>, loops: &[Counted<'t>]) -> Option<ListWalk<'t>> {
        let listed = self.listed.as_ref()?;
        let (outer, inner) = loops.split_first()?;
        let (step, rest) = listed.at.split(outer.variable)?;
        let depends = |sum: &Sum, one: &Counted<'t>| sum.names().any(|name| has_word(name, one.variable));
        let moves_alone = step == Sum::number(1)
            && inner.iter().all(|one| !depends(&rest, one))
            && self.indices.iter().all(|index| !depends(index, outer));
        let within = Self { listed: None, ..self.clone() }.walk(scope, inner)?;
        let beyond = self.lengths.get(listed.dimension..)?;
        let stride = beyond.iter().try_fold(listed.factor.clone(), |stride, length| stride.times(length))?;
        let fits = moves_alone && within.levels.is_empty();
        fits.then(|| {
            Some(ListWalk {
                list: listed.list.clone(),
                name: listed.name,
                first: listed.at.with(outer.variable, &outer.first)?,
                count: outer.count.clone(),
                block: within.block,
                stride,
            })
        })?
    }

    /// What loops around it go through; `None` where that is no regular pattern.
    pub(super) fn walk(&self, scope: &Scope<'t>, loops: &[Counted<'t>]) -> Option<Walk> {
        if self.listed.is_some() {
            return None;
        }
        let offset = self.offset()?;
        let mut levels: Vec<Level> = Vec::new();
        for one in loops {
            let (stride, _) = offset.split(one.variable)?;
            if loops.iter().any(|other| stride.names().any(|name| name == other.variable)) {
                return None;
            }
            levels.push(Level { count: one.count.clone(), stride });
        }
        let mut block = Sum::number(1);
        // Between members of one name there are others.
        while let Some(last) = levels.last()
            && self.member.is_none()
            && last.stride.equals(scope, &block)
        {
            block = block.times(&last.count)?;
            levels.pop();
        }
        let mut position = 1;
        while position < levels.len() {
            let (outer, inner) = (&levels[position - 1], &levels[position]);
            if outer.stride.equals(scope, &inner.count.times(&inner.stride)?) {
                let count = outer.count.times(&inner.count)?;
                let stride = inner.stride.clone();
                levels.splice(position - 1..=position, [Level { count, stride }]);
            } else {
                position += 1;
            }
        }
        Some(Walk { block, owner: self.member.as_ref().map(|member| member.owner.clone()), levels })
    }

    /// Whether loops around it come to no element twice, as far as they stay within the dimensions of the array.
    pub(super) fn is_injective(&self, scope: &Scope<'t>, loops: &[Counted<'t>]) -> bool {
        if self.listed.is_some() {
            return self.list_walk(scope, loops).is_some_and(|walk| walk.is_injective(scope));
        }
        let mut taken = vec![false; self.indices.len()];
        loops.iter().all(|one| {
            let factors: Vec<_> = self.indices.iter().map(|index| index.split(one.variable)).collect();
            let moved: Vec<usize> = (0..factors.len())
                .filter(|&at| factors[at].as_ref().is_none_or(|(factor, _)| *factor != Sum::default()))
                .collect();
            let [only] = moved.as_slice() else { return false };
            let is_step = |sum: &Sum| *sum == Sum::number(1) || *sum == Sum::number(-1);
            let steps = factors[*only].as_ref().is_some_and(|(factor, _)| is_step(factor));
            steps && !std::mem::replace(&mut taken[*only], true)
        })
    }

    /// What its indices are in loops around it, as far as they go up with at most one of them each.
    pub(super) fn ranges(&self, loops: &[Counted<'t>]) -> Vec<Option<Range>> {
        let is_listed = |at: usize| self.listed.as_ref().is_some_and(|listed| listed.dimension == at);
        let indices = self.indices.iter().enumerate();
        indices.map(|(at, index)| if is_listed(at) { None } else { range(index, loops) }).collect()
    }

    /// Those of some elements from this one on, in one row.
    pub(super) fn row(&self, scope: &Scope<'t>, count: &Sum) -> Option<Vec<Option<Range>>> {
        let first = self.indices.last()?;
        let beyond = first.plus(count)?;
        if let Some(length) = self.lengths.last() {
            let left = length.minus(&beyond)?.value(scope)?;
            if left < 0 {
                return None;
            }
        }
        let mut ranges = self.ranges(&[]);
        *ranges.last_mut()? = Some((first.clone(), beyond.minus(&Sum::number(1))?));
        Some(ranges)
    }

    /// Whether ranges of indices of one array have no element in common: in one of the dimensions they have no index in common.
    pub(super) fn are_beside(scope: &Scope<'t>, a: &[Option<Range>], b: &[Option<Range>]) -> bool {
        let less = |a: &Sum, b: &Sum| b.minus(a).and_then(|d| d.value(scope)).is_some_and(|d| 0 < d);
        let apart = |(a, b): (&Option<Range>, &Option<Range>)| match (a, b) {
            (Some((low, high)), Some((other_low, other_high))) => {
                less(high, other_low) || less(other_high, low)
            }
            _ => false,
        };
        a.len() == b.len() && a.iter().zip(b).any(apart)
    }
}

impl<'t> Listed<'t> {
    /// What an index has of a list, and the rest.
    fn split(scope: &Scope<'t>, node: Node<'t>, dimension: usize) -> Option<(Option<Self>, Sum)> {
        let part = |node: Node<'t>| Self::split(scope, node, dimension);
        match node.kind() {
            "parenthesized_expression" => part(node.named_child(0)?),
            "subscript_expression" => {
                let name = node.child_by_field_name("argument").filter(|n| n.kind() == "identifier")?;
                let list = scope.variable(name, scope.text(name))?;
                let at = Sum::of(scope, node.child_by_field_name("index")?)?;
                // What MPI is given displacements in.
                let is_list = list.dimensions() == 1
                    && scope.type_of(&list).as_deref() == Some("int")
                    && !scope.text(list.declaration).contains("volatile");
                let factor = Sum::number(1);
                is_list.then_some((Some(Self { list, name, at, factor, dimension }), Sum::default()))
            }
            "binary_expression" => {
                let operator = node.child_by_field_name("operator")?.kind();
                if !["+", "-", "*"].contains(&operator) {
                    return Some((None, Sum::of(scope, node)?));
                }
                let (left, a) = part(node.child_by_field_name("left")?)?;
                let (right, b) = part(node.child_by_field_name("right")?)?;
                match (operator, left, right) {
                    ("+", found, None) | ("+", None, found) => Some((found, a.plus(&b)?)),
                    ("-", found, None) => Some((found, a.minus(&b)?)),
                    ("*", None, None) => Some((None, a.times(&b)?)),
                    ("*", Some(found), None) => {
                        Some((Some(Self { factor: found.factor.times(&b)?, ..found }), a.times(&b)?))
                    }
                    ("*", None, Some(found)) => {
                        Some((Some(Self { factor: found.factor.times(&a)?, ..found }), a.times(&b)?))
                    }
                    _ => None,
                }
            }
            _ => Some((None, Sum::of(scope, node)?)),
        }
    }
}

impl<'t> ListWalk<'t> {
    /// Whether the list is known, and has no index twice where blocks are no longer than what is between two indices.
    fn is_injective(&self, scope: &Scope<'t>) -> bool {
        let number = |sum: &Sum| usize::try_from(sum.value(scope)?).ok();
        let known = || {
            let words = words(scope, self.name)?;
            let first = number(&self.first)?;
            let mut used = words.get(first..first.checked_add(number(&self.count)?)?)?.to_vec();
            used.sort_unstable();
            Some(used.windows(2).all(|pair| pair[0] != pair[1]))
        };
        let is_apart = match (number(&self.block), number(&self.stride)) {
            (Some(block), Some(stride)) => block <= stride,
            _ => self.block == self.stride,
        };
        is_apart && known() == Some(true)
    }
}

/// The least and the greatest value of an index in loops; `None` where it does not go up with at most one of them.
fn range(index: &Sum, loops: &[Counted<'_>]) -> Option<Range> {
    let (mut low, mut high) = (index.clone(), index.clone());
    for one in loops {
        let (factor, _) = index.split(one.variable)?;
        if factor != Sum::default() && factor != Sum::number(1) {
            return None;
        }
        let last = one.first.plus(&one.count)?.minus(&Sum::number(1))?;
        low = low.with(one.variable, &one.first)?;
        high = high.with(one.variable, &last)?;
    }
    Some((low, high))
}

/// The length of a dimension, of names that mean the same at a use of the array.
fn settled_length<'t>(scope: &Scope<'t>, length: Node<'t>, used: Node<'t>) -> Option<Sum> {
    let sum = Sum::of(scope, length)?;
    let is_settled = |name: &str| {
        scope.number(name).is_some()
            || match (scope.variable(length, name), scope.variable(used, name)) {
                (Some(there), Some(here)) => there.name == here.name && scope.is_settled(&there),
                _ => false,
            }
    };
    let all_settled = sum.names().all(is_settled);
    all_settled.then_some(sum)
}
