//! Sums over quotients of arithmetic progressions, in logarithmic time.

/// What is summed along a staircase: a path of steps to the right, each of which counts `x` up, and steps up, which count `y` up.
///
/// Numbers are taken modulo 2^128; `x` and `y` themselves are below 2^66, so they are exact, and so is every sum that is below 2^128.
#[derive(Clone, Copy, Debug, Default)]
struct Path {
    /// Steps to the right.
    x: u128,
    /// Steps up.
    y: u128,
    /// Sum of y at each step to the right.
    sum_y: u128,
    /// Sum of x * y at each step to the right, x counting that step.
    sum_xy: u128,
    /// Sum of y (y + 1) / 2 at each step to the right.
    sum_triangles: u128,
}

const RIGHT: Path = Path { x: 1, y: 0, sum_y: 0, sum_xy: 0, sum_triangles: 0 };
const UP: Path = Path { x: 0, y: 1, sum_y: 0, sum_xy: 0, sum_triangles: 0 };

/// n (n + 1) / 2 modulo 2^128.
const fn triangle(n: u128) -> u128 {
    if n.is_multiple_of(2) { (n / 2).wrapping_mul(n + 1) } else { n.wrapping_mul(n / 2 + 1) }
}

impl Path {
    /// This path, then the other.
    fn then(self, next: Self) -> Self {
        let (w, m) = (u128::wrapping_add, u128::wrapping_mul);
        Self {
            x: self.x + next.x,
            y: self.y + next.y,
            sum_y: w(w(self.sum_y, next.sum_y), m(next.x, self.y)),
            sum_xy: w(
                w(self.sum_xy, next.sum_xy),
                w(w(m(self.x, next.sum_y), m(self.y, triangle(next.x))), m(next.x, m(self.x, self.y))),
            ),
            sum_triangles: w(
                w(self.sum_triangles, next.sum_triangles),
                w(m(self.y, next.sum_y), m(next.x, triangle(self.y))),
            ),
        }
    }

    /// This path `times` times.
    fn repeat(self, mut times: u128) -> Self {
        let (mut power, mut result) = (self, Self::default());
        while times > 0 {
            if times % 2 == 1 {
                result = result.then(power);
            }
            times /= 2;
            if times > 0 {
                power = power.then(power);
            }
        }
        result
    }
}

/// The staircase below `y = (a x + c) / m` for `x` in 1..=n, where each step up comes before the step to the right that sees it.
///
/// A staircase whose slope is below 1 is one of slope above 1 with directions exchanged, as in Euclid's algorithm. `c < m`.
fn staircase(n: u128, a: u128, c: u128, m: u128, right: Path, up: Path) -> Path {
    if n == 0 {
        return Path::default();
    }
    if a >= m {
        return staircase(n, a % m, c, m, up.repeat(a / m).then(right), up);
    }
    let height = (n * a + c) / m;
    if height == 0 {
        return right.repeat(n);
    }
    let last = n - (m * height - c - 1) / a;
    right
        .repeat((m - c - 1) / a)
        .then(up)
        .then(staircase(height - 1, m, (m - c - 1) % a, a, up, right))
        .then(right.repeat(last))
}

/// The sum over i in 0..n of the sum over j below `a i + c` of `j / m`, rounded down, modulo 2^128.
///
/// The inner sum is `u t - m u (u + 1) / 2` with `t = a i + c` and `u = t / m`. `n * a + c` and `m` must be below 2^66.
pub(crate) fn sum_of_quotient_sums(n: u128, a: u128, c: u128, m: u128) -> u128 {
    if n == 0 {
        return 0;
    }
    // The staircase begins at x = 1, so that i = x - 1 would need a negative c; i = 0 is taken by itself instead.
    let first = c / m;
    let rest = UP.repeat(first).then(staircase(n - 1, a, c % m, m, RIGHT, UP));
    let sum_u = first.wrapping_add(rest.sum_y);
    let sum_triangles = triangle(first).wrapping_add(rest.sum_triangles);
    (a.wrapping_mul(rest.sum_xy).wrapping_add(c.wrapping_mul(sum_u)))
        .wrapping_sub(m.wrapping_mul(sum_triangles))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_counting() {
        for m in 1..8 {
            for a in 0..12 {
                for c in 0..20 {
                    for n in 0..9 {
                        let expected: u128 = (0..n).flat_map(|i| 0..a * i + c).map(|j| j / m).sum();
                        assert_eq!(sum_of_quotient_sums(n, a, c, m), expected, "n {n} a {a} c {c} m {m}");
                    }
                }
            }
        }
    }
}
