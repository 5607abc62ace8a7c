//! Statements that exchange one message with each neighbour in a grid, each way.

use frontend::mpi::{Class, Completion, Direction, Query, Role, SendMode, Which};
use tree_sitter::Node;

use super::super::counted::Counted;
use super::super::scope::{Scope, Shape};
use super::super::unused::is_target;
use super::grid::{Grid, Round, number};
use crate::text::{Call, descendants, is_plain, statements};

/// Most rounds of a loop that are followed one by one.
const ROUNDS: i64 = 16;

/// Most calls of one exchange.
const CALLS: usize = 256;

/// One end of a message.
#[derive(Clone)]
pub(super) struct End<'t> {
    pub(super) call: Call<'t>,
    pub(super) sends: bool,
    pub(super) buffer: Node<'t>,
    pub(super) count: Node<'t>,
    pub(super) datatype: Node<'t>,
    pub(super) tag: Node<'t>,
    pub(super) partner: Node<'t>,
    /// The place of the partner among the neighbours to which a process sends, or from which it receives.
    pub(super) slot: usize,
    /// Whether only a process that has the partner makes the call.
    pub(super) guarded: bool,
    /// In which round of the loops that are part of the exchange, the innermost first.
    pub(super) round: Round<'t>,
    /// When the operation is started, and when it is complete for sure, in the order of the program.
    pub(super) during: (usize, usize),
}

/// All messages of one exchange.
pub(super) struct Exchange<'t> {
    pub(super) grid: Grid<'t>,
    /// Statements that it consists of.
    pub(super) members: Vec<Node<'t>>,
    /// Sends to the neighbours in order, then receives from them.
    pub(super) sends: Vec<End<'t>>,
    pub(super) receives: Vec<End<'t>>,
    /// How many calls a process makes, and how many of them wait for others.
    pub(super) calls: usize,
    pub(super) waits: usize,
}

/// A request that nobody has waited for yet.
struct Pending {
    /// The identity of the variable's name, and the index of the element, where that is known.
    variable: usize,
    element: Option<i64>,
    /// The operation.
    end: usize,
}

/// What is known while statements are read.
struct Reader<'s, 't> {
    scope: &'s Scope<'t>,
    /// The only communicator with neighbours that the program makes.
    only: Option<&'s Grid<'t>>,
    /// Whether it matters what else requests are used for.
    checks: bool,
    grid: Option<Grid<'t>>,
    ends: Vec<End<'t>>,
    pending: Vec<Pending>,
    /// Names of request variables with elements that are not told apart.
    blurred: Vec<Node<'t>>,
    members: Vec<Node<'t>>,
    time: usize,
    calls: usize,
    waits: usize,
}

impl<'t> Exchange<'t> {
    /// The exchange that a call is part of.
    pub(super) fn around(scope: &Scope<'t>, only: Option<&Grid<'t>>, call: &Call<'t>) -> Option<Self> {
        Self::found(scope, only, call, true)
    }

    /// The same; with `checks`, only one whose requests are used for exchanges only.
    fn found(scope: &Scope<'t>, only: Option<&Grid<'t>>, call: &Call<'t>, checks: bool) -> Option<Self> {
        let mut at = call.statement;
        loop {
            let parent = at.parent()?;
            match parent.kind() {
                "compound_statement" => {
                    if let Some(found) = Self::in_block(scope, only, at, checks) {
                        return Some(found);
                    }
                    at = parent;
                }
                "if_statement" | "for_statement" => at = parent,
                _ => return None,
            }
        }
    }

    /// The exchange that a statement of a block is part of.
    fn in_block(scope: &Scope<'t>, only: Option<&Grid<'t>>, at: Node<'t>, checks: bool) -> Option<Self> {
        let all = statements(at.parent()?)?;
        let here = all.iter().position(|node| *node == at)?;
        let is_member =
            |node: &&Node<'t>| Reader::new(scope, only, checks).reads(**node, &Vec::new(), true).is_some();
        let first = here - all[..here].iter().rev().take_while(is_member).count();
        let count = all[first..].iter().take_while(is_member).count();
        let run = &all[first..first + count];
        if here < first || first + count <= here || !is_plain(at) {
            return None;
        }
        let mut reader = Reader::new(scope, only, checks);
        for &statement in run {
            reader.reads(statement, &Vec::new(), false)?;
            if let Some(found) = reader.complete()? {
                if found.members.contains(&at) {
                    return Some(found);
                }
                reader = Reader::new(scope, only, checks);
            }
        }
        None
    }

    /// All ends.
    pub(super) fn ends(&self) -> impl Iterator<Item = &End<'t>> {
        self.sends.iter().chain(&self.receives)
    }
}

impl<'s, 't> Reader<'s, 't> {
    fn new(scope: &'s Scope<'t>, only: Option<&'s Grid<'t>>, checks: bool) -> Self {
        Self {
            scope,
            only,
            checks,
            grid: None,
            ends: Vec::new(),
            pending: Vec::new(),
            blurred: Vec::new(),
            members: Vec::new(),
            time: 0,
            calls: 0,
            waits: 0,
        }
    }

    /// The exchange, if what has been read is one; `None` if it is not part of one.
    #[expect(
        clippy::option_option,
        reason = "an exchange that is not complete yet is none, and may become one"
    )]
    fn complete(&mut self) -> Option<Option<Exchange<'t>>> {
        let Some(grid) = &self.grid else { return Some(None) };
        let number = grid.neighbours();
        let mut slots: Vec<Option<End<'t>>> = vec![None; 2 * number];
        for end in &self.ends {
            let slot = end.slot + if end.sends { 0 } else { number };
            if slots[slot].replace(end.clone()).is_some() {
                return None;
            }
        }
        if !self.pending.is_empty() || slots.iter().any(Option::is_none) {
            return Some(None);
        }
        if !self.requests_are_ours() || !self.counts_for_itself() {
            return None;
        }
        let mut sends: Vec<End<'t>> = slots.into_iter().flatten().collect();
        let receives = sends.split_off(number);
        let members = std::mem::take(&mut self.members);
        let grid = self.grid.take()?;
        Some(Some(Exchange { grid, members, sends, receives, calls: self.calls, waits: self.waits }))
    }

    fn is_inside(&self, name: Node<'t>) -> bool {
        self.members.iter().any(|member| member.byte_range().contains(&name.start_byte()))
    }

    /// Whether nobody misses the requests: where else their variables are used, they are of other exchanges. Those that are not told apart
    /// have variables of their own, all of which the program waits for.
    fn requests_are_ours(&self) -> bool {
        let requests = self.ends.iter().filter_map(|end| end.call.argument(Role::Request));
        requests.filter_map(base).all(|name| {
            let variable = self.scope.variable(name, self.scope.text(name));
            let Some((variable, uses)) = variable.and_then(|v| Some((v.name, self.scope.uses(&v)?))) else {
                return false;
            };
            let is_blurred = |name: &Node<'t>| {
                self.scope.variable(*name, self.scope.text(*name)).is_some_and(|other| other.name == variable)
            };
            let is_own = self.blurred.iter().any(is_blurred);
            uses.into_iter().all(|name| self.is_inside(name) || !is_own && self.is_of_another(name))
        })
    }

    /// Whether a request is used for another exchange, or only its size is.
    fn is_of_another(&self, name: Node<'t>) -> bool {
        let mut around = name.parent();
        while let Some(node) = around.filter(|node| node.kind() == "parenthesized_expression") {
            around = node.parent();
        }
        if !self.checks || around.is_some_and(|node| node.kind() == "sizeof_expression") {
            return true;
        }
        let call = Call::around_loosely(self.scope.file, name);
        call.is_some_and(|call| Exchange::found(self.scope, self.only, &call, false).is_some())
    }

    /// Whether what counts requests is looked at nowhere else.
    fn counts_for_itself(&self) -> bool {
        let requests = self.ends.iter().filter_map(|end| end.call.argument(Role::Request));
        let mut counters = requests.flat_map(descendants).filter(|node| node.kind() == "update_expression");
        counters.all(|counter| {
            let name = counter.child_by_field_name("argument").filter(|name| name.kind() == "identifier");
            name.and_then(|name| self.scope.variable(name, self.scope.text(name)))
                .and_then(|variable| self.scope.uses(&variable))
                .is_some_and(|uses| uses.into_iter().all(|node| self.is_inside(node) || is_target(&node)))
        })
    }

    /// Reads a statement of a block; with `alone`, only whether it could be part of an exchange. `None` where it is not.
    fn reads(&mut self, statement: Node<'t>, round: &Round<'t>, alone: bool) -> Option<()> {
        let before = self.calls;
        self.statement(statement, round, alone)?;
        if before < self.calls {
            self.members.push(statement);
        }
        Some(())
    }

    fn statement(&mut self, statement: Node<'t>, round: &Round<'t>, alone: bool) -> Option<()> {
        match statement.kind() {
            "expression_statement" => self.call(statement, round, alone),
            "compound_statement" => {
                let all = statements(statement)?;
                all.into_iter().try_for_each(|inner| self.statement(inner, round, alone))
            }
            "for_statement" => {
                let counted = Counted::of(self.scope, statement)?;
                let (first, count) = (counted.first.value(self.scope)?, counted.count.value(self.scope)?);
                let body = statement.child_by_field_name("body")?;
                if !(1..=ROUNDS).contains(&count) {
                    return None;
                }
                (first..first + count).try_for_each(|number| {
                    let round = [&[(counted.variable, number)], round.as_slice()].concat();
                    self.statement(body, &round, alone)
                })
            }
            "if_statement" => self.guarded(statement, round, alone),
            // Of variables that are set in the exchange.
            "declaration" => {
                let mut cursor = statement.walk();
                let mut declarators = statement.children_by_field_name("declarator", &mut cursor);
                let all_plain = declarators.all(|node| node.kind() == "identifier");
                (all_plain && statement.parent()?.parent()?.kind() == "for_statement").then_some(())
            }
            _ => None,
        }
    }

    /// Calls that are made if their partner is somebody: without the condition they do nothing otherwise.
    fn guarded(&mut self, branch: Node<'t>, round: &Round<'t>, alone: bool) -> Option<()> {
        if branch.child_by_field_name("alternative").is_some() {
            return None;
        }
        let mut condition = branch.child_by_field_name("condition")?;
        while condition.kind() == "parenthesized_expression" {
            condition = condition.named_child(0)?;
        }
        if condition.child_by_field_name("operator")?.kind() != "!=" {
            return None;
        }
        let sides = ["left", "right"].map(|field| condition.child_by_field_name(field));
        let [Some(left), Some(right)] = sides else { return None };
        let null = "MPI_PROC_NULL";
        let partner = match (self.scope.text(left), self.scope.text(right)) {
            (text, _) if text == null => right,
            (_, text) if text == null => left,
            _ => return None,
        };
        let before = self.ends.len();
        self.statement(branch.child_by_field_name("consequence")?, round, alone)?;
        // In a graph everybody is somebody.
        let grid = self.grid.as_ref().filter(|grid| !grid.is_graph())?;
        let slot = grid.slot(self.scope, partner, true, round, branch)?;
        self.ends[before..].iter_mut().for_each(|end| end.guarded = true);
        self.ends[before..].iter().all(|end| end.slot == slot).then_some(())
    }

    fn call(&mut self, statement: Node<'t>, round: &Round<'t>, alone: bool) -> Option<()> {
        let inner = statement.named_child(0)?;
        let call = Call::around_loosely(self.scope.file, inner)?;
        let is_other =
            call.node != inner || self.scope.is_macro(call.mpi.name) || call.mpi.name.ends_with("_c");
        if is_other || CALLS <= self.calls {
            return None;
        }
        let ends = match call.mpi.class {
            Class::Query(Query::CartShift) => return Some(()),
            Class::Wait(which) => return self.wait(&call, which, round, alone),
            Class::Send { mode: SendMode::Standard, completion }
            | Class::Receive { completion, matched: false } => completion,
            Class::SendReceive { completion, replace: false } => completion,
            _ => return None,
        };
        let ignored = call.argument(Role::Status).is_none_or(|_| self.scope.ignores_status(&call));
        if !ignored {
            return None;
        }
        let arguments = call.arguments()?;
        let request = match ends {
            Completion::Blocking => None,
            Completion::Nonblocking => Some(call.argument(Role::Request)?),
            _ => return None,
        };
        if !arguments.iter().all(|argument| Some(*argument) == request || self.scope.is_pure(*argument)) {
            return None;
        }
        let communicator = call.argument(Role::Communicator)?;
        let grid = Grid::of(self.scope, communicator, statement).or_else(|| self.only.cloned())?;
        if self.grid.as_ref().is_some_and(|known| !known.is(&grid)) {
            return None;
        }
        self.time += 1;
        self.calls += 1;
        self.waits += usize::from(request.is_none() && !matches!(call.mpi.class, Class::Send { .. }));
        for buffer in call.mpi.buffers() {
            let at = |index: Option<usize>| arguments.get(index?).copied();
            let sends = buffer.direction == Direction::In;
            let (partner, tag) = match sends {
                true => (at(buffer.dest)?, at(buffer.send_tag)?),
                false => (at(buffer.source)?, at(buffer.recv_tag)?),
            };
            if self.scope.text(tag) == "MPI_ANY_TAG" {
                return None;
            }
            let slot = grid.slot(self.scope, partner, sends, round, statement)?;
            if let Some(request) = request {
                let (name, element) = self.request(request, round)?;
                self.pending.push(Pending { variable: name, element, end: self.ends.len() });
            }
            self.ends.push(End {
                call,
                sends,
                buffer: at(Some(buffer.param))?,
                count: at(buffer.count)?,
                datatype: at(buffer.datatype)?,
                tag,
                partner,
                slot,
                guarded: false,
                round: round.clone(),
                during: (self.time, self.time),
            });
        }
        self.grid = Some(grid);
        Some(())
    }

    /// The variable that an expression is the address of, or of an element of which; `None` as its index where that is not known.
    fn request(&mut self, address: Node<'t>, round: &Round<'t>) -> Option<(usize, Option<i64>)> {
        let (name, element) = match address.kind() {
            "identifier" => (address, Some(0)),
            "pointer_expression" if self.scope.text(address).starts_with('&') => {
                let inner = address.child_by_field_name("argument")?;
                match inner.kind() {
                    "identifier" => (inner, Some(0)),
                    "subscript_expression" => {
                        let index = inner.child_by_field_name("index")?;
                        (inner.child_by_field_name("argument")?, number(self.scope, index, round))
                    }
                    _ => return None,
                }
            }
            "binary_expression" if address.child_by_field_name("operator")?.kind() == "+" => {
                let index = address.child_by_field_name("right")?;
                (address.child_by_field_name("left")?, number(self.scope, index, round))
            }
            _ => return None,
        };
        let variable =
            (name.kind() == "identifier").then(|| self.scope.variable(name, self.scope.text(name)))??;
        let is_local = variable.declaration.kind() != "parameter_declaration"
            && matches!(variable.shape, Shape::Plain | Shape::Array(_));
        if element.is_none() {
            self.blurred.push(name);
        }
        is_local.then(|| (variable.name.id(), element))
    }

    fn wait(&mut self, call: &Call<'t>, which: Which, round: &Round<'t>, alone: bool) -> Option<()> {
        let status = call.argument(Role::Status)?;
        let ignored = self.scope.text(status) == "MPI_STATUSES_IGNORE" || self.scope.ignores_status(call);
        if !ignored {
            return None;
        }
        self.time += 1;
        self.calls += 1;
        self.waits += 1;
        let (variable, first) = self.request(call.argument(Role::Request)?, round)?;
        let count = match which {
            Which::One => Some(1),
            Which::All => number(self.scope, call.argument(Role::ArrayLength)?, round),
            _ => return None,
        };
        let own = |pending: &Pending| pending.variable == variable;
        let is_blurred = self.pending.iter().any(|pending| own(pending) && pending.element.is_none());
        let range = match (first, count, is_blurred) {
            (Some(first), Some(count), false) => Some(first..first.checked_add(count)?),
            (Some(0), _, _) if which == Which::All => {
                if !is_blurred {
                    self.blurred.push(base(call.argument(Role::Request)?)?);
                }
                None
            }
            _ => return None,
        };
        let is_done = |pending: &Pending| {
            own(pending)
                && range.as_ref().is_none_or(|range| pending.element.is_some_and(|at| range.contains(&at)))
        };
        let (done, open): (Vec<Pending>, Vec<Pending>) =
            std::mem::take(&mut self.pending).into_iter().partition(is_done);
        self.pending = open;
        if done.is_empty() && !alone {
            return None;
        }
        done.iter().for_each(|pending| self.ends[pending.end].during.1 = self.time);
        Some(())
    }
}

/// The variable in the address of one of its elements.
fn base(address: Node<'_>) -> Option<Node<'_>> {
    let mut node = address;
    while node.kind() != "identifier" {
        node = node.child_by_field_name("argument").or_else(|| node.child_by_field_name("left"))?;
    }
    Some(node)
}
