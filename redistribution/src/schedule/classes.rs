//! Class by class, where every class has each process as often as any other (Propositions 3 and 4).

use super::Schedule;
use super::lifted::Lifted;
use crate::grid::Grid;

/// The schedule of section 4.3.2, which has as few steps and costs as little as possible; `None` where the classes are not that regular.
///
/// They are if gcd(r, Q) = gcd(s, P) = 1 after r and s have been divided by their greatest common divisor, over whole periods.
pub fn class_by_class(grid: &Grid) -> Option<Schedule> {
    let lifted = Lifted::new(grid);
    colors(&lifted).map(|colors| lifted.schedule(&colors))
}

/// The colours of that schedule.
///
/// There, all senders of an orbit have a message of each class for each orbit of receivers, so all pairs of orbits have the same lengths. With
/// the classes in order of length, the n-th message of a pair is in one of the steps of the n-th class: as many as there are orbits on the side
/// that has more.
pub(super) fn colors(lifted: &Lifted<'_>) -> Option<Vec<u32>> {
    if lifted.edges.is_empty() {
        return Some(Vec::new());
    }
    let (senders, receivers) = (lifted.senders as usize, lifted.receivers as usize);
    if senders.checked_mul(receivers).is_none_or(|pairs| pairs > lifted.edges.len()) {
        return None;
    }
    let classes = lifted.edges.len() / (senders * receivers);
    if classes * senders * receivers != lifted.edges.len() {
        return None;
    }
    let mut seen = vec![0; senders * receivers];
    let mut lengths = vec![0; classes];
    let steps = senders.max(receivers);
    (lifted.edges.iter())
        .map(|edge| {
            let (from, to) = (edge.from as usize, edge.to as usize);
            // Edges come longest first, so the n-th that is seen of a pair is its n-th.
            let class = seen[from * receivers + to];
            seen[from * receivers + to] += 1;
            let length = lengths.get_mut(class)?;
            if *length == 0 {
                *length = edge.length;
            }
            (*length == edge.length).then(|| (class * steps + (from + to) % steps) as u32)
        })
        .collect()
}
