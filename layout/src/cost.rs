//! What a type tree costs: the additive model of Ganian, Kalany, Szeider and Träff (2018), section 2.

use serde::Serialize;

use crate::tree::Tree;

/// What each node of a tree costs, in words that must be stored and looked at.
///
/// The cost of a tree is the sum over its nodes; an index, a bucket size and a pointer to a child among several cost
/// [`lookup`](Self::lookup) each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CostModel {
    /// A leaf `con(c)`.
    pub con: u32,
    /// A node `vec(c, d, C)`.
    pub vec: u32,
    /// A node `idx(c, <i>, C)` without its indices, of which each costs one `lookup`.
    pub idx: u32,
    /// A node `strc(c, <i>, <C>)` without its indices and children, of which each costs one `lookup`.
    pub strc: u32,
    /// A node `vecbuc(c, d, e, <b>, C)` without its bucket sizes, of which each costs one `lookup`.
    pub vecbuc: u32,
    /// A node `idxbuc(c, e, <i>, <b>, C)` without its indices and bucket sizes, of which each costs one `lookup`.
    pub idxbuc: u32,
    /// One element of a list.
    pub lookup: u32,
}

impl Default for CostModel {
    /// What the paper suggests: 6 words for every node, 1 for every element of a list.
    fn default() -> Self {
        Self::uniform(6, 1)
    }
}

impl CostModel {
    /// Every node costs `node`, every element of a list costs `lookup`.
    pub const fn uniform(node: u32, lookup: u32) -> Self {
        Self { con: node, vec: node, idx: node, strc: node, vecbuc: node, idxbuc: node, lookup }
    }

    /// The names that [`set`](Self::set) knows: `node` is all but `lookup`, the others are fields.
    pub const NAMES: [&str; 8] = ["node", "con", "vec", "idx", "strc", "vecbuc", "idxbuc", "lookup"];

    /// Sets the constant of that name; `false` if there is none.
    pub fn set(&mut self, name: &str, cost: u32) -> bool {
        match name {
            "node" => *self = Self::uniform(cost, self.lookup),
            "con" => self.con = cost,
            "vec" => self.vec = cost,
            "idx" => self.idx = cost,
            "strc" => self.strc = cost,
            "vecbuc" => self.vecbuc = cost,
            "idxbuc" => self.idxbuc = cost,
            "lookup" => self.lookup = cost,
            _ => return false,
        }
        true
    }

    /// All constants, in the order of the fields.
    pub(crate) const fn constants(&self) -> [u32; 7] {
        [self.con, self.vec, self.idx, self.strc, self.vecbuc, self.idxbuc, self.lookup]
    }

    /// The cost of a whole tree.
    pub fn of(&self, tree: &Tree) -> u64 {
        tree.nodes().map(|node| self.of_node(node)).sum()
    }

    /// The cost of the root of a tree, without that of its children.
    pub fn of_node(&self, node: &Tree) -> u64 {
        let list = |node: u32, elements: usize| u64::from(node) + elements as u64 * u64::from(self.lookup);
        match node {
            Tree::Con { .. } => u64::from(self.con),
            Tree::Vec { .. } => u64::from(self.vec),
            Tree::Idx { indices, .. } => list(self.idx, indices.len()),
            Tree::Strc { indices, .. } => list(self.strc, 2 * indices.len()),
            Tree::VecBuc { buckets, .. } => list(self.vecbuc, buckets.len()),
            Tree::IdxBuc { indices, .. } => list(self.idxbuc, 2 * indices.len()),
        }
    }
}
