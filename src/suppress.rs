//! Suppression comments: `// anyrank: ignore[RULE] reason` at the end of a line, or alone on the line above.

use std::collections::BTreeMap;

use analyzer::results::Finding;
use analyzer::rules::Rule;
use frontend::preprocess::AnyrankComment;
use report::InputError;

use crate::selection::rule_named;

/// Lines on which some rules are not reported.
#[derive(Debug, Default)]
pub struct Suppressions {
    /// By file, then line.
    lines: BTreeMap<String, BTreeMap<u32, Line>>,
}

#[derive(Debug, Default)]
struct Line {
    rules: Vec<Rule>,
    /// Nothing but a comment stands there: it speaks about the next line.
    alone: bool,
}

impl Suppressions {
    /// Takes in the comments of one unit. What is wrong with a comment is added to `errors`.
    pub fn add(&mut self, comments: &[AnyrankComment], errors: &mut Vec<InputError>) {
        for comment in comments {
            let Some(rest) = comment.text.strip_prefix("ignore") else { continue };
            let mut complain = |what: String| {
                let message = format!("line {}: {what}", comment.line);
                errors.push(InputError { file: comment.file.clone(), message, fatal: false });
            };
            let list = rest.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let Some((list, _reason)) = list else {
                complain(
                    "`anyrank: ignore` names no rule; write `// anyrank: ignore[RULE] reason`".to_owned(),
                );
                continue;
            };
            let line = self.lines.entry(comment.file.clone()).or_default().entry(comment.line).or_default();
            line.alone |= comment.alone;
            for id in list.split(',') {
                match rule_named(id) {
                    Ok(rule) => line.rules.push(rule),
                    Err(failure) => complain(failure.to_string()),
                }
            }
        }
    }

    /// Whether a comment silences this finding.
    #[must_use]
    pub fn silence(&self, finding: &Finding) -> bool {
        let Some(lines) = self.lines.get(&finding.range.file) else { return false };
        let range = finding.range.line..=finding.range.end_line.max(finding.range.line);
        if lines.range(range).any(|(_, line)| !line.alone && line.rules.contains(&finding.rule)) {
            return true;
        }
        // Several comments may stand above one another.
        let mut above = finding.range.line;
        while let Some(line) = above.checked_sub(1).and_then(|number| lines.get(&number)) {
            if !line.alone {
                return false;
            }
            if line.rules.contains(&finding.rule) {
                return true;
            }
            above -= 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use analyzer::results::{Severity, SourceRange};

    use super::*;

    fn finding(rule: Rule, line: u32, end_line: u32) -> Finding {
        Finding {
            rule,
            severity: Severity::Error,
            message: String::new(),
            range: SourceRange { file: "a.c".into(), line, column: 1, end_line, end_column: 2 },
            np: String::new(),
            ranks: String::new(),
            related: vec![],
            fix: None,
            rebuild: None,
        }
    }

    fn comment(line: u32, text: &str, alone: bool) -> AnyrankComment {
        AnyrankComment { file: "a.c".into(), line, column: 4, text: text.into(), alone }
    }

    #[test]
    fn a_comment_speaks_about_its_line_or_alone_about_the_next() {
        let mut suppressions = Suppressions::default();
        let mut errors = Vec::new();
        let comments = [
            comment(3, "ignore[invalid-tag] the tag is checked elsewhere", false),
            comment(6, "ignore[invalid-tag, invalid-rank]", true),
            comment(7, "ignore[invalid-count] too", true),
        ];
        suppressions.add(&comments, &mut errors);
        assert!(errors.is_empty(), "{errors:?}");
        let silent = |rule, line, end| suppressions.silence(&finding(rule, line, end));
        assert!(silent(Rule::InvalidTag, 3, 3));
        assert!(silent(Rule::InvalidTag, 2, 4), "the comment ends one line of a long call");
        assert!(!silent(Rule::InvalidTag, 4, 4), "it does not stand alone");
        assert!(!silent(Rule::InvalidRank, 3, 3), "another rule");
        assert!(silent(Rule::InvalidCount, 8, 8));
        assert!(silent(Rule::InvalidRank, 8, 8), "two comments above one another");
        assert!(!silent(Rule::InvalidRank, 9, 9));
        assert!(!silent(Rule::InvalidTag, 5, 7), "a comment inside of a call that stands alone");
    }

    #[test]
    fn a_comment_that_cannot_be_read_is_reported() {
        let mut suppressions = Suppressions::default();
        let mut errors = Vec::new();
        let comments = [
            comment(3, "ignore everything", false),
            comment(4, "ignore[invalid-tga]", false),
            comment(5, "assume np > 1", true),
        ];
        suppressions.add(&comments, &mut errors);
        let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "line 3: `anyrank: ignore` names no rule; write `// anyrank: ignore[RULE] reason`",
                "line 4: unknown rule `invalid-tga`; did you mean `invalid-tag`?"
            ]
        );
        assert!(errors.iter().all(|error| !error.fatal));
    }
}
