//! The traversal: from a position among the packed bytes to the next, with a stack of its own.

use super::action::Action;
use super::nest::{Nest, Part};
use super::program::{Kind, Program};

/// Where processing is.
///
/// The position alone says where it goes on: each frame finds its repetition from it. So any position can be gone to, and an action may
/// stop anywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    stack: Vec<Frame>,
    pub(super) position: u64,
}

/// A node that is being processed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: usize,
    memory: i64,
    packed: u64,
    /// The child that was processed last, from which the next one is not far.
    near: usize,
}

impl Cursor {
    /// Goes to any position.
    pub(super) fn seek(&mut self, position: u64, program: &Program) {
        self.position = position;
        while let Some(top) = self.stack.last()
            && !(top.packed..top.packed + program.nodes[top.node].size).contains(&position)
        {
            self.stack.pop();
        }
    }

    /// Goes on with `action` to position `to`, or to where it stops.
    ///
    /// The program's data starts at `memory` from the origin of the buffer.
    pub(super) fn advance(&mut self, program: &Program, memory: i64, to: u64, action: &mut impl Action) {
        // Most layouts are one nest, for which no stack is needed.
        if let Kind::Leaf(nest) = &program.nodes[program.root()].kind {
            leaf(nest, memory, 0, &mut self.position, to, action);
            return;
        }
        while self.position < to {
            let Some(top) = self.stack.last_mut() else {
                self.stack.push(Frame { node: program.root(), memory, packed: 0, near: 0 });
                continue;
            };
            let node = &program.nodes[top.node];
            let within = self.position - top.packed;
            if within >= node.size {
                self.stack.pop();
                continue;
            }
            let frame = match &node.kind {
                Kind::Leaf(nest) => {
                    let (memory, packed) = (top.memory, top.packed);
                    let end = to.min(packed + node.size);
                    if !leaf(nest, memory, packed, &mut self.position, end, action) {
                        return;
                    }
                    continue;
                }
                Kind::Repeat { dim, child } => {
                    let i = within / dim.size;
                    (*child, dim.offset(i), i * dim.size)
                }
                Kind::Blocks { offsets, before, step, child } => {
                    let i = find(before, within, &mut top.near);
                    let size = program.nodes[*child].size;
                    let j = (within - before[i]) / size;
                    (*child, offsets[i] + j as i64 * step, before[i] + j * size)
                }
                Kind::Fork { offsets, before, children } => {
                    let i = find(before, within, &mut top.near);
                    (children[i], offsets[i], before[i])
                }
            };
            let (node, offset, before) = frame;
            let frame = Frame { node, memory: top.memory + offset, packed: top.packed + before, near: 0 };
            self.stack.push(frame);
        }
    }
}

/// Processes a nest that starts at `memory` and `packed` from `position` to `end`; says whether the action took all.
#[inline(always)]
fn leaf(
    nest: &Nest,
    memory: i64,
    packed: u64,
    position: &mut u64,
    end: u64,
    action: &mut impl Action,
) -> bool {
    while *position < end {
        let (at, cut, whole) = nest.piece(*position - packed, end - *position);
        let took = action.part(Part { nest, cut }, memory + at, *position);
        assert!(took <= whole, "an action takes no more than it is given");
        *position += took;
        if took < whole {
            return false;
        }
    }
    true
}

/// Which part byte `within` is in, where `before` says how many bytes are before each.
fn find(before: &[u64], within: u64, near: &mut usize) -> usize {
    let holds = |i: usize| before[i] <= within && before.get(i + 1).is_none_or(|next| within < *next);
    if !holds(*near) {
        let next = *near + 1;
        *near = if next < before.len() && holds(next) {
            next
        } else {
            before.partition_point(|bytes| *bytes <= within) - 1
        };
    }
    *near
}
