//! Programs made smaller, as long as something holds of them.

use crate::ast::{Program, Stmt};

/// One way to make a program smaller.
#[derive(Clone, Copy)]
enum Cut {
    /// A statement is left out.
    Remove,
    /// A statement is replaced by one of the lists in it.
    Open(usize),
}

/// Leaves out of a program what can be left out while `holds` says so of what remains. It is asked at most `most` times.
pub fn shrink(program: &Program, mut holds: impl FnMut(&Program) -> bool, most: usize) -> Program {
    let mut smallest = program.clone();
    let mut asked = 0;
    loop {
        let mut has_shrunk = false;
        let mut index = 0;
        while index < smallest.functions.len() {
            let mut smaller = smallest.clone();
            smaller.functions.remove(index);
            if asked < most && smallest.functions[index].name != "main" && {
                asked += 1;
                holds(&smaller)
            } {
                smallest = smaller;
                has_shrunk = true;
            } else {
                index += 1;
            }
        }
        let mut at = 0;
        while at < count(&smallest) {
            let cuts = [Cut::Remove, Cut::Open(0), Cut::Open(1)];
            let smaller = cuts.into_iter().find_map(|cut| {
                if asked >= most {
                    return None;
                }
                let smaller = apply(&smallest, at, cut)?;
                asked += 1;
                holds(&smaller).then_some(smaller)
            });
            match smaller {
                Some(smaller) => {
                    smallest = smaller;
                    has_shrunk = true;
                }
                None => at += 1,
            }
        }
        if !has_shrunk || asked >= most {
            return smallest;
        }
    }
}

fn count(program: &Program) -> usize {
    fn of(body: &[Stmt]) -> usize {
        body.iter().map(|s| 1 + s.bodies().into_iter().map(|b| of(b)).sum::<usize>()).sum()
    }
    program.functions.iter().map(|function| of(&function.body)).sum()
}

fn apply(program: &Program, at: usize, cut: Cut) -> Option<Program> {
    fn within(body: &mut Vec<Stmt>, left: &mut usize, cut: Cut) -> Option<bool> {
        for index in 0..body.len() {
            if *left == 0 {
                match cut {
                    Cut::Remove => drop(body.remove(index)),
                    Cut::Open(which) => {
                        let inner = body[index].bodies_mut().into_iter().nth(which).map(std::mem::take)?;
                        if inner.is_empty() {
                            return None;
                        }
                        body.splice(index..=index, inner);
                    }
                }
                return Some(true);
            }
            *left -= 1;
            for inner in body[index].bodies_mut() {
                if within(inner, left, cut)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
    let mut smaller = program.clone();
    let mut left = at;
    for function in &mut smaller.functions {
        if within(&mut function.body, &mut left, cut)? {
            return Some(smaller);
        }
    }
    None
}
