//! Phases of one collective call.

use std::rc::Rc;

use proptest::prelude::*;

use super::effects::{At, Meaning, collective};
use super::fan::{Root, root};
use super::writer::{Scope, Slip, Writer};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    Scan,
    Ibarrier,
    Ibcast,
    Iallreduce,
    Ireduce,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Collective {
    pub(crate) kind: Kind,
    pub(crate) root: Root,
    /// The root's call stands at a line of its own.
    pub(crate) by_role: bool,
}

impl Collective {
    pub(crate) fn write(self, w: &mut Writer, scope: &Scope) -> Meaning {
        let Scope { comm, rank, size, .. } = scope;
        let root = self.root.code(size);
        let mut one = |name: &str| {
            w.need(&format!("int {name} = 0;"));
            format!("&{name}")
        };
        let (x, y) = (one("x"), one("y"));
        let needs_all = matches!(self.kind, Kind::Gather | Kind::Scatter | Kind::Allgather | Kind::Alltoall);
        if needs_all {
            w.need("int *all;");
            w.line(&format!("all = calloc(2 * {size}, sizeof(int));"));
        }
        let ints = |buffer: &str| format!("{buffer}, 1, MPI_INT");
        let (name, arguments, rooted) = match self.kind {
            Kind::Barrier => ("MPI_Barrier", String::new(), false),
            Kind::Bcast => ("MPI_Bcast", ints(&x), true),
            Kind::Reduce => ("MPI_Reduce", format!("{x}, {}, MPI_SUM", ints(&y)), true),
            Kind::Allreduce => ("MPI_Allreduce", format!("{x}, {}, MPI_MAX", ints(&y)), false),
            Kind::Gather => ("MPI_Gather", format!("{}, {}", ints(&x), ints("all")), true),
            Kind::Scatter => ("MPI_Scatter", format!("{}, {}", ints("all"), ints(&y)), true),
            Kind::Allgather => ("MPI_Allgather", format!("{}, {}", ints(&x), ints("all")), false),
            Kind::Alltoall => {
                ("MPI_Alltoall", format!("{}, {}", ints("all"), ints(&format!("all + {size}"))), false)
            }
            Kind::Scan => ("MPI_Scan", format!("{x}, {}, MPI_SUM", ints(&y)), false),
            Kind::Ibarrier => ("MPI_Ibarrier", String::new(), false),
            Kind::Ibcast => ("MPI_Ibcast", ints(&x), true),
            Kind::Iallreduce => ("MPI_Iallreduce", format!("{x}, {}, MPI_SUM", ints(&y)), false),
            Kind::Ireduce => ("MPI_Ireduce", format!("{x}, {}, MPI_SUM", ints(&y)), true),
        };
        let nonblocking = name.starts_with("MPI_I");
        let mut parts = vec![arguments];
        parts.push(if rooted { root.clone() } else { String::new() });
        parts.push(comm.clone());
        parts.push(if nonblocking { "&cq".to_owned() } else { String::new() });
        parts.retain(|part| !part.is_empty());
        let call = format!("{name}({});", parts.join(", "));
        if nonblocking {
            w.need("MPI_Request cq;");
        }
        let write = |w: &mut Writer| {
            let label = w.call(&call);
            if nonblocking {
                w.wait("cq");
            }
            label
        };
        let site = if self.by_role || w.slip == Slip::NotAtZero {
            w.line(&format!("if ({rank} == {root}) {{"));
            let site = if w.slip == Slip::NotAtZero { w.call("x++;") } else { write(w) };
            w.line("} else {");
            write(w);
            w.end();
            site
        } else {
            write(w)
        };
        if needs_all {
            w.line("free(all);");
        }
        let place = self.root;
        Rc::new(move |at: At| collective(name, site, at.size, rooted.then(|| place.at(at.size))))
    }
}

pub(crate) fn collective_call() -> impl Strategy<Value = Collective> {
    let kind = prop::sample::select(vec![
        Kind::Barrier,
        Kind::Bcast,
        Kind::Reduce,
        Kind::Allreduce,
        Kind::Gather,
        Kind::Scatter,
        Kind::Allgather,
        Kind::Alltoall,
        Kind::Scan,
        Kind::Ibarrier,
        Kind::Ibcast,
        Kind::Iallreduce,
        Kind::Ireduce,
    ]);
    (kind, root(), prop::bool::weighted(0.2)).prop_map(|(kind, root, by_role)| Collective {
        kind,
        root,
        by_role,
    })
}
