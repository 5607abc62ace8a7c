//! One mistake put into a program.

use crate::ast::{Call, Expr, Operator, Program, Stmt};
use crate::random::Random;

/// A mistake that people make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "their texts say it")]
pub enum Fault {
    Tag,
    Partner,
    LongMessage,
    ShortReceive,
    Root,
    RootByRank,
    Missing,
    NotAtAll,
    Swapped,
    Twice,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Tag,
        Self::Partner,
        Self::LongMessage,
        Self::ShortReceive,
        Self::Root,
        Self::RootByRank,
        Self::Missing,
        Self::NotAtAll,
        Self::Swapped,
        Self::Twice,
    ];

    /// What it is, in words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Tag => "another tag",
            Self::Partner => "the partner is off by one",
            Self::LongMessage => "a message with one element more",
            Self::ShortReceive => "room for one element less",
            Self::Root => "another root",
            Self::RootByRank => "a root that depends on the rank",
            Self::Missing => "a call is missing",
            Self::NotAtAll => "a call that some ranks do not make",
            Self::Swapped => "two calls in the other order",
            Self::Twice => "a call is made twice",
        }
    }
}

/// Index of an argument: count, peer, tag, root.
fn place(name: &str, role: &str) -> Option<usize> {
    let name = name.trim_start_matches("MPI_");
    let index = match name {
        "Send" | "Ssend" | "Isend" | "Issend" | "Send_init" | "Ssend_init" | "Recv" | "Irecv"
        | "Recv_init" => ["", "count", "", "peer", "tag"].iter().position(|r| *r == role),
        "Sendrecv" => ["", "count", "", "peer", "tag"].iter().position(|r| *r == role),
        "Psend_init" | "Precv_init" => ["", "", "count", "", "peer", "tag"].iter().position(|r| *r == role),
        "Sendrecv_replace" => ["", "count", "", "peer", "tag"].iter().position(|r| *r == role),
        "Probe" | "Iprobe" | "Mprobe" => ["peer", "tag"].iter().position(|r| *r == role),
        "Bcast" | "Ibcast" => ["", "count", "", "root"].iter().position(|r| *r == role),
        "Reduce" | "Ireduce" => ["", "", "count", "", "", "root"].iter().position(|r| *r == role),
        "Gather" | "Scatter" | "Igather" | "Iscatter" => (role == "root").then_some(6),
        "Gatherv" | "Scatterv" => (role == "root").then_some(7),
        _ => None,
    };
    index.filter(|_| !role.is_empty())
}

fn sends(name: &str) -> bool {
    name.contains("end") && !name.contains("recv_replace") && !name.contains("Type")
}

fn receives(name: &str) -> bool {
    matches!(name, "MPI_Recv" | "MPI_Irecv" | "MPI_Recv_init" | "MPI_Precv_init")
}

/// Whether a call takes part in communication, or waits for it.
fn communicates(name: &str) -> bool {
    let others = [
        "Init",
        "Finalize",
        "Abort",
        "Comm_",
        "Cart_",
        "Type_",
        "Get_",
        "Request_free",
        "Iprobe",
        "Test",
        "Mrecv",
        "Mprobe",
        "Start",
        "Pready",
        "_init",
    ];
    name.starts_with("MPI_") && !others.iter().any(|other| name.contains(other))
}

fn applies(fault: Fault, call: &Call, next: Option<&Stmt>) -> bool {
    let name = call.function.as_str();
    let is_constant = |role: &str| {
        place(name, role).is_some_and(
            |index| matches!(call.arguments.get(index), Some(Expr::Name(name)) if name.starts_with("MPI_")),
        )
    };
    let has = |role: &str| place(name, role).is_some() && !is_constant(role);
    match fault {
        Fault::Tag => has("tag"),
        Fault::Partner => has("peer"),
        Fault::LongMessage => sends(name) && has("count"),
        Fault::ShortReceive => receives(name) && has("count"),
        Fault::Root | Fault::RootByRank => has("root"),
        Fault::Missing | Fault::NotAtAll => communicates(name),
        Fault::Twice => communicates(name) && !name.contains("Wait"),
        Fault::Swapped => {
            communicates(name) && matches!(next, Some(Stmt::Call(next)) if communicates(&next.function))
        }
    }
}

/// Puts a fault into a program at a place that the numbers choose. `None` where there is no place for it.
#[must_use]
pub fn put(program: &Program, random: &mut Random) -> Option<(Program, Fault)> {
    let fault = *random.choose(&Fault::ALL);
    let mut places = 0;
    for function in &program.functions {
        places += count(&function.body, fault);
    }
    if places == 0 {
        return None;
    }
    let mut left = random.below(places);
    let mut faulty = program.clone();
    let at = i64::try_from(random.below(3)).unwrap_or_default();
    for function in &mut faulty.functions {
        if change(&mut function.body, fault, at, &mut left) {
            return Some((faulty, fault));
        }
    }
    None
}

fn count(body: &[Stmt], fault: Fault) -> usize {
    let here = body.iter().enumerate().filter(|(index, statement)| {
        matches!(statement, Stmt::Call(call) if applies(fault, call, body.get(index + 1)))
    });
    here.count() + body.iter().flat_map(Stmt::bodies).map(|inner| count(inner, fault)).sum::<usize>()
}

fn change(body: &mut Vec<Stmt>, fault: Fault, at: i64, left: &mut usize) -> bool {
    // The same order as when they are counted does not matter: each place has a number.
    for index in 0..body.len() {
        let next = body.get(index + 1);
        if let Stmt::Call(call) = &body[index]
            && applies(fault, call, next)
        {
            if *left == 0 {
                alter(body, index, fault, at);
                return true;
            }
            *left -= 1;
        }
        for inner in body[index].bodies_mut() {
            if change(inner, fault, at, left) {
                return true;
            }
        }
    }
    false
}

fn alter(body: &mut Vec<Stmt>, index: usize, fault: Fault, at: i64) {
    let me = || Expr::Name("me".to_owned());
    let binary = |operator, left, right| Expr::Binary(operator, Box::new(left), Box::new(right));
    match fault {
        Fault::Missing => {
            // A label before it needs a statement.
            body[index] = Stmt::Block(Vec::new());
            return;
        }
        Fault::NotAtAll => {
            let condition = binary(Operator::NotEqual, me(), Expr::Int(at));
            let call = body[index].clone();
            body[index] = Stmt::If(condition, vec![call], Vec::new());
            return;
        }
        Fault::Swapped => {
            body.swap(index, index + 1);
            return;
        }
        Fault::Twice => {
            let call = body[index].clone();
            body.insert(index, call);
            return;
        }
        _ => {}
    }
    let Stmt::Call(call) = &mut body[index] else { return };
    let role = match fault {
        Fault::Tag => "tag",
        Fault::Partner => "peer",
        Fault::LongMessage | Fault::ShortReceive => "count",
        _ => "root",
    };
    let Some(place) = place(&call.function, role) else { return };
    let old = call.arguments[place].clone();
    call.arguments[place] = match fault {
        Fault::ShortReceive => binary(Operator::Subtract, old, Expr::Int(1)),
        Fault::RootByRank => {
            let is_there = binary(Operator::Equal, me(), Expr::Int(at));
            let other = binary(Operator::Add, old.clone(), Expr::Int(1));
            Expr::Choice(Box::new(is_there), Box::new(other), Box::new(old))
        }
        _ => binary(Operator::Add, old, Expr::Int(1)),
    };
}
