//! From calls in a text to [`Call`].

use frontend::mpi::{self, Class, Completion, Query, Role, Which};
use tree_sitter::Node;

use super::code::{Call, Expr, Operator, Side};
use super::lower::{Lowering, called};
use super::term::Op;
use crate::text::{Call as Written, descendants};

impl<'t> Lowering<'_, 't> {
    /// A call, of MPI or one that only copies or compares.
    pub(super) fn call(&mut self, node: Node<'t>) -> Option<Expr> {
        let name = called(self.scope, node)?;
        if self.scope.is_macro(name) {
            return None;
        }
        if name == "memcpy" || name == "memmove" {
            let list = node.child_by_field_name("arguments")?;
            let mut cursor = list.walk();
            let arguments: Vec<_> =
                list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
            let [to, from, length] = arguments.as_slice() else { return None };
            // A number of bytes is none of elements.
            let is_measured = descendants(*length).iter().any(|node| node.kind() == "sizeof_expression");
            is_measured.then_some(())?;
            let [to, from, length] = [*to, *from, *length].map(|argument| self.expression(argument));
            return Some(Expr::Copy { to: Box::new(to?), from: Box::new(from?), length: Box::new(length?) });
        }
        if matches!(name, "fmax" | "fmin") {
            let list = node.child_by_field_name("arguments")?;
            let op = Operator::Any(if name == "fmax" { Op::Largest } else { Op::Smallest });
            let (a, b) = (list.named_child(0)?, list.named_child(1)?);
            self.code.measured.push("double".to_owned());
            return Some(Expr::Binary(op, Box::new(self.expression(a)?), Box::new(self.expression(b)?)));
        }
        let written = Written::around_loosely(self.scope.file, node).filter(|call| call.node == node)?;
        Some(Expr::Call(Box::new(self.mpi(&written)?)))
    }

    fn mpi(&mut self, call: &Written<'t>) -> Option<Call> {
        if call.mpi.name.ends_with("_c") {
            return None;
        }
        let arguments = call.arguments()?;
        let with = |role: Role, nth: usize| {
            let mut all = call.mpi.params.iter().enumerate().filter(|(_, param)| param.role == role);
            all.nth(nth).and_then(|(index, _)| arguments.get(index).copied())
        };
        let blocking = |completion| matches!(completion, Completion::Blocking | Completion::Nonblocking);
        match call.mpi.class {
            Class::Query(what @ (Query::CommRank | Query::CommSize)) => {
                let fits = self.origins.is_same_communicator(self.scope.text(*arguments.first()?));
                let address = self.expression(*arguments.get(1)?)?;
                fits.then_some(match what {
                    Query::CommRank => Call::Rank(address),
                    _ => Call::Size(address),
                })
            }
            Class::Send { completion, .. } if blocking(completion) => {
                let parts =
                    [Role::SendBuffer, Role::Count, Role::Datatype, Role::SendTag].map(|r| with(r, 0));
                let side = self.side(parts, with(Role::Dest, 0)?)?;
                let request = self.request(with(Role::Communicator, 0)?, with(Role::Request, 0))?;
                Some(Call::Send { side, request })
            }
            Class::Receive { completion, matched: false } if blocking(completion) => {
                let parts =
                    [Role::RecvBuffer, Role::Count, Role::Datatype, Role::RecvTag].map(|r| with(r, 0));
                let side = self.side(parts, with(Role::Source, 0)?)?;
                let request = self.request(with(Role::Communicator, 0)?, with(Role::Request, 0))?;
                let status = match with(Role::Status, 0) {
                    Some(status) => self.expression(status)?,
                    None => Expr::Null,
                };
                Some(Call::Receive { side, status, request })
            }
            Class::SendReceive { completion: Completion::Blocking, replace } => {
                self.communicator(with(Role::Communicator, 0)?)?;
                let status = self.expression(with(Role::Status, 0)?)?;
                let (dest, source) = (with(Role::Dest, 0)?, with(Role::Source, 0)?);
                if replace {
                    let parts =
                        [Role::InOutBuffer, Role::Count, Role::Datatype, Role::SendTag].map(|r| with(r, 0));
                    let send = self.side(parts, dest)?;
                    let receive_tag = self.expression(with(Role::RecvTag, 0)?)?;
                    return Some(Call::Replace {
                        send,
                        source: self.expression(source)?,
                        receive_tag,
                        status,
                    });
                }
                let parts =
                    [Role::SendBuffer, Role::Count, Role::Datatype, Role::SendTag].map(|r| with(r, 0));
                let send = self.side(parts, dest)?;
                let buffer = with(Role::RecvBuffer, 0);
                let parts = [buffer, with(Role::Count, 1), with(Role::Datatype, 1), with(Role::RecvTag, 0)];
                let receive = self.side(parts, source)?;
                Some(Call::Exchange { send, receive, status })
            }
            Class::Wait(Which::One) => Some(Call::Wait {
                request: self.expression(with(Role::Request, 0)?)?,
                status: self.expression(with(Role::Status, 0)?)?,
            }),
            Class::Wait(Which::All) => {
                let statuses = self.expression(with(Role::Status, 0)?)?;
                matches!(statuses, Expr::Null).then_some(())?;
                Some(Call::WaitAll {
                    count: self.expression(*arguments.first()?)?,
                    requests: self.expression(*arguments.get(1)?)?,
                })
            }
            Class::Wait(Which::Any) => {
                self.code.waits_any = true;
                Some(Call::WaitAny {
                    count: self.expression(*arguments.first()?)?,
                    requests: self.expression(*arguments.get(1)?)?,
                    index: self.expression(*arguments.get(2)?)?,
                    status: self.expression(with(Role::Status, 0)?)?,
                })
            }
            _ => None,
        }
    }

    /// Where the request of a message is kept, if it has one.
    fn request(&mut self, communicator: Node<'t>, request: Option<Node<'t>>) -> Option<Option<Expr>> {
        self.communicator(communicator)?;
        request.map_or(Some(None), |request| self.expression(request).map(Some))
    }

    fn side(&mut self, parts: [Option<Node<'t>>; 4], peer: Node<'t>) -> Option<Side> {
        let [buffer, count, datatype, tag] = parts;
        let datatype = self.scope.text(datatype?);
        mpi::constant(datatype).and_then(|constant| constant.datatype())?;
        if *self.code.datatype.get_or_insert(datatype) != datatype {
            return None;
        }
        let written = count?;
        let count = self.expression(written)?;
        self.code.counts.push((written, count.clone()));
        Some(Side {
            buffer: self.expression(buffer?)?,
            count,
            peer: self.expression(peer)?,
            tag: self.expression(tag?)?,
        })
    }

    fn communicator(&mut self, node: Node<'t>) -> Option<()> {
        let text = self.scope.text(node);
        let same = node.kind() == "identifier" && *self.code.communicator.get_or_insert(text) == text;
        same.then_some(())
    }
}
