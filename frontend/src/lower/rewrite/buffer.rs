//! The rewritten text with the way back to the source, and what was taken out of it.

/// What a rewritten token stood for, where its text in the source does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lower) enum Special {
    /// A complex type by its size in bytes.
    Complex(u8),
    /// `__int128`, signed or not.
    Int128(bool),
    /// `typeof (...)` or `_Atomic (...)`: the tokens in the parentheses, as a range of the unit's.
    Typeof(u32, u32),
    /// `__auto_type`
    AutoType,
    /// `va_arg (list, type)` as a call with the second argument `sizeof (type)`.
    VaArg,
    /// `offsetof (type, member)` as a call with the first argument `sizeof (type)`.
    Offsetof,
    /// `__builtin_types_compatible_p`, both arguments as `sizeof (type)`.
    TypesCompatible,
    /// `_Alignof (...)` as a call with the argument `sizeof (...)`.
    Alignof,
    /// `goto *p` as a call.
    GotoPointer,
    /// The `&` of a label's address `&&label`.
    LabelAddress,
    /// `__real__` as `~`.
    Real,
    /// `__imag__` as `~`.
    Imag,
    /// The `...` of a case range as `||`.
    CaseRange,
    /// `default` in `_Generic` as a type.
    GenericDefault,
    /// Inline assembly as a call with the outputs as arguments; whether it may write other memory.
    Asm(bool),
    /// An imaginary constant.
    ImaginaryNumber,
    /// The name given to an unnamed bit-field.
    Unnamed,
    /// The type given to a declaration that has none.
    ImplicitInt,
}

/// What an attribute says, where we care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lower) enum Attribute {
    /// The function does not return.
    NoReturn,
    /// No padding.
    Packed,
    /// At least this alignment, in bytes.
    Aligned(u64),
    /// At least the alignment of a type or of this many bytes: the tokens in the parentheses, as a range of the unit's.
    AlignedAs(u32, u32),
    /// `vector_size`, `mode`: the type is not what it looks like.
    OtherType,
    /// The function runs before `main`, in the order of this number.
    Constructor(u32),
    /// The function runs after `main`.
    Destructor,
    /// A function is called with the address of the variable when that goes out of scope: the token that names the function.
    Cleanup(u32),
}

/// An attribute that was taken out.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Mark {
    pub(in crate::lower) attribute: Attribute,
    /// Where it stood.
    pub(in crate::lower) at: u32,
    /// End of the token before it (attributes do not count).
    pub(in crate::lower) after: u32,
}

/// A stretch of the output that came from one place of the source.
#[derive(Clone, Copy, Debug)]
struct Segment {
    out: u32,
    original: u32,
    verbatim: bool,
    special: Option<Special>,
}

/// The text for tree-sitter, with the way back.
#[derive(Debug, Default)]
pub(in crate::lower) struct Buffer {
    pub(in crate::lower) text: Vec<u8>,
    segments: Vec<Segment>,
    pub(in crate::lower) marks: Vec<Mark>,
}

impl Buffer {
    fn segment(&self, out: u32) -> Option<&Segment> {
        let index = self.segments.partition_point(|s| s.out <= out);
        index.checked_sub(1).map(|i| &self.segments[i])
    }

    /// The place in the source of a place in [`Self::text`].
    pub(in crate::lower) fn original(&self, out: u32) -> u32 {
        match self.segment(out) {
            Some(s) if s.verbatim => s.original + (out - s.out),
            Some(s) => s.original,
            None => 0,
        }
    }

    /// What the token at `out` stood for, if its text does not say.
    pub(in crate::lower) fn special(&self, out: u32) -> Option<Special> {
        self.segment(out).filter(|s| s.out == out).and_then(|s| s.special)
    }

    /// Whether anything but plain copying took place.
    pub(in crate::lower) fn is_edited(&self) -> bool {
        self.segments.len() > 1
    }

    pub(super) fn copy(&mut self, text: &str, from: u32, to: u32) {
        if from >= to {
            return;
        }
        let out = self.text.len() as u32;
        let continues =
            self.segments.last().is_some_and(|s| s.verbatim && s.original + (out - s.out) == from);
        if !continues {
            self.segments.push(Segment { out, original: from, verbatim: true, special: None });
        }
        self.text.extend_from_slice(&text.as_bytes()[from as usize..to as usize]);
    }

    pub(super) fn put(&mut self, what: &str, original: u32, special: Option<Special>) {
        let mut what = what;
        // A special belongs to the token, which starts behind the blank.
        if let (Some(_), Some(token)) = (special, what.strip_prefix(' ')) {
            self.put(" ", original, None);
            what = token;
        }
        let out = self.text.len() as u32;
        self.segments.push(Segment { out, original, verbatim: false, special });
        self.text.extend_from_slice(what.as_bytes());
    }
}
