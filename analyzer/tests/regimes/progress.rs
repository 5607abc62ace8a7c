//! Whether blocking operations of all ranks come to an end: a run of them, one operation at a time.

use std::collections::VecDeque;

/// What a rank does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A send; a synchronous one waits for its receive also where messages are buffered.
    Send {
        to: i64,
        tag: i64,
        synchronous: bool,
    },
    Recv {
        from: i64,
        tag: i64,
    },
}

/// Whether some ranks wait forever.
pub(crate) fn hangs(ranks: &[Vec<Operation>], buffered: bool) -> bool {
    let mut left: Vec<VecDeque<Operation>> = ranks.iter().map(|o| o.iter().copied().collect()).collect();
    // Messages that nobody waits for any more: from, to, tag.
    let mut buffer: Vec<(i64, i64, i64)> = Vec::new();
    loop {
        let mut moved = false;
        for me in 0..left.len() {
            let rank = i64::try_from(me).expect("few ranks");
            let Some(next) = left[me].front().copied() else { continue };
            let done = match next {
                Operation::Send { to, tag, synchronous } if buffered && !synchronous => {
                    buffer.push((rank, to, tag));
                    true
                }
                Operation::Send { to, tag, .. } => {
                    let other = &mut left[usize::try_from(to).expect("ranks are not negative")];
                    let meets = other.front() == Some(&Operation::Recv { from: rank, tag });
                    if meets {
                        other.pop_front();
                    }
                    meets
                }
                Operation::Recv { from, tag } => {
                    let message = buffer.iter().position(|&m| m == (from, rank, tag));
                    message.map(|index| buffer.remove(index)).is_some()
                }
            };
            if done {
                left[me].pop_front();
                moved = true;
            }
        }
        if !moved {
            return left.iter().any(|operations| !operations.is_empty());
        }
    }
}
