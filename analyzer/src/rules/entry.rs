//! What is known when a function is entered: the values of variables that nobody changes, and, in `main`, those of all
//! variables of file scope.

use frontend::ir::{
    Callee, Expr, ExprKind, Function, GlobalId, Initializer, InstKind, Place, PlaceBase, Projection,
    Terminator, Type, Unit,
};

use super::values::{Evaluator, Fill, Interval, Object, State};

/// Facts about the variables of a unit.
pub(super) struct Entry<'a> {
    unit: &'a Unit,
    /// By global: never stored to and its address never taken in this unit, and no other unit can name it.
    constant: Vec<bool>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(unit: &'a Unit) -> Self {
        let mut constant: Vec<bool> = unit
            .globals
            .iter()
            .map(|global| global.is_static && global.defined && !global.unstable)
            .collect();
        let mut touched = Touched { constant: &mut constant, depth: 0 };
        for cfg in unit.functions.iter().filter_map(|function| function.body.as_ref()) {
            for block in cfg.graph.node_weights() {
                for inst in &block.insts {
                    touched.inst(&inst.kind);
                }
                match &block.terminator {
                    Terminator::Branch { condition: expr, .. }
                    | Terminator::Switch { value: expr, .. }
                    | Terminator::Return(Some(expr), _) => touched.expr(expr),
                    _ => {}
                }
            }
        }
        for global in &unit.globals {
            if let Some(init) = &global.init {
                touched.initializer(init);
            }
        }
        Self { unit, constant }
    }

    /// The state in which a function starts.
    pub(super) fn state(&self, function: &Function) -> State {
        let mut state = State::default();
        let eval = Evaluator::new(self.unit, function);
        // `main` runs first, and nothing but constructors of libraries runs before it.
        let is_main = &*function.name == "main";
        for (index, global) in self.unit.globals.iter().enumerate() {
            if !(self.constant[index] || is_main && global.defined && !global.unstable) {
                continue;
            }
            let Ok(index) = u32::try_from(index) else { break };
            let object = Object::Global(GlobalId(index));
            let is_scalar = !matches!(self.unit.types.get(global.ty), Type::Array(..) | Type::Record(_));
            match &global.init {
                None => state.begin(&object, Some(Fill::Zero)),
                Some(Initializer::Scalar(expr)) if is_scalar => {
                    if let Some(size) = eval.layout.cell_size(global.ty) {
                        let value = eval.value(&State::default(), expr);
                        state.write(&object, Interval::exactly(0), size, value, Some(global.span));
                    }
                }
                Some(_) => {}
            }
        }
        state
    }
}

/// Strikes out variables that are stored to or whose address is taken.
struct Touched<'a> {
    constant: &'a mut Vec<bool>,
    depth: u32,
}

/// Expressions nested deeper than this count as touching everything.
const MAX_DEPTH: u32 = 500;

impl Touched<'_> {
    fn inst(&mut self, inst: &InstKind) {
        match inst {
            InstKind::Assign(place, expr) => {
                self.stored(place);
                self.expr(expr);
            }
            InstKind::Call { dest, callee, args } => {
                dest.iter().for_each(|place| self.stored(place));
                args.iter().for_each(|arg| self.expr(arg));
                if let Callee::Indirect(expr) = callee {
                    self.expr(expr);
                }
            }
            InstKind::Declare(_) => {}
            InstKind::Opaque { writes: Some(places), .. } => {
                places.iter().for_each(|place| self.stored(place))
            }
            InstKind::Opaque { writes: None, .. } => {}
        }
    }

    fn strike(&mut self, place: &Place) {
        if let PlaceBase::Global(id) = place.base
            && let Some(slot) = self.constant.get_mut(id.0 as usize)
        {
            *slot = false;
        }
    }

    fn stored(&mut self, place: &Place) {
        self.strike(place);
        self.parts(place);
    }

    /// The expressions inside a place.
    fn parts(&mut self, place: &Place) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.expr(pointer);
        }
        for projection in &place.projections {
            if let Projection::Index(index) = projection {
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if MAX_DEPTH < self.depth {
            self.constant.iter_mut().for_each(|slot| *slot = false);
            return;
        }
        self.depth += 1;
        match &expr.kind {
            ExprKind::Load(place) => self.parts(place),
            ExprKind::AddressOf(place) => self.stored(place),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::SizeofVla(factors) => factors.iter().for_each(|factor| self.expr(factor)),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::Constant { .. }
            | ExprKind::FunctionAddress(_)
            | ExprKind::Sizeof(_)
            | ExprKind::Unknown(_) => {}
        }
        self.depth -= 1;
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Scalar(expr) => self.expr(expr),
            Initializer::Aggregate(parts) => parts.iter().for_each(|(_, part)| self.initializer(part)),
            Initializer::Unknown => {}
        }
    }
}
