//! Edge colouring of weighted bipartite multigraphs: a colour is a step, and costs its heaviest edge.
//!
//! Edges are inserted heaviest first. Where sender and receiver have no free colour in common, colours are exchanged along an alternating
//! path (the proof of König's theorem); which colours is chosen such that no colour becomes more expensive, if possible.

use super::table::{NONE, Table};
use crate::bounds::Level;
use crate::grid::Message;

/// A colouring under way, or a complete one.
pub(super) struct Coloring<'a> {
    edges: &'a [Message],
    colors: usize,
    sent: Table,
    received: Table,
    color_of: Vec<u32>,
    cost: Vec<u64>,
    total_cost: u64,
    /// Colours that are in use.
    open: usize,
}

/// An alternating path that could be recoloured, and what that adds to the cost.
struct Exchange {
    from_sender: bool,
    /// Free at the sender.
    alpha: usize,
    /// Free at the receiver.
    beta: usize,
    raise: u64,
}

impl<'a> Coloring<'a> {
    /// Colours all edges, which must be in order of descending length, with at most `colors`, which must be at least the maximum degree.
    ///
    /// `levels` are the maximum degrees of the graphs of all edges that are at least so long.
    pub(super) fn new(
        senders: usize,
        receivers: usize,
        edges: &'a [Message],
        colors: usize,
        levels: &[Level],
    ) -> Self {
        let mut coloring = Self::empty(senders, receivers, edges, colors);
        // At which length the bound opens each colour.
        let mut opened_at: Vec<u64> = Vec::with_capacity(colors);
        for level in levels {
            opened_at.resize(level.degree.min(colors).max(opened_at.len()), level.length);
        }
        for edge in 0..edges.len() {
            coloring.insert(edge, &opened_at);
        }
        coloring.total_cost = coloring.cost.iter().sum();
        coloring
    }

    /// A colouring that is given, with less than `colors` colours.
    pub(super) fn of(
        senders: usize,
        receivers: usize,
        edges: &'a [Message],
        colors: usize,
        color_of: Vec<u32>,
    ) -> Self {
        let mut coloring = Self::empty(senders, receivers, edges, colors);
        for (edge, color) in color_of.into_iter().enumerate() {
            let color = color as usize;
            coloring.put(edge, color);
            coloring.cost[color] = coloring.cost[color].max(edges[edge].length);
            coloring.open = coloring.open.max(color + 1);
        }
        coloring.total_cost = coloring.cost.iter().sum();
        coloring
    }

    fn empty(senders: usize, receivers: usize, edges: &'a [Message], colors: usize) -> Self {
        let degrees = |vertices: usize, end: fn(&Message) -> u32| {
            let mut degrees = vec![0; vertices];
            edges.iter().for_each(|edge| degrees[end(edge) as usize] += 1);
            degrees
        };
        Self {
            edges,
            colors,
            sent: Table::new(&degrees(senders, |edge| edge.from), colors),
            received: Table::new(&degrees(receivers, |edge| edge.to), colors),
            color_of: vec![NONE; edges.len()],
            cost: vec![0; colors],
            total_cost: 0,
            open: 0,
        }
    }

    fn insert(&mut self, edge: usize, opened_at: &[u64]) {
        let Message { from, to, length } = self.edges[edge];
        let (u, v) = (from as usize, to as usize);
        // What the bound allows at this length is opened at once.
        while opened_at.get(self.open).is_some_and(|opened| *opened >= length) {
            self.cost[self.open] = length;
            self.open += 1;
        }
        if let Some(color) = self.sent.common_free(u, &self.received, v, self.open) {
            self.put(edge, color);
            return;
        }
        let exchange = self.best_exchange(u, v);
        // One colour more now, or what it would cost more than opening it when the bound does.
        if self.open < self.colors {
            let later = opened_at.get(self.open).copied().unwrap_or(0);
            if exchange.as_ref().is_none_or(|exchange| exchange.raise >= length - later) {
                self.cost[self.open] = length;
                self.open += 1;
                self.put(edge, self.open - 1);
                return;
            }
        }
        let exchange =
            exchange.expect("both have a free colour: at most as many edges as colours are at a vertex");
        self.exchange(u, v, &exchange);
        self.put(edge, if exchange.from_sender { exchange.beta } else { exchange.alpha });
    }

    fn best_exchange(&self, u: usize, v: usize) -> Option<Exchange> {
        let (mut alphas, mut betas) = (Vec::new(), Vec::new());
        self.sent.some_free(u, self.open, &mut alphas);
        self.received.some_free(v, self.open, &mut betas);
        let mut best: Option<Exchange> = None;
        // Colours that cost the same first: exchanging those costs nothing.
        for equal in [true, false] {
            for &alpha in &alphas {
                for &beta in &betas {
                    if (self.cost[alpha] == self.cost[beta]) != equal {
                        continue;
                    }
                    for from_sender in [false, true] {
                        let raise = if equal { 0 } else { self.raise(u, v, alpha, beta, from_sender) };
                        if best.as_ref().is_none_or(|best| raise < best.raise) {
                            best = Some(Exchange { from_sender, alpha, beta, raise });
                        }
                        if raise == 0 {
                            return best;
                        }
                    }
                }
            }
        }
        best
    }

    /// Follows the path from the receiver, which lacks `beta`, or from the sender, which lacks `alpha`.
    fn walk(
        &self,
        u: usize,
        v: usize,
        alpha: usize,
        beta: usize,
        from_sender: bool,
        mut act: impl FnMut(usize),
    ) {
        let (mut at_sender, mut vertex) = if from_sender { (true, u) } else { (false, v) };
        let (mut color, mut other) = if from_sender { (beta, alpha) } else { (alpha, beta) };
        loop {
            let table = if at_sender { &self.sent } else { &self.received };
            let edge = table.get(vertex, color);
            if edge == NONE {
                return;
            }
            act(edge as usize);
            let message = &self.edges[edge as usize];
            vertex = if at_sender { message.to } else { message.from } as usize;
            at_sender = !at_sender;
            std::mem::swap(&mut color, &mut other);
        }
    }

    fn raise(&self, u: usize, v: usize, alpha: usize, beta: usize, from_sender: bool) -> u64 {
        let (mut of_alpha, mut of_beta) = (0, 0);
        self.walk(u, v, alpha, beta, from_sender, |edge| {
            let most = if self.color_of[edge] as usize == alpha { &mut of_alpha } else { &mut of_beta };
            *most = self.edges[edge].length.max(*most);
        });
        of_alpha.saturating_sub(self.cost[beta]) + of_beta.saturating_sub(self.cost[alpha])
    }

    fn exchange(&mut self, u: usize, v: usize, exchange: &Exchange) {
        let mut path = Vec::new();
        let Exchange { from_sender, alpha, beta, .. } = *exchange;
        self.walk(u, v, alpha, beta, from_sender, |edge| path.push(edge));
        self.recolor(&path, alpha, beta);
    }

    /// Exchanges the two colours on these edges, which must be whole components of the graph of both.
    fn recolor(&mut self, component: &[usize], alpha: usize, beta: usize) {
        let before: Vec<usize> = component.iter().map(|edge| self.color_of[*edge] as usize).collect();
        for (edge, color) in component.iter().zip(&before) {
            self.take(*edge, *color);
        }
        for (edge, color) in component.iter().zip(before) {
            let new = alpha + beta - color;
            self.put(*edge, new);
            self.cost[new] = self.cost[new].max(self.edges[*edge].length);
        }
    }

    fn put(&mut self, edge: usize, color: usize) {
        let Message { from, to, .. } = self.edges[edge];
        self.sent.put(from as usize, color, edge as u32);
        self.received.put(to as usize, color, edge as u32);
        self.color_of[edge] = color as u32;
    }

    fn take(&mut self, edge: usize, color: usize) {
        let Message { from, to, .. } = self.edges[edge];
        self.sent.take(from as usize, color);
        self.received.take(to as usize, color);
    }

    /// What all colours cost.
    pub(super) const fn total_cost(&self) -> u64 {
        self.total_cost
    }

    /// The colour of each edge.
    pub(super) fn into_colors(self) -> Vec<u32> {
        self.color_of
    }

    /// Rearranges two colours so that together they cost as little as possible.
    ///
    /// Their edges are paths and cycles, each of which can be exchanged. The heaviest edge is in one of the two anyway; so that one gets the
    /// heavier half of each component. `coin` decides where it makes no difference, so that repeating it comes to other arrangements.
    pub(super) fn rearrange(&mut self, one: usize, other: usize, mut coin: impl FnMut() -> bool) {
        let (heavy, light) = if self.cost[one] >= self.cost[other] { (one, other) } else { (other, one) };
        let before = self.cost[one] + self.cost[other];
        let senders = self.sent.vertices();
        let mut seen = vec![false; senders];
        // All components in one piece, each with its end and the heaviest edges of its two halves.
        let mut edges = Vec::new();
        let mut components: Vec<(usize, u64, u64)> = Vec::new();
        for start in 0..senders {
            if !seen[start] {
                let begin = edges.len();
                self.component(start, heavy, light, &mut seen, &mut edges);
                let (mut of_heavy, mut of_light) = (0, 0);
                for edge in &edges[begin..] {
                    let most =
                        if self.color_of[*edge] as usize == heavy { &mut of_heavy } else { &mut of_light };
                    *most = self.edges[*edge].length.max(*most);
                }
                if edges.len() > begin {
                    components.push((edges.len(), of_heavy, of_light));
                }
            }
        }
        let most_heavy = components.iter().map(|(_, a, b)| *a.max(b)).max().unwrap_or(0);
        let most_light = components.iter().map(|(_, a, b)| *a.min(b)).max().unwrap_or(0);
        let mut begin = 0;
        for (end, of_heavy, of_light) in components {
            let free = of_heavy.max(of_light) <= most_light;
            if if free { coin() } else { of_light > of_heavy } {
                self.recolor(&edges[begin..end], heavy, light);
            }
            begin = end;
        }
        self.cost[heavy] = most_heavy;
        self.cost[light] = most_light;
        self.total_cost -= before - (most_heavy + most_light);
    }

    /// The edges of the two colours that hang together with this sender; receivers without a sender of theirs do not exist.
    fn component(&self, start: usize, a: usize, b: usize, seen: &mut [bool], component: &mut Vec<usize>) {
        seen[start] = true;
        for (first, second) in [(a, b), (b, a)] {
            let mut sender = start;
            loop {
                let edge = self.sent.get(sender, first);
                if edge == NONE {
                    break;
                }
                component.push(edge as usize);
                let receiver = self.edges[edge as usize].to as usize;
                let edge = self.received.get(receiver, second);
                if edge == NONE {
                    break;
                }
                sender = self.edges[edge as usize].from as usize;
                component.push(edge as usize);
                if sender == start {
                    // A cycle, complete.
                    return;
                }
                seen[sender] = true;
            }
        }
    }
}
