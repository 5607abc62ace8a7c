//! Reads function prototypes out of a C header, without a compiler: both arms of every `#if` count.

/// A prototype as it stands in a header.
#[derive(Debug)]
pub(crate) struct Prototype {
    pub(crate) name: String,
    /// The text of each parameter, tokens separated by one space; empty for `(void)`.
    pub(crate) params: Vec<String>,
}

/// All prototypes of functions of MPI, of its profiling interface, and of a library's extensions of either.
pub(crate) fn prototypes(header: &str) -> Vec<Prototype> {
    let tokens = tokens(header);
    let mut found = Vec::new();
    let mut statement = 0; // where the present declaration begins
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at].as_str();
        if matches!(token, ";" | "{" | "}") {
            statement = at + 1;
        } else if tokens.get(at + 1).is_some_and(|next| next == "(") {
            let end = closing(&tokens, at + 1);
            let is_function = ["MPI_", "MPIX_", "MPIO_"]
                .iter()
                .any(|prefix| token.strip_prefix('P').unwrap_or(token).starts_with(prefix));
            // A prototype has a return type in front; a macro use in a declaration has not.
            if is_function && at > statement && tokens[statement] != "typedef" {
                found.push(Prototype { name: token.to_owned(), params: params(&tokens[at + 2..end]) });
            }
            at = end;
        }
        at += 1;
    }
    found
}

/// Index of the parenthesis that closes the one at `open`.
fn closing(tokens: &[String], open: usize) -> usize {
    let mut depth = 0;
    for (offset, token) in tokens[open..].iter().enumerate() {
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + offset;
        }
    }
    tokens.len()
}

fn params(tokens: &[String]) -> Vec<String> {
    if tokens.is_empty() || tokens == ["void"] {
        return Vec::new();
    }
    let mut depth = 0;
    let mut result = vec![Vec::new()];
    for token in tokens {
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            "," if depth == 0 => {
                result.push(Vec::new());
                continue;
            }
            _ => {}
        }
        result.last_mut().expect("it starts with one and only grows").push(token.as_str());
    }
    result.iter().map(|words| words.join(" ")).collect()
}

/// Words and punctuation of C text without comments, preprocessing lines and literals.
fn tokens(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut result = Vec::new();
    let mut line_start = true;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let byte = bytes[at];
        if byte == b'\n' {
            line_start = true;
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if byte == b'#' && line_start {
            at += directive_length(rest);
        } else {
            line_start = false;
            let length = if byte == b'"' || byte == b'\'' {
                literal_length(rest.as_bytes())
            } else if rest.starts_with("...") {
                3
            } else {
                rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count().max(1)
            };
            if byte != b'"' && byte != b'\'' {
                result.push(rest[..length].to_owned());
            }
            at += length;
        }
    }
    result
}

/// Length of a preprocessing directive with its continuation lines, without the last line end.
fn directive_length(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            return length - usize::from(line.ends_with('\n'));
        }
    }
    length
}

fn literal_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[test]
fn reads_what_headers_contain() {
    let header = r#"
        #define MPI_Address(...) \
            static_assert(0)
        /* int MPI_Not(int); */
        typedef int (MPI_Fn)(int, int);
        extern "C" {
        DECLSPEC int MPI_Two(const void *buf, int (*f)(int, int)) __attribute__((deprecated("a; b(c")));
        double MPI_None(void);
        int MPI_Many(int level, ...); // int MPI_Nor(int)
        }
    "#;
    let found: Vec<_> = prototypes(header).into_iter().map(|p| (p.name, p.params)).collect();
    let expected = [
        ("MPI_Two", vec!["const void * buf", "int ( * f ) ( int , int )"]),
        ("MPI_None", vec![]),
        ("MPI_Many", vec!["int level", "..."]),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((name, params), (expected_name, expected_params)) in found.iter().zip(&expected) {
        assert_eq!(
            (name.as_str(), params.iter().map(String::as_str).collect::<Vec<_>>()),
            (*expected_name, expected_params.clone())
        );
    }
}
