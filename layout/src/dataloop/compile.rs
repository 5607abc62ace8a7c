//! From type trees to loops.

use rustc_hash::FxHashMap;

use super::loops::Placed;
use super::{DEEPEST, LoopError, Units};
use crate::basic::Basic;
use crate::tree::Tree;

/// The loops of a tree.
pub(super) fn compile(tree: &Tree, units: Units) -> Result<Placed, LoopError> {
    Compiler { units, known: FxHashMap::default() }.compile(tree, 0)
}

struct Compiler {
    units: Units,
    /// Trees share children, so a tree of a few nodes can have very many paths. By address: comparing would walk all of them.
    known: FxHashMap<*const Tree, Placed>,
}

impl Compiler {
    fn compile(&mut self, tree: &Tree, depth: u32) -> Result<Placed, LoopError> {
        if depth > DEEPEST {
            return Err(LoopError::TooDeep);
        }
        if let Some(known) = self.known.get(&std::ptr::from_ref(tree)) {
            return Ok(known.clone());
        }
        let compiled = match tree {
            Tree::Con { count, basic } => self.numbers(*count, *basic)?,
            Tree::Vec { count, stride, child } => {
                Placed::vector(*count as u64, *stride, self.compile(child, depth + 1)?)?
            }
            Tree::Idx { indices, child } => Placed::block_indexed(indices, self.compile(child, depth + 1)?)?,
            Tree::Strc { indices, children } => {
                let placed = indices.iter().zip(children.iter());
                let parts = placed.map(|(index, child)| self.compile(child, depth + 1)?.moved(*index));
                Placed::structure(parts.collect::<Result<_, _>>()?)?
            }
            Tree::VecBuc { stride, step, buckets, child } => {
                let offset = |i: usize| {
                    i64::try_from(i).ok().and_then(|i| i.checked_mul(*stride)).ok_or(LoopError::TooLarge)
                };
                let indices = (0..buckets.len()).map(offset).collect::<Result<Vec<_>, _>>()?;
                self.buckets(&indices, buckets, *step, child, depth)?
            }
            Tree::IdxBuc { step, indices, buckets, child } => {
                self.buckets(indices, buckets, *step, child, depth)?
            }
        };
        self.known.insert(std::ptr::from_ref(tree), compiled.clone());
        Ok(compiled)
    }

    fn buckets(
        &mut self,
        indices: &[i64],
        buckets: &[usize],
        step: i64,
        child: &Tree,
        depth: u32,
    ) -> Result<Placed, LoopError> {
        let counts: Vec<u64> = buckets.iter().map(|count| *count as u64).collect();
        Placed::indexed(indices, &counts, step, self.compile(child, depth + 1)?)
    }

    fn numbers(&self, count: usize, basic: Basic) -> Result<Placed, LoopError> {
        let size = basic.size().unsigned_abs() as u32;
        match self.units {
            Units::Bytes => Placed::contig(count.checked_mul(size as usize).ok_or(LoopError::TooLarge)?, 1),
            Units::Numbers => {
                // A complex number is two numbers.
                let parts = match basic {
                    Basic::FloatComplex | Basic::DoubleComplex | Basic::LongDoubleComplex => 2,
                    _ => 1,
                };
                let numbers = count.checked_mul(parts).ok_or(LoopError::TooLarge)?;
                Placed::contig(numbers, size / parts as u32)
            }
        }
    }
}
