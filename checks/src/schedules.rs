//! Redistributions of any parameters: they are refused, or their messages are what each pair of processes owes the other,
//! and every method makes a schedule of them.

use arbitrary::{Result, Unstructured};
use redistribution::bounds::bounds;
use redistribution::schedule::{LONGEST_CATERPILLAR, best, caterpillar, class_by_class, greedy, stepwise};
use redistribution::{Cyclic, Dimension, Error, Order, Processes, Redistribution};

/// Schedules of more messages take too long for a check.
const MOST_MESSAGES: u64 = 120;

/// Checks the redistribution that these bytes choose.
///
/// # Panics
///
/// If something is wrong.
pub fn check(data: &[u8]) {
    let mut u = Unstructured::new(data);
    // Bytes that are at an end choose nothing.
    let Ok(Ok(redistribution)) = redistribution(&mut u) else { return };
    let Ok(grid) = redistribution.grid_within(MOST_MESSAGES) else { return };
    assert!(grid.messages().len() as u64 <= MOST_MESSAGES);
    let all = grid.messages().iter().chain(grid.local());
    let sum: u128 = all.clone().map(|message| u128::from(message.length)).sum();
    let elements: u128 =
        redistribution.dimensions().iter().map(|dimension| u128::from(dimension.length())).product();
    assert_eq!(sum, elements, "{redistribution:?}");
    for message in all {
        assert!(0 < message.length, "{redistribution:?}: {message:?}");
        assert_eq!(redistribution.length(message.from, message.to), message.length, "{redistribution:?}");
    }
    let least = bounds(&grid);
    let mut schedules = vec![greedy(&grid), stepwise(&grid), best(&grid)];
    schedules.extend(class_by_class(&grid));
    if grid.senders().max(grid.receivers()) <= LONGEST_CATERPILLAR {
        schedules.push(caterpillar(&grid));
    }
    for schedule in &schedules {
        schedule.check(&grid).unwrap_or_else(|error| panic!("{redistribution:?}: {error}"));
        assert!(least.number_of_steps <= schedule.number_of_steps(), "{redistribution:?}");
        assert!(least.total_cost <= schedule.total_cost(), "{redistribution:?}");
    }
}

fn redistribution(u: &mut Unstructured<'_>) -> Result<std::result::Result<Redistribution, Error>> {
    let mut dimensions = Vec::new();
    for _ in 0..u.int_in_range(0..=3)? {
        match dimension(u)? {
            Ok(dimension) => dimensions.push(dimension),
            Err(error) => return Ok(Err(error)),
        }
    }
    let order =
        |u: &mut Unstructured<'_>| Ok(if u.arbitrary()? { Order::RowMajor } else { Order::ColumnMajor });
    let orders = (order(u)?, order(u)?);
    let processes = if u.arbitrary()? { Processes::Same } else { Processes::Disjoint };
    Ok(Redistribution::new(dimensions)
        .map(|redistribution| redistribution.with_orders(orders.0, orders.1).with_processes(processes)))
}

fn dimension(u: &mut Unstructured<'_>) -> Result<std::result::Result<Dimension, Error>> {
    let [p, r, q, s] = [number(u)?, number(u)?, number(u)?, number(u)?];
    let (length, starts) = (number(u)?, (number(u)?, number(u)?));
    let has_length = u.arbitrary()?;
    let sides = Cyclic::new(p, r).and_then(|from| Ok((from, Cyclic::new(q, s)?)));
    let dimension = sides.and_then(|(from, to)| Dimension::new(from, to));
    Ok(dimension.and_then(|dimension| {
        let dimension = if has_length { dimension.with_length(length)? } else { dimension };
        dimension.with_starts(starts.0, starts.1)
    }))
}

/// Mostly a small one, sometimes one at the end of what is possible.
fn number(u: &mut Unstructured<'_>) -> Result<u64> {
    Ok(match u.int_in_range(0..=15)? {
        0 => u.arbitrary()?,
        1 => u64::MAX >> u.int_in_range(0..=63)?,
        2 => 1 << u.int_in_range(0..=63)?,
        3 => u.int_in_range(0..=100_000)?,
        _ => u.int_in_range(0..=9)?,
    })
}
