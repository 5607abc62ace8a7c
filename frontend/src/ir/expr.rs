//! Pure expressions and places.

use std::sync::Arc;

use super::Span;
use super::types::{RecordId, TypeId};
use super::unit::{GlobalId, LocalId};

/// A pure expression: evaluating it changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Its C type after the usual conversions.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// What an [`Expr`] computes.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer or character constant, `sizeof` of a complete type, `offsetof`, and what was computed of these.
    /// `Int(0)` of an array or record type (or of one known by name only) is that object with all bytes zero.
    Int(i128),
    /// A floating constant.
    Float(f64),
    /// A string literal (address of its first byte), without the terminating NUL. Where the type is an array, its contents
    /// padded with zeros: the value of `char s[8] = "abc"`.
    Str(Arc<[u8]>),
    /// A named constant: an enumerator, or a predefined MPI object or address (`MPI_COMM_WORLD`, `MPI_ANY_SOURCE`,
    /// `MPI_IN_PLACE`). `value` is the integer an enumerator stands for; for those of `mpi.h` it is *our* header's value,
    /// which other implementations do not share: compare by name.
    Constant {
        /// Its name in the source.
        name: Arc<str>,
        /// The enumerator's value.
        value: Option<i128>,
    },
    /// The value of a place.
    Load(Box<Place>),
    /// The address of a place; also the decayed form of an array (`AddressOf(a[0])`).
    AddressOf(Box<Place>),
    /// The address of a function of the program or of a library, by name.
    FunctionAddress(Arc<str>),
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator. For `&&` and `||` both operands are pure, so evaluation order does not matter (but the right one
    /// may be undefined where the left one decides: a null check before a dereference).
    /// `Add`/`Sub` with a pointer left operand scale by the pointee's size, as in C; `Sub` of two pointers yields a count.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? t : e` with pure operands.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion to `ty`, written or implied.
    Cast(Box<Expr>),
    /// `sizeof` of a type whose true size is not known, because it differs between MPI implementations (`MPI_Request`, or a
    /// structure with one in it) or stands in a header that is missing. A positive number of bytes, the same wherever the same
    /// type is meant. It is never an array type: `sizeof (MPI_Request[3])` is a product with 3 on the right, and a quotient of two
    /// sizes of the same type or of such products is folded.
    ///
    /// What an allocation of so many bytes can hold is known all the same: count them in
    /// [`TypeTable::model_size`](super::TypeTable::model_size). Nothing else may be concluded from the size in the model.
    Sizeof(TypeId),
    /// `sizeof` of a variable-length type: element size in bytes ([`Self::Int`] or [`Self::Sizeof`]) times the lengths.
    SizeofVla(Vec<Expr>),
    /// A value that is not modelled, with the reason in the analyst's words ("floating-point class macro", "va_arg").
    Unknown(&'static str),
}

/// Unary operators. Unary plus is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `__real__`
    Real,
    /// `__imag__`
    Imag,
}

/// Binary operators of pure expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/` (truncating for integers)
    Div,
    /// `%` (sign of the dividend)
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// Whether it compares its operands.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Lt | Self::Le | Self::Gt | Self::Ge | Self::Eq | Self::Ne)
    }

    /// The comparison with its sides swapped: `a < b` is `b > a`.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            other => other,
        }
    }
}

/// Something that can be read, written and pointed to.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The object it starts from.
    pub base: PlaceBase,
    /// Steps inward, outermost first.
    pub projections: Vec<Projection>,
    /// Type of what is reached.
    pub ty: TypeId,
    /// Where it stands.
    pub span: Span,
}

/// The object a [`Place`] starts from.
#[derive(Clone, Debug, PartialEq)]
pub enum PlaceBase {
    /// A parameter, local variable, local static or temporary.
    Local(LocalId),
    /// A variable of file scope, defined here or elsewhere.
    Global(GlobalId),
    /// What a pointer points to. `p[i]` is `Deref(p + i)`.
    Deref(Box<Expr>),
}

/// One step into an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Projection {
    /// The n-th field of a record.
    Field(RecordId, u32),
    /// An element of an array (not of a pointer).
    Index(Expr),
}

impl Expr {
    /// The name of a [`ExprKind::Constant`], looking through casts.
    #[must_use]
    pub fn constant_name(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Constant { name, .. } => Some(name),
            ExprKind::Cast(inner) => inner.constant_name(),
            _ => None,
        }
    }

    /// The expression without the casts around it.
    #[must_use]
    pub fn strip_casts(&self) -> &Self {
        match &self.kind {
            ExprKind::Cast(inner) => inner.strip_casts(),
            _ => self,
        }
    }
}

impl Place {
    /// The local variable this place is, when it is a whole one.
    #[must_use]
    pub fn as_local(&self) -> Option<LocalId> {
        match self.base {
            PlaceBase::Local(id) if self.projections.is_empty() => Some(id),
            _ => None,
        }
    }
}
