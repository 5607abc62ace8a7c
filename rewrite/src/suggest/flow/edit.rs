//! A collective operation in words, and as a call in place of what does the same.

use analyzer::results::Fix;
use frontend::mpi::{self, TypeGroup};
use tree_sitter::Node;

use super::super::aliases::are_apart;
use super::super::rooted::null;
use super::super::scope::{Scope, Shape};
use super::super::unused::{Needless, leftovers};
use super::code::{Amount, Code, Identity, Kind, Object};
use super::identity::Origins;
use super::live::{Live, Stretch, jumps, live};
use super::meaning::{Meaning, Operation, Root};
use crate::text::{descendants, function_of, statements};

/// What is known of an operation and the statements that do the same.
pub(super) struct Writer<'w, 't> {
    pub(super) scope: &'w Scope<'t>,
    pub(super) code: &'w Code<'t>,
    pub(super) meaning: Meaning,
    /// Elements of one process.
    pub(super) count: Option<String>,
    pub(super) stretch: Stretch<'t>,
    pub(super) origins: Origins<'w, 't>,
    /// The variables that are, or point to, what is sent and the result.
    pub(super) names: [Option<usize>; 2],
}

impl<'t> Writer<'_, 't> {
    fn function(&self) -> &'static str {
        match self.meaning.operation {
            Operation::Broadcast => "MPI_Bcast",
            Operation::Scatter => "MPI_Scatter",
            Operation::Gather => "MPI_Gather",
            Operation::Allgather => "MPI_Allgather",
            Operation::Alltoall => "MPI_Alltoall",
            Operation::Reduce(_) => "MPI_Reduce",
            Operation::Allreduce(_) => "MPI_Allreduce",
            Operation::Scan(_) => "MPI_Scan",
            Operation::Exscan(_) => "MPI_Exscan",
            Operation::Barrier => "MPI_Barrier",
        }
    }

    pub(super) fn message(&self) -> String {
        let root = match self.meaning.root {
            Some(Root::Last) => "rank np - 1".to_owned(),
            Some(Root::Held(object)) => {
                format!("rank `{}`", self.scope.text(self.code.objects[object].variable.name))
            }
            _ => "rank 0".to_owned(),
        };
        let op = self.meaning.operation.op().map(super::term::Op::name).unwrap_or_default();
        let what = match self.meaning.operation {
            Operation::Broadcast => format!("all processes end up with what {root} has"),
            Operation::Scatter => format!("each process ends up with its block of what {root} has"),
            Operation::Gather => format!("{root} ends up with a block of each process, side by side"),
            Operation::Allgather => {
                "all processes end up with a block of each process, side by side".to_owned()
            }
            Operation::Alltoall => "each process ends up with its block of what each process has".to_owned(),
            Operation::Reduce(_) => format!("{root} ends up with what all processes have, combined by {op}"),
            Operation::Allreduce(_) => {
                format!("all processes end up with what all of them have, combined by {op}")
            }
            Operation::Scan(_) => {
                format!("each process ends up with what those up to itself have, combined by {op}")
            }
            Operation::Exscan(_) => {
                format!("each process ends up with what those below it have, combined by {op}")
            }
            Operation::Barrier => {
                "these messages tell all processes that all have come here, and nothing else".to_owned()
            }
        };
        format!("{what}: `{}` does that", self.function())
    }

    /// The call in place of the statements, or why it is not known that the program stays the same.
    pub(super) fn edit(&self) -> Result<Fix, String> {
        self.obstacles()?;
        let call = self.call()?;
        for amount in &self.code.amounts[..self.code.within] {
            if let Amount::Variable(name) = amount
                && !super::super::scope::has_word(&call, name)
            {
                return Err(format!("it is not known whether `{name}` is the same on all processes"));
            }
        }
        let (first, last) = (self.stretch.first, self.stretch.last);
        let block = first.parent().and_then(statements).unwrap_or_default();
        let regions: Vec<Node<'t>> = block.into_iter().filter(|node| self.stretch.contains(*node)).collect();
        let unused = leftovers(self.scope, &regions, std::slice::from_ref(&call));
        let mut edits = unused.map_err(|Needless(what)| what)?;
        // Declarations among the statements go with them.
        edits.retain(|edit| {
            let stretch = self.scope.file.replace(first.start_byte()..last.end_byte(), String::new()).range;
            let begins = (edit.range.line, edit.range.column);
            begins < (stretch.line, stretch.column) || (stretch.end_line, stretch.end_column) <= begins
        });
        edits.insert(0, self.scope.file.replace(first.start_byte()..last.end_byte(), call));
        Ok(Fix { description: format!("call `{}` on all processes", self.function()), edits })
    }

    fn obstacles(&self) -> Result<(), String> {
        if self.code.takes_any && !self.is_once() {
            return Err(
                "a receive that takes any message may take one that is meant for the next time".to_owned()
            );
        }
        self.leaves_nothing_else()?;
        if !self.meaning.own {
            return Err("what a process has for itself is not put in its place among the others".to_owned());
        }
        if matches!(self.meaning.operation, Operation::Exscan(_)) {
            return Err("`MPI_Exscan` leaves the result of rank 0 undefined, which it is not here".to_owned());
        }
        let datatype = self.code.datatype.and_then(mpi::constant).and_then(|constant| constant.datatype());
        if let Some(op) = self.meaning.operation.op()
            && datatype.map(|datatype| datatype.group) != Some(TypeGroup::CInteger)
        {
            return Err(match op.rounds() {
                true => "combining in another order may round differently",
                false => "numbers that are not comparable (NaN) may make a difference",
            }
            .to_owned());
        }
        for declared in descendants(self.stretch.first.parent().unwrap_or(self.stretch.first)) {
            if declared.kind() != "declaration"
                || !self.stretch.contains(declared)
                || declared.parent() != self.stretch.first.parent()
            {
                continue;
            }
            for name in descendants(declared).into_iter().filter(|node| node.kind() == "identifier") {
                let Some(variable) = self.scope.variable(name, self.scope.text(name)) else { continue };
                let uses = self.scope.uses(&variable).unwrap_or_default();
                if variable.declaration == declared && uses.iter().any(|node| !self.stretch.contains(*node)) {
                    return Err(format!("`{}` is used later", self.scope.text(name)));
                }
            }
        }
        if self.meaning.operation != Operation::Barrier && self.meaning.sent != self.meaning.result {
            self.are_apart()?;
        }
        Ok(())
    }

    /// Whether nobody looks at the statuses and requests of the messages later.
    fn leaves_nothing_else(&self) -> Result<(), String> {
        for object in &self.code.objects {
            let variable = &object.variable;
            let is_request = self.scope.type_of(variable).is_some_and(|named| named == "MPI_Request");
            if object.kind != Kind::Status && !is_request {
                continue;
            }
            let later = || "the program may look at a status or a request of these messages later".to_owned();
            let uses = self.scope.uses(variable).ok_or_else(later)?;
            if !uses.iter().any(|node| self.stretch.contains(*node)) {
                continue;
            }
            let mut outside = uses.iter().filter(|node| !self.stretch.contains(**node));
            let is_unseen = match object.kind {
                Kind::Status => outside.all(|node| self.scope.is_status(*node)),
                _ => live(self.scope, &self.origins, self.stretch, variable, true) == Live::Nobody,
            };
            if !is_unseen {
                return Err(later());
            }
        }
        Ok(())
    }

    /// Whether the statements are come to once.
    fn is_once(&self) -> bool {
        if jumps(self.stretch.first) {
            return false;
        }
        let mut node = self.stretch.first;
        while let Some(parent) = node.parent() {
            if matches!(parent.kind(), "for_statement" | "while_statement" | "do_statement") {
                return false;
            }
            node = parent;
        }
        let name = function_of(self.stretch.first)
            .and_then(|function| function.child_by_field_name("declarator"))
            .and_then(|declarator| declarator.child_by_field_name("declarator"));
        name.is_some_and(|name| self.scope.text(name) == "main")
    }

    /// Whether what is sent and the result are different memory.
    fn are_apart(&self) -> Result<(), String> {
        let overlap = || Err("the two buffers may overlap".to_owned());
        let [Some(sent), Some(result)] = self.names else { return overlap() };
        let [sent, result] = [sent, result].map(|object| &self.code.objects[object].variable);
        if sent.name == result.name {
            return overlap();
        }
        are_apart(self.scope, sent, result)
    }

    /// A buffer as an argument.
    fn buffer(&self, which: usize) -> Result<String, String> {
        let unnamed = || "a buffer has no name before the first message".to_owned();
        let object = self.names[which].ok_or_else(unnamed)?;
        let variable = &self.code.objects[object].variable;
        let name = self.scope.text(variable.name);
        let seen =
            self.scope.variable(self.stretch.first, name).is_some_and(|seen| seen.name == variable.name);
        if !seen || self.stretch.contains(variable.declaration) {
            return Err(unnamed());
        }
        Ok(if variable.shape == Shape::Plain { format!("&{name}") } else { name.to_owned() })
    }

    fn call(&self) -> Result<String, String> {
        let function = self.function();
        let communicator = self.code.communicator.ok_or("the communicator has no name")?;
        if self.meaning.operation == Operation::Barrier {
            return Ok(format!("{function}({communicator});"));
        }
        let count = self.count.as_deref().ok_or("the length of a block has no name")?;
        let datatype = self.code.datatype.ok_or("the datatype has no name")?;
        let result = self.buffer(1)?;
        let in_place = self.meaning.sent == self.meaning.result;
        let sent = if in_place { "MPI_IN_PLACE".to_owned() } else { self.buffer(0)? };
        let op = self.meaning.operation.op().map(super::term::Op::name).unwrap_or_default();
        let elements = format!("{count}, {datatype}");
        match self.meaning.operation {
            Operation::Allgather | Operation::Alltoall => {
                Ok(format!("{function}({sent}, {elements}, {result}, {elements}, {communicator});"))
            }
            Operation::Allreduce(_) | Operation::Scan(_) => {
                Ok(format!("{function}({sent}, {result}, {elements}, {op}, {communicator});"))
            }
            Operation::Broadcast => {
                let root = self.root()?;
                Ok(format!("{function}({result}, {elements}, {root}, {communicator});"))
            }
            Operation::Reduce(_) if !in_place => {
                let root = self.root()?;
                Ok(format!("{function}({sent}, {result}, {elements}, {op}, {root}, {communicator});"))
            }
            Operation::Gather | Operation::Scatter if !in_place => {
                let root = self.root()?;
                Ok(format!("{function}({sent}, {elements}, {result}, {elements}, {root}, {communicator});"))
            }
            Operation::Reduce(_) => {
                let root = self.root()?;
                let rank = self.variable(&Identity::Rank).ok_or("the rank has no name")?;
                Ok(self.either(
                    &format!("{rank} == {root}"),
                    &format!("{function}(MPI_IN_PLACE, {result}, {elements}, {op}, {root}, {communicator});"),
                    &format!(
                        "{function}({result}, {}, {elements}, {op}, {root}, {communicator});",
                        null(self.scope)
                    ),
                ))
            }
            _ => Err("the root and the others would make different calls".to_owned()),
        }
    }

    /// Two calls, one of which is made.
    fn either(&self, condition: &str, one: &str, other: &str) -> String {
        let text = self.scope.file.text();
        let line = text[..self.stretch.first.start_byte()].rfind('\n').map_or(0, |at| at + 1);
        let indent: String = text[line..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let deeper = if indent.contains('\t') { "\t" } else { "    " };
        format!(
            "if ({condition}){newline}{indent}{deeper}{one}{newline}{indent}else{newline}{indent}{deeper}{other}"
        )
    }

    fn root(&self) -> Result<String, String> {
        match self.meaning.root {
            Some(Root::First) => Ok("0".to_owned()),
            Some(Root::Held(object)) => {
                let object = &self.code.objects[object];
                let name = self.scope.text(object.variable.name);
                let fits = self.origins.is_settled(&object.variable) && self.is_seen(object);
                fits.then(|| name.to_owned()).ok_or_else(|| format!("`{name}` may be changed"))
            }
            _ => {
                let size = self.variable(&Identity::Size).ok_or("the number of processes has no name")?;
                Ok(format!("{size} - 1"))
            }
        }
    }

    /// A variable that holds the rank, or the number of processes, and can be seen.
    fn variable(&self, identity: &Identity) -> Option<&'t str> {
        self.code.objects.iter().find_map(|object| {
            let is = object.identity.as_ref() == Some(identity) && self.origins.is_settled(&object.variable);
            (is && self.is_seen(object)).then(|| self.scope.text(object.variable.name))
        })
    }

    /// Whether the name of a variable means it before the first message.
    fn is_seen(&self, object: &Object<'t>) -> bool {
        let seen = self.scope.variable(self.stretch.first, self.scope.text(object.variable.name));
        seen.is_some_and(|seen| seen.name == object.variable.name)
    }
}
