//! Trees folded into directed acyclic graphs: subtrees that are the same are kept once.
//!
//! The cheapest tree does not always fold into the cheapest graph (Ganian, Kalany, Szeider, Träff 2018, section 4.2); how to find that one is
//! an open question.

use std::fmt;

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;
use rustc_hash::FxHashMap;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

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

impl fmt::Display for Dag<'_> {
    /// Subtrees that are used more than once, each with a name, in lines like `t1 = idx(3,<0,3,4>,con(1))`, and the whole tree in a last line
    /// without one. Leaves stay where they are. `{:#}` is as for trees.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: FxHashMap<&Tree, usize> = FxHashMap::default();
        // Children were added before their parents.
        for node in self.graph.node_indices() {
            let tree = self.graph[node];
            let uses = self.graph.edges_directed(node, Direction::Incoming).count();
            if node != self.root && (uses < 2 || matches!(tree, Tree::Con { .. })) {
                continue;
            }
            if node != self.root {
                write!(f, "t{} = ", names.len() + 1)?;
            }
            write_named(f, tree, &names)?;
            if node != self.root {
                f.write_str("\n")?;
            }
            names.insert(tree, names.len() + 1);
        }
        Ok(())
    }
}

/// Writes a tree with names in place of subtrees that have one.
fn write_named(f: &mut fmt::Formatter<'_>, tree: &Tree, names: &FxHashMap<&Tree, usize>) -> fmt::Result {
    tree.write_root(f, &|f, child| match names.get(child) {
        Some(number) => write!(f, "t{number}"),
        None => write_named(f, child, names),
    })
}

impl Serialize for Dag<'_> {
    /// `{"nodes":[...],"root":n}`: nodes as trees have them, but with numbers of nodes in place of children, which come before their parents.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut dag = serializer.serialize_struct("Dag", 2)?;
        dag.serialize_field("nodes", &Nodes(self))?;
        dag.serialize_field("root", &self.root.index())?;
        dag.end()
    }
}

struct Nodes<'a>(&'a Dag<'a>);

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let graph = &self.0.graph;
        let mut all = serializer.serialize_seq(Some(graph.node_count()))?;
        for node in graph.node_indices() {
            let mut children: Vec<(usize, usize)> =
                graph.edges(node).map(|edge| (*edge.weight(), edge.target().index())).collect();
            children.sort_unstable();
            let children = children.into_iter().map(|(_, child)| child).collect();
            all.serialize_element(&Node { tree: graph[node], children })?;
        }
        all.end()
    }
}

/// A node with the numbers of its children.
struct Node<'a> {
    tree: &'a Tree,
    children: Vec<usize>,
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut node = serializer.serialize_map(None)?;
        match self.tree {
            Tree::Con { count, basic } => {
                node.serialize_entry("kind", "con")?;
                node.serialize_entry("count", count)?;
                node.serialize_entry("basic", basic)?;
            }
            Tree::Vec { count, stride, .. } => {
                node.serialize_entry("kind", "vec")?;
                node.serialize_entry("count", count)?;
                node.serialize_entry("stride", stride)?;
            }
            Tree::Idx { indices, .. } => {
                node.serialize_entry("kind", "idx")?;
                node.serialize_entry("indices", &indices[..])?;
            }
            Tree::Strc { indices, .. } => {
                node.serialize_entry("kind", "strc")?;
                node.serialize_entry("indices", &indices[..])?;
            }
            Tree::VecBuc { stride, step, buckets, .. } => {
                node.serialize_entry("kind", "vecbuc")?;
                node.serialize_entry("stride", stride)?;
                node.serialize_entry("step", step)?;
                node.serialize_entry("buckets", &buckets[..])?;
            }
            Tree::IdxBuc { step, indices, buckets, .. } => {
                node.serialize_entry("kind", "idxbuc")?;
                node.serialize_entry("step", step)?;
                node.serialize_entry("indices", &indices[..])?;
                node.serialize_entry("buckets", &buckets[..])?;
            }
        }
        match (self.tree, self.children.as_slice()) {
            (Tree::Strc { .. }, children) => node.serialize_entry("children", children)?,
            (_, [child]) => node.serialize_entry("child", child)?,
            _ => {}
        }
        node.end()
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
        let dag = Dag::fold(&tree);
        assert_eq!(dag.graph.node_count(), 4);
        assert_eq!(
            format!("{dag:#}"),
            "t1 = idx(3,<0,3,4>,con(1,MPI_INT))\nstrc(3,<0,100,300>,<t1,vec(4,50,t1),t1>)"
        );
        assert_eq!(
            serde_json::to_string(&dag).expect("all keys are strings"),
            concat!(
                r#"{"nodes":[{"kind":"con","count":1,"basic":"MPI_INT"},{"kind":"idx","indices":[0,3,4],"child":0},"#,
                r#"{"kind":"vec","count":4,"stride":50,"child":1},"#,
                r#"{"kind":"strc","indices":[0,100,300],"children":[1,2,1]}],"root":3}"#
            )
        );
    }
}
