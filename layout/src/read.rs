//! Reading datatypes: as expressions, and as JSON.
//!
//! An expression names constructors as MPI does, with the arguments of the C function in its order: `vector(10, 1, 100, MPI_DOUBLE)`; the
//! prefixes `MPI_Type_` and `MPI_Type_create_` and the suffix `_c` may be there, the number of elements of a list may be left out, and
//! lists are written `[1, 2]`. Trees are written as the paper does, `vec(10,100,idx(2,<5,8>,con(1,MPI_INT)))`, with displacements in bytes.
//! JSON has an object for each constructor or node, with the field names of [`Constructor`] and [`Tree`], and expressions as strings.

use std::sync::Arc;

use serde_json::Value as Json;
use thiserror::Error;

use crate::basic::Basic;
use crate::datatype::{Constructor, Datatype, Distribution, Order};
use crate::layout::{DEEPEST, empty};
use crate::tree::Tree;

/// What is wrong with a description, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {message}")]
pub struct ReadError {
    /// A line and column, or a path of fields.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

/// Reads a datatype from an expression, or from JSON if the text begins with a brace.
///
/// JSON may be what `anyrank layout reconstruct` prints: its tree counts elements of its `type`.
///
/// # Errors
///
/// If the text is neither, or describes no datatype.
pub fn datatype(text: &str) -> Result<Datatype, ReadError> {
    let value = if text.trim_start().starts_with('{') {
        let json: Json = serde_json::from_str(text).map_err(|error| ReadError {
            place: format!("line {}, column {}", error.line(), error.column()),
            message: format!("this is no JSON: {error}"),
        })?;
        return document(&json);
    } else {
        Parser { text, at: 0 }.whole()?
    };
    let built = build(&value, 1)?;
    checked(built, &value.place)
}

/// An argument, with where it is.
struct Value {
    place: String,
    what: What,
}

enum What {
    Number(i64),
    Word(String),
    List(Vec<Value>),
    /// A constructor or node of a tree with its arguments in the order of [`parameters`].
    Node(&'static Kind, Vec<Value>),
}

/// A constructor or node.
struct Kind {
    name: &'static str,
    /// The names of its arguments, in the order of the C function without the number of elements of lists.
    parameters: &'static [&'static str],
    /// Where that number is, and of which argument, if there is one.
    count: Option<(usize, usize)>,
}

const KINDS: &[Kind] = &[
    Kind { name: "dup", parameters: &["child"], count: None },
    Kind { name: "contiguous", parameters: &["count", "child"], count: None },
    Kind { name: "vector", parameters: &["count", "blocklength", "stride", "child"], count: None },
    Kind { name: "hvector", parameters: &["count", "blocklength", "stride", "child"], count: None },
    Kind { name: "indexed", parameters: &["blocklengths", "displacements", "child"], count: Some((0, 0)) },
    Kind { name: "hindexed", parameters: &["blocklengths", "displacements", "child"], count: Some((0, 0)) },
    Kind {
        name: "indexed_block",
        parameters: &["blocklength", "displacements", "child"],
        count: Some((0, 1)),
    },
    Kind {
        name: "hindexed_block",
        parameters: &["blocklength", "displacements", "child"],
        count: Some((0, 1)),
    },
    Kind { name: "struct", parameters: &["blocklengths", "displacements", "children"], count: Some((0, 0)) },
    Kind {
        name: "subarray",
        parameters: &["sizes", "subsizes", "starts", "order", "child"],
        count: Some((0, 0)),
    },
    Kind {
        name: "darray",
        parameters: &["size", "rank", "sizes", "distributions", "arguments", "processes", "order", "child"],
        count: Some((2, 2)),
    },
    Kind { name: "resized", parameters: &["child", "lower_bound", "extent"], count: None },
    Kind { name: "con", parameters: &["count", "basic"], count: None },
    Kind { name: "vec", parameters: &["count", "stride", "child"], count: None },
    Kind { name: "idx", parameters: &["indices", "child"], count: Some((0, 0)) },
    Kind { name: "strc", parameters: &["indices", "children"], count: Some((0, 0)) },
    Kind { name: "vecbuc", parameters: &["stride", "step", "buckets", "child"], count: Some((0, 2)) },
    Kind { name: "idxbuc", parameters: &["step", "indices", "buckets", "child"], count: Some((0, 1)) },
];

fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

fn error<T>(place: &str, message: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError { place: place.to_owned(), message: message.into() })
}

fn document(json: &Json) -> Result<Datatype, ReadError> {
    let (json, unit) = match (json.get("kind"), json.get("tree"), json.get("type")) {
        (None, Some(tree), None) => (tree, 1),
        (None, Some(tree), Some(of)) => match of.as_str().and_then(Basic::named) {
            Some(basic) => (tree, basic.size()),
            None => return error("type", format!("{of} is not a predefined datatype")),
        },
        _ => (json, 1),
    };
    let value = from_json(json, "the datatype".to_owned())?;
    let built = build(&value, unit)?;
    checked(built, &value.place)
}

fn checked(datatype: Datatype, place: &str) -> Result<Datatype, ReadError> {
    match datatype.layout() {
        Ok(_) => Ok(datatype),
        Err(wrong) => error(place, wrong.to_string()),
    }
}

fn from_json(json: &Json, place: String) -> Result<Value, ReadError> {
    let what = match json {
        Json::Null => What::Word("default".to_owned()),
        Json::Number(number) => match number.as_i64() {
            Some(number) => What::Number(number),
            None => return error(&place, format!("{number} is not a whole number of 64 bits")),
        },
        Json::String(text) if text.contains('(') => {
            return Parser { text, at: 0 }
                .whole()
                .map_err(|wrong| ReadError { place: format!("{place}, {}", wrong.place), ..wrong });
        }
        Json::String(text) => What::Word(text.clone()),
        Json::Array(all) => What::List(
            (all.iter().enumerate())
                .map(|(i, json)| from_json(json, format!("{place}[{i}]")))
                .collect::<Result<_, _>>()?,
        ),
        Json::Object(fields) => {
            let Some(kind) = fields.get("kind").and_then(Json::as_str).and_then(kind) else {
                let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
                return error(&place, format!("an object has a \"kind\", one of {}", known.join(", ")));
            };
            if let Some(other) =
                fields.keys().find(|name| *name != "kind" && !kind.parameters.contains(&name.as_str()))
            {
                return error(&place, format!("\"{}\" is no field of {}", other.escape_debug(), kind.name));
            }
            let arguments = (kind.parameters.iter())
                .map(|name| match fields.get(*name) {
                    Some(json) => from_json(json, format!("{place}.{name}")),
                    None => error(&place, format!("{} needs a field \"{name}\"", kind.name)),
                })
                .collect::<Result<_, _>>()?;
            What::Node(kind, arguments)
        }
        Json::Bool(_) => return error(&place, "neither a number, a list nor a datatype"),
    };
    Ok(Value { place, what })
}

/// A parser of expressions.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn whole(mut self) -> Result<Value, ReadError> {
        let value = self.value(DEEPEST)?;
        match self.peek() {
            None => Ok(value),
            Some(other) => error(&self.place(), format!("`{}` after the datatype", other.escape_debug())),
        }
    }

    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn place(&self) -> String {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = self.at - before.rfind('\n').map_or(0, |end| end + 1) + 1;
        format!("line {line}, column {column}")
    }

    fn word(&mut self, allowed: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let word = &rest[..rest.find(|c| !allowed(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn value(&mut self, levels: usize) -> Result<Value, ReadError> {
        let next = self.peek();
        let place = self.place();
        let Some(levels) = levels.checked_sub(1) else {
            return error(&place, format!("nested more than {DEEPEST} levels deep"));
        };
        let what = match next {
            Some('[') => What::List(self.values(']', levels)?),
            Some('<') => What::List(self.values('>', levels)?),
            Some('-' | '+' | '0'..='9') => {
                let word = self.word(|c| c.is_ascii_alphanumeric() || c == '-' || c == '+');
                match word.parse() {
                    Ok(number) => What::Number(number),
                    Err(_) => return error(&place, format!("`{word}` is not a whole number of 64 bits")),
                }
            }
            Some(c) if c.is_ascii_alphabetic() => {
                let word = self.word(|c| c.is_ascii_alphanumeric() || c == '_');
                if self.peek() == Some('(') {
                    let arguments = self.values(')', levels)?;
                    return node(word, arguments, place);
                }
                What::Word(word.to_owned())
            }
            Some(other) => {
                return error(
                    &place,
                    format!("`{}` begins no datatype, number or list", other.escape_debug()),
                );
            }
            None => return error(&place, "the description ends here"),
        };
        Ok(Value { place, what })
    }

    /// What is between brackets, the first of which is next.
    fn values(&mut self, close: char, levels: usize) -> Result<Vec<Value>, ReadError> {
        self.at += 1;
        let mut all = Vec::new();
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(all);
        }
        loop {
            all.push(self.value(levels)?);
            match self.peek() {
                Some(',') => self.at += 1,
                Some(c) if c == close => {
                    self.at += 1;
                    return Ok(all);
                }
                _ => return error(&self.place(), format!("`,` or `{close}` is expected")),
            }
        }
    }
}

/// A constructor with the arguments of an expression.
fn node(word: &str, mut arguments: Vec<Value>, place: String) -> Result<Value, ReadError> {
    let short = word.strip_prefix("MPI_Type_").unwrap_or(word);
    let short = short.strip_prefix("create_").unwrap_or(short);
    let Some(kind) = kind(short.strip_suffix("_c").unwrap_or(short)) else {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        return error(&place, format!("`{word}` is no constructor; known are {}", known.join(", ")));
    };
    if kind.name == "con" && arguments.len() == 1 {
        arguments.push(Value { place: place.clone(), what: What::Word(Basic::Byte.name().to_owned()) });
    }
    if let Some((at, of)) = kind.count
        && arguments.len() == kind.parameters.len() + 1
    {
        let count = arguments.remove(at);
        let (given, length) = (number(&count)?, list(&arguments[of])?.len());
        if usize::try_from(given) != Ok(length) {
            let name = kind.parameters[of];
            return error(&count.place, format!("the count is {given}, but there are {length} {name}"));
        }
    }
    if arguments.len() != kind.parameters.len() {
        return error(
            &place,
            format!(
                "{} takes ({}), but has {} arguments",
                kind.name,
                kind.parameters.join(", "),
                arguments.len()
            ),
        );
    }
    Ok(Value { place, what: What::Node(kind, arguments) })
}

fn number(value: &Value) -> Result<i64, ReadError> {
    match value.what {
        What::Number(number) => Ok(number),
        _ => error(&value.place, "a number is expected"),
    }
}

fn list(value: &Value) -> Result<&[Value], ReadError> {
    match &value.what {
        What::List(all) => Ok(all),
        _ => error(&value.place, "a list is expected, such as [1, 2]"),
    }
}

fn numbers(value: &Value) -> Result<Arc<[i64]>, ReadError> {
    list(value)?.iter().map(number).collect()
}

fn sizes(value: &Value) -> Result<Arc<[usize]>, ReadError> {
    list(value)?.iter().map(size).collect()
}

fn size(value: &Value) -> Result<usize, ReadError> {
    usize::try_from(number(value)?).or_else(|_| error(&value.place, "a count is negative"))
}

/// A word of a few, with or without its prefix in MPI.
fn one_of<T: Copy>(value: &Value, what: &str, prefix: &str, known: &[(&str, T)]) -> Result<T, ReadError> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let found = match &value.what {
        What::Word(word) => {
            let short = word.strip_prefix(prefix).unwrap_or(word);
            known.iter().find(|(name, _)| name.eq_ignore_ascii_case(short))
        }
        _ => None,
    };
    match found {
        Some((_, meant)) => Ok(*meant),
        None => error(&value.place, format!("{what} is expected, one of {}", names.join(", "))),
    }
}

fn order(value: &Value) -> Result<Order, ReadError> {
    one_of(value, "an order", "MPI_ORDER_", &[("C", Order::C), ("Fortran", Order::Fortran)])
}

fn distribution(value: &Value) -> Result<Distribution, ReadError> {
    let known =
        [("block", Distribution::Block), ("cyclic", Distribution::Cyclic), ("none", Distribution::None)];
    one_of(value, "a distribution", "MPI_DISTRIBUTE_", &known)
}

fn argument(value: &Value) -> Result<Option<i64>, ReadError> {
    match &value.what {
        What::Word(word) if word == "default" || word == "MPI_DISTRIBUTE_DFLT_DARG" => Ok(None),
        _ => number(value).map(Some),
    }
}

/// The datatype that a value stands for; displacements in trees count `unit` bytes.
fn build(value: &Value, unit: i64) -> Result<Datatype, ReadError> {
    let (kind, arguments) = match &value.what {
        What::Node(kind, arguments) => (kind, arguments),
        What::Word(word) => {
            return match Basic::named(word) {
                Some(basic) => Ok(basic.into()),
                None => {
                    error(&value.place, format!("`{}` is not a predefined datatype", word.escape_debug()))
                }
            };
        }
        _ => return error(&value.place, "a datatype is expected"),
    };
    let at = |name: &str| -> &Value {
        let position = kind.parameters.iter().position(|parameter| *parameter == name);
        &arguments[position.expect("each constructor is built from its own parameters")]
    };
    let child = || build(at("child"), unit);
    let all = || list(at("children"))?.iter().map(|child| build(child, unit)).collect::<Result<Vec<_>, _>>();
    let constructor = match kind.name {
        "dup" => Constructor::Dup { child: child()? },
        "contiguous" => Constructor::Contiguous { count: number(at("count"))?, child: child()? },
        "vector" => Constructor::Vector {
            count: number(at("count"))?,
            blocklength: number(at("blocklength"))?,
            stride: number(at("stride"))?,
            child: child()?,
        },
        "hvector" => Constructor::Hvector {
            count: number(at("count"))?,
            blocklength: number(at("blocklength"))?,
            stride: number(at("stride"))?,
            child: child()?,
        },
        "indexed" => Constructor::Indexed {
            blocklengths: numbers(at("blocklengths"))?,
            displacements: numbers(at("displacements"))?,
            child: child()?,
        },
        "hindexed" => Constructor::Hindexed {
            blocklengths: numbers(at("blocklengths"))?,
            displacements: numbers(at("displacements"))?,
            child: child()?,
        },
        "indexed_block" => Constructor::IndexedBlock {
            blocklength: number(at("blocklength"))?,
            displacements: numbers(at("displacements"))?,
            child: child()?,
        },
        "hindexed_block" => Constructor::HindexedBlock {
            blocklength: number(at("blocklength"))?,
            displacements: numbers(at("displacements"))?,
            child: child()?,
        },
        "struct" => Constructor::Struct {
            blocklengths: numbers(at("blocklengths"))?,
            displacements: numbers(at("displacements"))?,
            children: all()?.into(),
        },
        "subarray" => Constructor::Subarray {
            sizes: numbers(at("sizes"))?,
            subsizes: numbers(at("subsizes"))?,
            starts: numbers(at("starts"))?,
            order: order(at("order"))?,
            child: child()?,
        },
        "darray" => Constructor::Darray {
            size: number(at("size"))?,
            rank: number(at("rank"))?,
            sizes: numbers(at("sizes"))?,
            distributions: list(at("distributions"))?.iter().map(distribution).collect::<Result<_, _>>()?,
            arguments: list(at("arguments"))?.iter().map(argument).collect::<Result<_, _>>()?,
            processes: numbers(at("processes"))?,
            order: order(at("order"))?,
            child: child()?,
        },
        "resized" => Constructor::Resized {
            lower_bound: number(at("lower_bound"))?,
            extent: number(at("extent"))?,
            child: child()?,
        },
        _ => return Ok(tree(kind.name, &at, unit, &value.place)?.into()),
    };
    Ok(constructor.into())
}

/// A node of a tree.
fn tree<'a>(kind: &str, at: &impl Fn(&str) -> &'a Value, unit: i64, place: &str) -> Result<Tree, ReadError> {
    let below = |value: &Value| match build(value, unit)?.layout() {
        Ok(layout) => Ok(layout.tree),
        Err(wrong) => error(&value.place, wrong.to_string()),
    };
    let bytes = |value: &Value| match number(value)?.checked_mul(unit) {
        Some(bytes) => Ok(bytes),
        None => error(&value.place, "a displacement is too far from 0"),
    };
    let places = |value: &Value| list(value)?.iter().map(bytes).collect::<Result<Arc<[i64]>, _>>();
    let as_many = |indices: usize, what: &str, others: usize| {
        if indices == others {
            Ok(())
        } else {
            error(place, format!("there are {others} {what} for {indices} indices"))
        }
    };
    if kind == "con" {
        return match build(at("basic"), unit)? {
            Datatype::Basic(basic) => Ok(Tree::con(size(at("count"))?, basic)),
            _ => error(&at("basic").place, "a leaf has a predefined datatype"),
        };
    }
    if kind == "strc" {
        let indices = places(at("indices"))?;
        let children = list(at("children"))?.iter().map(below).collect::<Result<Vec<_>, _>>()?;
        as_many(indices.len(), "children", children.len())?;
        return Ok(Tree::strc(indices, children));
    }
    let child = Arc::new(below(at("child"))?);
    // Nobody should walk through many copies of nothing.
    let nothing = child.is_empty();
    let tree = match kind {
        "vec" => Tree::Vec { count: size(at("count"))?, stride: bytes(at("stride"))?, child },
        "idx" => Tree::Idx { indices: places(at("indices"))?, child },
        "vecbuc" => Tree::VecBuc {
            stride: bytes(at("stride"))?,
            step: bytes(at("step"))?,
            buckets: sizes(at("buckets"))?,
            child,
        },
        _ => {
            let (indices, buckets) = (places(at("indices"))?, sizes(at("buckets"))?);
            as_many(indices.len(), "buckets", buckets.len())?;
            Tree::IdxBuc { step: bytes(at("step"))?, indices, buckets, child }
        }
    };
    Ok(if nothing { empty() } else { tree })
}
