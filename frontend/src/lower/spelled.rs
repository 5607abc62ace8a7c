//! Reads the types that our own tables spell in C: `const char *`, `struct { int quot; int rem; }`, `int[][3]`.

use crate::ir::{Type, TypeId};

use super::lexer::{Key, Tok, Token, tokens};
use super::unit::UnitLowerer;

/// A reader of one spelling; what it does not understand is [`Type::Unknown`].
struct Reader<'s> {
    text: &'s str,
    tokens: Vec<Token>,
    at: usize,
}

impl<'s> Reader<'s> {
    fn kind(&self) -> Option<Tok> {
        self.tokens.get(self.at).map(|t| t.kind)
    }

    fn word(&self) -> &'s str {
        self.tokens.get(self.at).map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    fn take(&mut self, c: u8) -> bool {
        let there = self.kind() == Some(Tok::P(c));
        self.at += usize::from(there);
        there
    }
}

impl UnitLowerer<'_> {
    /// The type that one of our tables spells.
    pub(super) fn spelled_type(&mut self, text: &'static str) -> TypeId {
        if let Some(&ty) = self.spelled.get(text) {
            return ty;
        }
        let mut reader = Reader { text, tokens: tokens(text), at: 0 };
        let ty = self.spelled(&mut reader);
        self.spelled.insert(text, ty);
        ty
    }

    fn spelled(&mut self, reader: &mut Reader<'static>) -> TypeId {
        let mut ty = self.spelled_base(reader);
        loop {
            match reader.kind() {
                Some(Tok::P(b'*')) => ty = self.pointer(ty),
                Some(Tok::Key(Key::Const | Key::Restrict | Key::Volatile)) => {}
                // `T []` and `T [][3]` of parameters are pointers.
                Some(Tok::P(b'[')) => {
                    let inner = reader.tokens.get(reader.at + 3).map(|t| t.kind);
                    if inner == Some(Tok::Number) {
                        let number = &reader.tokens[reader.at + 3];
                        let length = reader.text[number.start as usize..number.end as usize].parse().ok();
                        ty = self.types.intern(Type::Array(ty, length));
                    } else if reader.tokens.get(reader.at + 1).map(|t| t.kind) == Some(Tok::Number) {
                        let number = reader.tokens[reader.at + 1];
                        let length = reader.text[number.start as usize..number.end as usize].parse().ok();
                        return self.types.intern(Type::Array(ty, length));
                    }
                    return self.pointer(ty);
                }
                // `R (*)(...)`: its parameters do not matter.
                Some(Tok::P(b'(')) => {
                    let function = crate::ir::FunctionType { result: ty, params: None, variadic: false };
                    let function = self.types.intern(Type::Function(function));
                    return self.pointer(function);
                }
                _ => return ty,
            }
            reader.at += 1;
        }
    }

    fn spelled_base(&mut self, reader: &mut Reader<'static>) -> TypeId {
        let mut words = Vec::new();
        loop {
            match reader.kind() {
                Some(Tok::Key(Key::Struct)) => {
                    reader.at += 1;
                    if reader.kind() == Some(Tok::Ident) {
                        let tag = reader.word();
                        reader.at += 1;
                        return self.library_structure(tag);
                    }
                    return self.spelled_record(reader, None);
                }
                Some(Tok::Key(Key::Const | Key::Volatile)) => reader.at += 1,
                Some(Tok::Key(key)) if key.is_arithmetic_type() => {
                    words.push(key);
                    reader.at += 1;
                }
                Some(Tok::Ident) if words.is_empty() => {
                    let name = reader.word();
                    reader.at += 1;
                    return self.library_type(name).unwrap_or_else(|| {
                        let name = self.name(name);
                        self.types.intern(Type::Named(name))
                    });
                }
                _ => return self.arithmetic(&words),
            }
        }
    }

    /// `{ T a; T b; }`
    fn spelled_record(&mut self, reader: &mut Reader<'static>, tag: Option<&'static str>) -> TypeId {
        let mut fields = Vec::new();
        reader.take(b'{');
        while !reader.take(b'}') && reader.at < reader.tokens.len() {
            let mut ty = self.spelled_base(reader);
            while matches!(reader.kind(), Some(Tok::P(b'*'))) {
                ty = self.pointer(ty);
                reader.at += 1;
            }
            let name = reader.word();
            reader.at += 1;
            if reader.take(b'[') {
                let length = reader.word().parse().ok();
                reader.at += 2;
                ty = self.types.intern(Type::Array(ty, length));
            }
            fields.push((name, ty));
            reader.take(b';');
        }
        self.plain_record(tag, fields)
    }

    /// The type of a library structure by its tag; opaque where we do not know its members.
    pub(super) fn library_structure(&mut self, tag: &'static str) -> TypeId {
        let Some((tag, text)) = super::library::structure(tag) else {
            let name = self.name(tag);
            return self.types.intern(Type::Named(name));
        };
        if let Some(&ty) = self.spelled.get(tag) {
            return ty;
        }
        let mut reader = Reader { text, tokens: tokens(text), at: 1 };
        let ty = self.spelled_record(&mut reader, Some(tag));
        self.spelled.insert(tag, ty);
        ty
    }
}
