//! The comments by which a header says what is to be done with its structs: `/*~ AutoMap_Begin */` and its kin.
//!
//! After section 1.4 of the paper *AutoMap & AutoLink*; `AutoMap_Count`, `AutoMap_String` and `AutoMap_Opaque` are ours.

/// A comment that begins with `/*~ AutoMap_` or `//~ AutoMap_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) kind: MarkKind,
    /// 1-based.
    pub(crate) line: u32,
    /// 1-based, in bytes.
    pub(crate) column: u32,
}

/// What it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// Here begins what is looked at.
    Begin,
    /// Here it ends.
    End,
    /// The struct is used as a type of MPI.
    TypeUsed,
    /// The pointer is to an array whose length is in this field.
    Count(String),
    /// The pointer is to characters that end with `'\0'`.
    String,
    /// The member is not transferred.
    Opaque,
    /// None of these.
    Unknown(String),
}

/// All marks of a C text, in order.
pub(crate) fn marks(text: &str) -> Vec<Mark> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut line_start) = (0, 1, 0);
    let mut found = Vec::new();
    while at < bytes.len() {
        let start = at;
        let rest = &bytes[at..];
        let comment = if rest.starts_with(b"/*") {
            let end = text[at + 2..].find("*/").map_or(bytes.len(), |length| at + 2 + length);
            at = (end + 2).min(bytes.len());
            Some(&text[start + 2..end])
        } else if rest.starts_with(b"//") {
            at = text[at..].find('\n').map_or(bytes.len(), |length| at + length);
            Some(&text[start + 2..at])
        } else {
            at += match bytes[at] {
                quote @ (b'"' | b'\'') => length_of_quoted(rest, quote),
                _ => 1,
            };
            None
        };
        if let Some(kind) = comment.and_then(|comment| comment.strip_prefix('~')).and_then(kind) {
            found.push(Mark { kind, line, column: (start - line_start + 1) as u32 });
        }
        for (offset, byte) in bytes[start..at].iter().enumerate() {
            if *byte == b'\n' {
                line += 1;
                line_start = start + offset + 1;
            }
        }
    }
    found
}

fn length_of_quoted(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'\n' {
        if text[at] == quote {
            return at + 1;
        }
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// What a comment behind its `~` says; `None` if it does not speak to us.
fn kind(comment: &str) -> Option<MarkKind> {
    let text = comment.trim();
    let word = text.strip_prefix("AutoMap_")?;
    let argument = |name: &str| {
        let inner = word.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')?.trim();
        let is_name = inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !inner.is_empty();
        is_name.then(|| inner.to_owned())
    };
    Some(match word {
        "Begin" => MarkKind::Begin,
        "End" => MarkKind::End,
        "TpUsed" => MarkKind::TypeUsed,
        "String" => MarkKind::String,
        "Opaque" => MarkKind::Opaque,
        _ => match argument("Count") {
            Some(field) => MarkKind::Count(field),
            None => MarkKind::Unknown(text.to_owned()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_in_comments_only() {
        let text = "/*~ AutoMap_Begin */\nchar *s = \"/*~ AutoMap_End */\"; /* plain */\n  //~ AutoMap_Count( n )\n\
                    /*~AutoMap_Opaque*/ /*~ other */ '\"' /*~ AutoMap_Foo */ /*~ AutoMap_Count() */ /*~ AutoMap_End";
        let found = marks(text);
        let kinds: Vec<_> = found.iter().map(|mark| mark.kind.clone()).collect();
        let unknown = |text: &str| MarkKind::Unknown(text.to_owned());
        assert_eq!(
            kinds,
            [
                MarkKind::Begin,
                MarkKind::Count("n".to_owned()),
                MarkKind::Opaque,
                unknown("AutoMap_Foo"),
                unknown("AutoMap_Count()"),
                MarkKind::End
            ]
        );
        assert_eq!((found[1].line, found[1].column), (3, 3));
        assert_eq!((found[2].line, found[2].column), (4, 1));
    }
}
