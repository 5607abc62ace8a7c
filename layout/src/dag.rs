//! Trees folded into directed acyclic graphs: subtrees that are the same are kept once.
//!
//! The cheapest tree does not always fold into the cheapest graph (Ganian, Kalany, Szeider, Träff 2018, section 4.2); how to find that one is
//! an open question.

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::cost::CostModel;
use crate::tree::Tree;

/// A tree with each different subtree once.
#[derive(Clone, Debug)]
pub struct Dag<'a> {
    /// The different subtrees; edges go from parents to children, one for each mention of a child, and say which one it is.
    pub graph: DiGraph<&'a Tree, usize>,
    /// The whole tree.
    pub root: NodeIndex,
}

impl<'a> Dag<'a> {
    /// Folds a tree.
    pub fn fold(tree: &'a Tree) -> Self {
        let mut graph = DiGraph::new();
        let mut known = FxHashMap::default();
        let root = add(tree, &mut graph, &mut known);
        Self { graph, root }
    }

    /// What the graph costs: the sum over its nodes, each once, however often it is used.
    pub fn cost(&self, model: &CostModel) -> u64 {
        self.graph.node_weights().map(|node| model.of_node(node)).sum()
    }
}

fn add<'a>(
    tree: &'a Tree,
    graph: &mut DiGraph<&'a Tree, usize>,
    known: &mut FxHashMap<&'a Tree, NodeIndex>,
) -> NodeIndex {
    if let Some(node) = known.get(tree) {
        return *node;
    }
    let children: Vec<NodeIndex> = tree.children().iter().map(|child| add(child, graph, known)).collect();
    let node = graph.add_node(tree);
    for (position, child) in children.into_iter().enumerate() {
        graph.add_edge(node, child, position);
    }
    known.insert(tree, node);
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basic::Basic;

    #[test]
    fn what_is_the_same_costs_once() {
        let row = Tree::idx([0, 3, 4], Tree::con(1, Basic::Int));
        let tree = Tree::strc([0, 100, 300], [row.clone(), Tree::vec(4, 50, row.clone()), row]);
        let model = CostModel::default();
        // strc 6 + 2 * 3, vec 6, idx 6 + 3, con 6.
        assert_eq!(Dag::fold(&tree).cost(&model), 12 + 6 + 9 + 6);
        assert_eq!(model.of(&tree), 12 + 6 + 3 * (9 + 6));
        assert_eq!(Dag::fold(&tree).graph.node_count(), 4);
    }
}
