//! Communicators and groups: who is in them, and ranks in them against ranks in `MPI_COMM_WORLD`.

use lattice::{Constraints, Linear, Range, Truth};

use super::state::{Communicator, Group};

/// Name of the communicator of all processes.
pub(crate) const WORLD: &str = "MPI_COMM_WORLD";
/// Name of the communicator that each process has for itself.
pub(crate) const OWN: &str = "MPI_COMM_SELF";

impl Communicator {
    /// `MPI_COMM_WORLD`.
    pub(crate) fn world() -> Self {
        Self { name: WORLD.into(), group: Group::Range(Range::world()) }
    }

    /// `MPI_COMM_SELF`, of each process its own: its group is the process that holds it, whatever its rank.
    pub(crate) fn own() -> Self {
        Self { name: OWN.into(), group: Group::Range(Range::single(Linear::rank())) }
    }

    /// The predefined communicator of this name.
    pub(crate) fn predefined(name: &str) -> Option<Self> {
        match name {
            WORLD => Some(Self::world()),
            OWN => Some(Self::own()),
            _ => None,
        }
    }

    /// Whether each process is alone in it.
    pub(crate) fn is_own(&self) -> bool {
        matches!(&self.group, Group::Range(range) if range.lo == Linear::rank())
    }
}

impl Group {
    /// A group by ranks that are listed one by one; as a range where they are neighbours in ascending order.
    pub(crate) fn of(ranks: Vec<i64>) -> Self {
        match (ranks.first(), ranks.last()) {
            (Some(&first), Some(&last)) if ranks.windows(2).all(|w| w[0] + 1 == w[1]) => {
                Self::Range(Range { lo: first.into(), hi: last.into() })
            }
            _ => Self::List(ranks.into()),
        }
    }

    /// Number of processes.
    pub(crate) fn size(&self) -> Option<Linear> {
        match self {
            Self::Range(range) => range.count(),
            Self::List(ranks) => i64::try_from(ranks.len()).ok().map(Linear::from),
            Self::Sides(a, b) => i64::try_from(a.len().checked_add(b.len())?).ok().map(Linear::from),
        }
    }

    /// The rank in `MPI_COMM_WORLD` of a rank in the group; `None` where that has no form, or there is no such rank.
    pub(crate) fn to_world(&self, rank: &Linear, facts: &Constraints) -> Option<Linear> {
        match self {
            Self::Range(range) => range.lo.add(rank),
            Self::List(ranks) => {
                let index = usize::try_from(facts.constant(rank)?).ok()?;
                ranks.get(index).map(|&r| r.into())
            }
            Self::Sides(a, b) => {
                let index = usize::try_from(facts.constant(rank)?).ok()?;
                a.iter().chain(b.iter()).nth(index).map(|&r| r.into())
            }
        }
    }

    /// The rank in the group (of an intercommunicator: in its own side) of a rank in `MPI_COMM_WORLD` that is a member.
    pub(crate) fn local_rank(&self, rank: &Linear, facts: &Constraints) -> Option<Linear> {
        match self {
            Self::Range(range) => rank.sub(&range.lo),
            Self::List(ranks) => {
                let wanted = facts.constant(rank)?;
                let index = ranks.iter().position(|&r| r == wanted)?;
                i64::try_from(index).ok().map(Linear::from)
            }
            Self::Sides(a, b) => {
                let wanted = facts.constant(rank)?;
                let index = [a, b].iter().find_map(|side| side.iter().position(|&r| r == wanted))?;
                i64::try_from(index).ok().map(Linear::from)
            }
        }
    }

    /// Whether a set of processes belongs to the group as a whole (`true`) or not at all; `None` where that is open.
    pub(crate) fn holds(&self, ranks: &Range, facts: &Constraints) -> Option<bool> {
        match self {
            Self::Range(range) => {
                let inside = facts.le(&range.lo, &ranks.lo) == Truth::Yes
                    && facts.le(&ranks.hi, &range.hi) == Truth::Yes;
                if inside {
                    return Some(true);
                }
                range.disjoint(ranks, facts).then_some(false)
            }
            Self::List(_) | Self::Sides(..) => {
                let members = self.listed(facts)?;
                let (lo, hi) = (facts.constant(&ranks.lo)?, facts.constant(&ranks.hi)?);
                let found = (lo..=hi).filter(|r| members.contains(r)).count();
                match found {
                    0 => Some(false),
                    n if i64::try_from(n) == Ok(hi - lo + 1) => Some(true),
                    _ => None,
                }
            }
        }
    }

    /// Whether these disjoint sets of members are all of them.
    pub(crate) fn is_covered(&self, parts: &[&Range], facts: &Constraints) -> bool {
        match self {
            Self::Range(whole) => {
                let mut next = whole.lo.clone();
                let mut left: Vec<&Range> = parts.to_vec();
                while !left.is_empty() {
                    let Some(index) = left.iter().position(|p| facts.eq(&p.lo, &next) == Truth::Yes) else {
                        return false;
                    };
                    let part = left.swap_remove(index);
                    let Some(after) = part.hi.offset(1) else { return false };
                    next = after;
                }
                whole.hi.offset(1).is_some_and(|end| facts.eq(&end, &next) == Truth::Yes)
            }
            Self::List(_) | Self::Sides(..) => {
                let Some(members) = self.listed(facts) else { return false };
                let mut found = 0;
                for part in parts {
                    let (Some(lo), Some(hi)) = (facts.constant(&part.lo), facts.constant(&part.hi)) else {
                        return false;
                    };
                    found += hi - lo + 1;
                }
                usize::try_from(found) == Ok(members.len())
            }
        }
    }

    /// Ranks of the group one by one, where they are constants.
    pub(crate) fn listed(&self, facts: &Constraints) -> Option<Vec<i64>> {
        match self {
            Self::Range(range) => Some((facts.constant(&range.lo)?..=facts.constant(&range.hi)?).collect()),
            Self::List(ranks) => Some(ranks.to_vec()),
            Self::Sides(a, b) => Some(a.iter().chain(b.iter()).copied().collect()),
        }
    }
}
