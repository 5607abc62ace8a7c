//! What is known of the control flow of a function before it is followed.

use frontend::ir::{BlockId, Cfg, Terminator};
use petgraph::algo::dominators;
use petgraph::graph::DiGraph;
use petgraph::visit::{DfsPostOrder, Reversed};
use rustc_hash::FxHashMap;

/// The order of blocks, their loops, and where branches come together again.
#[derive(Debug)]
pub(crate) struct Flow {
    /// Blocks in an order in which each comes after those before it, back edges aside: the place of each.
    pub(crate) place: FxHashMap<BlockId, usize>,
    /// The index of the loop that begins at a block.
    pub(crate) loops: FxHashMap<BlockId, usize>,
    /// The block in which all ways from a block that return come together; `None` where that is the end of the function.
    pub(crate) together: FxHashMap<BlockId, Option<BlockId>>,
}

impl Flow {
    pub(crate) fn of(body: &Cfg) -> Self {
        let mut order = Vec::new();
        let mut walk = DfsPostOrder::new(&body.graph, body.entry);
        while let Some(block) = walk.next(&body.graph) {
            order.push(block);
        }
        order.reverse();
        let place = order.iter().enumerate().map(|(at, &block)| (block, at)).collect();
        let loops = body.loops.iter().enumerate().map(|(at, natural)| (natural.header, at)).collect();
        let mut graph: DiGraph<(), (), u32> = body.graph.map(|_, _| (), |_, _| ());
        let exit = graph.add_node(());
        for &block in &order {
            if matches!(body.graph[block].terminator, Terminator::Return(..)) {
                graph.add_edge(block, exit, ());
            }
        }
        let found = dominators::simple_fast(Reversed(&graph), exit);
        let together = order
            .iter()
            .filter_map(|&block| {
                let next = found.immediate_dominator(block)?;
                Some((block, (next != exit).then_some(next)))
            })
            .collect();
        Self { place, loops, together }
    }
}
