//! All processes together, for one number of them.
//!
//! A process that waits for a message begins anew when there are more: what it does depends on the messages it gets and on nothing
//! else, so it does the same again up to there.

use super::code::{Code, Stmt};
use super::machine::{Halt, Memory, Process, Value, Way, World};
use super::messages::{Mail, Message};
use super::term::{Cell, Term, Terms};

/// What has become of the memory of each process.
pub(super) struct Outcome {
    pub(super) np: usize,
    /// Before the first message.
    pub(super) before: Vec<Memory>,
    /// After the last one.
    pub(super) after: Vec<Memory>,
    pub(super) terms: Terms,
    /// Whether each process can only be here when all have come.
    pub(super) all_have_come: bool,
    /// Messages and elements on the longest chains.
    pub(super) time: [i64; 2],
    /// Numbers of elements of messages, ascending.
    pub(super) lengths: Vec<i64>,
    /// Blocks that messages came from or went to are typed as these are.
    pub(super) amounts: Vec<i64>,
}

/// How the processes are to be followed.
#[derive(Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) np: usize,
    pub(super) amounts: &'a [i64],
    /// Whether receives that take any take the message of the highest rank.
    pub(super) from_above: bool,
}

/// Follows all processes; `None` where it is not known what one does, one waits for ever, or a message is left.
pub(super) fn run(
    code: &Code<'_>,
    before: &[Stmt],
    statements: &[Stmt],
    setting: Setting<'_>,
    budget: &mut usize,
) -> Option<Outcome> {
    let np = setting.np;
    let mut world = World {
        code,
        np: i64::try_from(np).ok()?,
        amounts: setting.amounts.to_vec(),
        terms: Terms::default(),
        budget: *budget,
    };
    let outcome = follow(&mut world, before, statements, setting);
    *budget = world.budget;
    let (starts, ends, all_have_come, time, lengths) = outcome?;
    let (terms, amounts) = (world.terms, world.amounts);
    Some(Outcome { np, before: starts, after: ends, terms, all_have_come, time, lengths, amounts })
}

type Ends = (Vec<Memory>, Vec<Memory>, bool, [i64; 2], Vec<i64>);

fn follow(
    world: &mut World<'_, '_>,
    before: &[Stmt],
    statements: &[Stmt],
    setting: Setting<'_>,
) -> Option<Ends> {
    let np = setting.np;
    let mut starts = Vec::new();
    for rank in 0..np {
        let mut mail = Mail::default();
        let mut process = process(rank, Memory::new(), &mut mail, &[]);
        comes_to_end(&process.run(world, before))?;
        let mut memory = process.memory;
        // A number of the text is not what makes this program right: any other would do.
        for (&(block, index), value) in &mut memory {
            if let Value::Data { term, .. } = value
                && matches!(world.terms.get(*term), Term::Number(_))
            {
                *term = world.terms.of(Term::Initial(Cell { process: rank, block, index }));
            }
        }
        starts.push(memory);
    }
    let mut mails = vec![Mail { from_above: setting.from_above, ..Mail::default() }; np];
    let mut sent: Vec<Vec<Message>> = vec![Vec::new(); np];
    let mut seen = vec![usize::MAX; np];
    let mut ends: Vec<Option<(Memory, u64, [i64; 2])>> = vec![None; np];
    loop {
        let mut goes_on = false;
        for rank in 0..np {
            if ends[rank].is_some() {
                continue;
            }
            let inbox: Vec<Message> =
                sent.iter().flatten().filter(|message| message.to == rank).cloned().collect();
            if seen[rank] == inbox.len() {
                continue;
            }
            seen[rank] = inbox.len();
            goes_on = true;
            let mut process = process(rank, starts[rank].clone(), &mut mails[rank], &inbox);
            let way = process.run(world, statements);
            if way != Err(Halt::Waits) {
                comes_to_end(&way)?;
                let is_done = process.requests.iter().all(|request| request.is_done);
                is_done.then_some(())?;
                ends[rank] = Some((std::mem::take(&mut process.memory), process.heard, process.time));
            }
            sent[rank] = std::mem::take(&mut process.sent);
        }
        if !goes_on {
            break;
        }
    }
    let ends = ends.into_iter().collect::<Option<Vec<_>>>()?;
    // Those who came to the end early may have been sent more.
    for rank in 0..np {
        let inbox: Vec<Message> =
            sent.iter().flatten().filter(|message| message.to == rank).cloned().collect();
        let mut process = process(rank, starts[rank].clone(), &mut mails[rank], &inbox);
        comes_to_end(&process.run(world, statements))?;
        process.taken.iter().all(|&taken| taken).then_some(())?;
    }
    let all = if np == 64 { u64::MAX } else { (1 << np) - 1 };
    let all_have_come = ends.iter().all(|(_, heard, _)| *heard == all);
    let time = ends.iter().fold([0, 0], |most, (.., time)| [most[0].max(time[0]), most[1].max(time[1])]);
    let mut lengths: Vec<i64> =
        sent.iter().flatten().filter_map(|message| i64::try_from(message.values.len()).ok()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    Some((starts, ends.into_iter().map(|(memory, ..)| memory).collect(), all_have_come, time, lengths))
}

/// `None` where it is not known what happens, or statements are left for others that are not looked at.
fn comes_to_end(way: &Result<Way, Halt>) -> Option<()> {
    matches!(way, Ok(Way::On)).then_some(())
}

fn process<'m>(rank: usize, memory: Memory, mail: &'m mut Mail, inbox: &'m [Message]) -> Process<'m> {
    Process {
        rank,
        memory,
        mail,
        inbox,
        taken: vec![false; inbox.len()],
        requests: Vec::new(),
        waits: 0,
        sent: Vec::new(),
        heard: 1 << rank,
        time: [0, 0],
    }
}

/// The number that an expression is on a process before the first message.
pub(super) fn evaluate(
    code: &Code<'_>,
    outcome: &Outcome,
    rank: usize,
    expression: &super::code::Expr,
) -> Option<i64> {
    let mut world = World {
        code,
        np: i64::try_from(outcome.np).ok()?,
        amounts: outcome.amounts.clone(),
        // What the memory holds has names there.
        terms: outcome.terms.clone(),
        budget: 1000,
    };
    let mut mail = Mail::default();
    let mut process = process(rank, outcome.before[rank].clone(), &mut mail, &[]);
    process.count(&mut world, expression).ok()
}

/// The variable by which all processes call a block before the first message.
pub(super) fn name(code: &Code<'_>, outcome: &Outcome, block: usize) -> Option<usize> {
    let known = code.blocks.get(block)?;
    let object = &code.objects[known.object];
    if known.is_variable {
        return Some(known.object);
    }
    let points = outcome.before.iter().all(|memory| match memory.get(&(object.own, 0)) {
        Some(value) => *value == Value::Pointer(block, 0),
        None => object.behind == Some(block),
    });
    points.then_some(known.object)
}
