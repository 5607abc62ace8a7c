//! How many elements go from one process to another, in closed form (section 4.2).

use crate::dimension::Dimension;
use crate::floor_sum::sum_of_quotient_sums;

/// Figure 1: in how many ways `k` is `y - x` with x in `0..r` and y in `0..s`.
pub fn vol(r: u64, s: u64, k: i64) -> u64 {
    let (r, s, k) = (i128::from(r), i128::from(s), i128::from(k));
    // At most the smaller block, so it fits.
    r.min(s).min(r + k).min(s - k).max(0) as u64
}

/// The sum of [`vol`] over all k that leave the remainder `class` when divided by `g` (Proposition 2).
///
/// # Panics
///
/// If `g` is 0, or the sum has more than 64 bits.
pub fn class_volume(r: u64, s: u64, g: u64, class: u64) -> u64 {
    // Figure 1 moved by r: from 0 up to the smaller block, level until the larger one, down to 0 at r + s.
    let (r, s, g) = (i128::from(r), i128::from(s), i128::from(g));
    let first = (i128::from(class) + r).rem_euclid(g);
    // How many of first, first + g, ... are below the limit.
    let below = |limit: i128| if limit > first { (limit - first + g - 1) / g } else { 0 };
    let n = below(r + s);
    // The sum of what they exceed the corner by.
    let ramp = |corner: i128| {
        let skipped = below(corner + 1);
        let count = n - skipped;
        if count <= 0 { 0 } else { count * (first + skipped * g - corner) + g * (count * (count - 1) / 2) }
    };
    let sum = ramp(0) - ramp(r) - ramp(s);
    u64::try_from(sum).expect("a message is not longer than its period")
}

impl Dimension {
    /// How many elements go from process `p` to process `q`, without looking at them.
    ///
    /// O(1) for whole periods, O(log(P r + Q s)) for what is left of a period.
    pub fn message_length(&self, p: u32, q: u32) -> u64 {
        let (period, length) = (self.period(), self.length());
        let whole = length / period;
        let in_whole = if whole == 0 { 0 } else { whole * self.period_length(p, q) };
        in_whole + self.begun_length(p, q)
    }

    /// How many elements of one period go from `p` to `q`.
    pub(crate) fn period_length(&self, p: u32, q: u32) -> u64 {
        class_volume(self.from().block(), self.to().block(), self.gcd(), self.class(p, q))
    }

    /// The class of the pair (Definition 2, `p r - q s` where nothing is shifted): what y - x leaves when it is divided by g, for all
    /// elements that are at x in a block of p and at y in a block of q.
    pub(crate) fn class(&self, p: u32, q: u32) -> u64 {
        let g = i128::from(self.gcd());
        let x = i128::from(self.source_phase()) - i128::from(self.from().position(p) * self.from().block());
        let y = i128::from(self.target_phase()) - i128::from(self.to().position(q) * self.to().block());
        (y - x).rem_euclid(g) as u64
    }

    /// How many of the elements after the last whole period go from `p` to `q`.
    pub(crate) fn begun_length(&self, p: u32, q: u32) -> u64 {
        let rest = self.length() % self.period();
        if rest == 0 {
            return 0;
        }
        let (r, s) = (self.from().block(), self.to().block());
        let (from_round, to_round) = (u128::from(self.from().round()), u128::from(self.to().round()));
        // H(t) of the elements 0..t of the target, counted from a block of q on, belong to q.
        let shift =
            u128::from(self.target_phase()) + to_round - u128::from(self.to().position(q)) * u128::from(s);
        let gap = to_round - u128::from(s);
        let belong = |t: u128| t / to_round * u128::from(s) + (t % to_round).min(u128::from(s));
        let overlap = |low: u128, high: u128| belong(high + shift) - belong(low + shift);

        // Blocks of p: the first may have begun earlier, the last may end later.
        let start = u128::from(self.from().position(p)) * u128::from(r) + from_round
            - u128::from(self.source_phase());
        let (rest, block) = (u128::from(rest), u128::from(r));
        let mut count = 0;
        let first = if start >= from_round { start - from_round } else { start };
        if first == start && start + block > from_round {
            count += overlap(0, (start + block - from_round).min(rest));
        }
        let whole = if rest < first + block { 0 } else { (rest - first - block) / from_round + 1 };
        // Sum over the whole blocks of H(end) - H(start), where H(t) = sum over j < t of 1 + j / round - (j + gap) / round.
        let sum = |c: u128| sum_of_quotient_sums(whole, from_round, c, to_round);
        let low = first + shift;
        count = (count + whole * block)
            .wrapping_add(sum(low + block))
            .wrapping_sub(sum(low))
            .wrapping_sub(sum(low + block + gap))
            .wrapping_add(sum(low + gap));
        let last = first + whole * from_round;
        if last < rest {
            count += overlap(last, rest.min(last + block));
        }
        u64::try_from(count).expect("a message is not longer than the array")
    }
}
