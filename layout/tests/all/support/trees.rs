//! Random trees, and what they describe element by element.

use arbtest::arbitrary::{Result, Unstructured};
use layout::{Basic, Element, Tree, Typemap};

/// A tree with few elements: displacements may be negative, repeated or overlapping, counts 0.
pub(crate) fn tree(u: &mut Unstructured<'_>, depth: u32) -> Result<Tree> {
    const BASICS: [Basic; 6] =
        [Basic::Char, Basic::Short, Basic::Int, Basic::Double, Basic::FloatComplex, Basic::LongDouble];
    if depth == 0 || u.ratio(1, 6)? {
        return Ok(Tree::con(u.int_in_range(0..=4)?, *u.choose(&BASICS)?));
    }
    let count = u.int_in_range(0..=4)?;
    let child = |u: &mut Unstructured<'_>| tree(u, depth - 1);
    let index = |u: &mut Unstructured<'_>| {
        // Often neighbours, so that there is something to join.
        if u.ratio(1, 2)? { Ok(8 * u.int_in_range(-6..=6)?) } else { u.int_in_range(-90_i64..=90) }
    };
    let indices = |u: &mut Unstructured<'_>| (0..count).map(|_| index(u)).collect::<Result<Vec<i64>>>();
    let buckets =
        |u: &mut Unstructured<'_>| (0..count).map(|_| u.int_in_range(0..=3)).collect::<Result<Vec<usize>>>();
    Ok(match u.int_in_range(0..=5)? {
        0 | 1 => Tree::vec(count, index(u)?, child(u)?),
        2 => Tree::idx(indices(u)?, child(u)?),
        3 => Tree::strc(indices(u)?, (0..count).map(|_| child(u)).collect::<Result<Vec<_>>>()?),
        4 => Tree::VecBuc {
            stride: index(u)?,
            step: index(u)?,
            buckets: buckets(u)?.into(),
            child: child(u)?.into(),
        },
        _ => Tree::IdxBuc {
            step: index(u)?,
            indices: indices(u)?.into(),
            buckets: buckets(u)?.into(),
            child: child(u)?.into(),
        },
    })
}

/// The elements of so many copies.
pub(crate) fn copies(map: &Typemap, count: u64) -> Vec<Element> {
    (0..count as i64)
        .flat_map(|i| {
            map.elements.iter().map(move |e| Element::new(e.displacement + i * map.extent, e.basic))
        })
        .collect()
}

/// Where each packed byte is in memory, from the origin.
pub(crate) fn addresses(elements: &[Element]) -> Vec<i64> {
    elements.iter().flat_map(|e| e.displacement..e.displacement + e.basic.size()).collect()
}
