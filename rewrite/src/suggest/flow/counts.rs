//! Numbers of processes, as verdicts tell them.

/// Whether a verdict is about a number of processes; `None` where its words are not understood.
pub(super) fn includes(told: &str, np: i64) -> Option<bool> {
    if told.contains("...") {
        return includes_power(told, np);
    }
    let mut found = false;
    for piece in told.split(", ").flat_map(|piece| piece.split(" and ")) {
        found |= includes_piece(piece.trim(), np)?;
    }
    Some(found)
}

/// `np = 1, 2, 4, ..., 2^30`
fn includes_power(told: &str, np: i64) -> Option<bool> {
    let (listed, last) = told.strip_prefix("np = ")?.split_once(", ..., ")?;
    let listed: Vec<i64> = listed.split(", ").map(|n| n.parse().ok()).collect::<Option<_>>()?;
    let [first, second, ..] = listed.as_slice() else { return None };
    let factor = second.checked_div(*first).filter(|&factor| factor > 1)?;
    if !listed.windows(2).all(|pair| pair[0].checked_mul(factor) == Some(pair[1])) {
        return None;
    }
    let last: i64 = match last.split_once('^') {
        Some((base, power)) => base.parse::<i64>().ok()?.checked_pow(power.parse().ok()?)?,
        None => last.parse().ok()?,
    };
    let mut all = std::iter::successors(Some(*first), |n| n.checked_mul(factor)).take_while(|&n| n <= last);
    Some(all.any(|n| n == np))
}

/// `any even np >= 4 with np % 6 = 2..4`, `np = 3..7`, `5`
fn includes_piece(piece: &str, np: i64) -> Option<bool> {
    let (piece, fits) = match piece.split_once(" with np % ") {
        None => (piece, true),
        Some((piece, rest)) => {
            let (period, remainder) = rest.split_once(" = ")?;
            let (low, high) = ends(remainder)?;
            let left = np.checked_rem(period.parse().ok()?)?;
            (piece, (low..=high).contains(&left))
        }
    };
    let piece = piece.strip_prefix("any ").unwrap_or(piece);
    let (piece, fits) = match (piece.strip_prefix("even "), piece.strip_prefix("odd ")) {
        (Some(rest), _) => (rest, fits && np % 2 == 0),
        (_, Some(rest)) => (rest, fits && np % 2 != 0),
        _ => (piece, fits),
    };
    if let Some(least) = piece.strip_prefix("np >= ") {
        return Some(fits && least.parse::<i64>().ok()? <= np);
    }
    let (low, high) = ends(piece.strip_prefix("np = ").unwrap_or(piece))?;
    Some(fits && (low..=high).contains(&np))
}

fn ends(text: &str) -> Option<(i64, i64)> {
    match text.split_once("..") {
        Some((low, high)) => Some((low.parse().ok()?, high.parse().ok()?)),
        None => text.parse().ok().map(|only| (only, only)),
    }
}

#[cfg(test)]
mod tests {
    use super::includes;

    #[test]
    fn verdicts_are_read_as_they_are_written() {
        let of = |told: &str| (1..=16).filter(|&np| includes(told, np) == Some(true)).collect::<Vec<_>>();
        assert_eq!(of("any np >= 14"), [14, 15, 16]);
        assert_eq!(of("np = 1, 2, 4, ..., 2^30"), [1, 2, 4, 8, 16]);
        assert_eq!(of("np = 3, 9, 27, ..., 81"), [3, 9]);
        assert_eq!(of("np = 2 and any np >= 15"), [2, 15, 16]);
        assert_eq!(of("np = 3, 5..6"), [3, 5, 6]);
        assert_eq!(of("any odd np >= 11"), [11, 13, 15]);
        assert_eq!(of("any np >= 4 with np % 6 = 2..3"), [8, 9, 14, 15]);
        assert_eq!(of("np = 1..2, 4"), [1, 2, 4]);
        for told in ["some np", "np = 3, 5 and perhaps others", "any np >= 3 except np = 4", ""] {
            assert_eq!(includes(told, 3), None, "{told}");
        }
    }
}
