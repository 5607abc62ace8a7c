//! All rules by name: identity, default severity, and the one text that explains each.
//!
//! The text of a rule is its page `docs/rules/ID.md`. `anyrank explain`, SARIF, hovers and the web page all show it, so
//! nothing about a rule is written down twice.

use std::fmt;
use std::str::FromStr;

use crate::results::Severity;

/// What part of a program a rule judges (design section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Whether every operation completes.
    Progress,
    /// Whether the two sides of a communication agree.
    Agreement,
    /// The arguments of one call.
    Arguments,
    /// What may be called when, and what becomes of what is made.
    Lifecycle,
    /// Accesses to memory, and messages, whose order is open.
    Concurrency,
    /// What could be said in fewer words, or done faster.
    Opportunity,
}

impl Group {
    /// Its name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Progress => "progress",
            Self::Agreement => "agreement",
            Self::Arguments => "arguments",
            Self::Lifecycle => "lifecycle",
            Self::Concurrency => "concurrency",
            Self::Opportunity => "opportunity",
        }
    }
}

/// The sections of every rule page, in order. A rule whose findings `lint --fix` can make go away has [`FIX`] besides, after the
/// programs.
pub const SECTIONS: [&str; 7] = [
    "What it does",
    "Why it hurts",
    "A failing program",
    "A corrected program",
    "When it may be wrong",
    "How to suppress it",
    "In the standard",
];

/// The section that says what edit makes a finding go away.
pub const FIX: &str = "The fix";

macro_rules! rules {
    ($($variant:ident $id:literal $group:ident $severity:ident;)*) => {
        /// A rule. Its [id](Self::id) is what users write, and never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Rule {
            $(
                #[doc = concat!("`", $id, "`, see `docs/rules/", $id, ".md`.")]
                $variant,
            )*
        }

        impl Rule {
            /// Every rule, by group.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in reports, configuration and suppression comments, in kebab-case.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The group it belongs to.
            #[must_use]
            pub const fn group(self) -> Group {
                match self { $(Self::$variant => Group::$group,)* }
            }

            /// How bad its findings are unless a finding says otherwise.
            #[must_use]
            pub const fn default_severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// Its page in Markdown: a title, a one-paragraph summary, then the [`SECTIONS`].
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Self::$variant => include_str!(concat!("../../../docs/rules/", $id, ".md")),)*
                }
            }
        }
    };
}

rules! {
    Deadlock "deadlock" Progress Error;
    UnsafeSend "unsafe-send" Progress Warning;
    UnmatchedSend "unmatched-send" Progress Error;
    UnmatchedRecv "unmatched-recv" Progress Error;
    CollectiveMismatch "collective-mismatch" Progress Error;
    MissingCollective "missing-collective" Progress Error;
    DatatypeMismatch "datatype-mismatch" Agreement Error;
    MessageTruncation "message-truncation" Agreement Error;
    TagMismatch "tag-mismatch" Agreement Error;
    CommunicatorMismatch "communicator-mismatch" Agreement Error;
    RootMismatch "root-mismatch" Agreement Error;
    OpMismatch "op-mismatch" Agreement Error;
    CountMismatch "count-mismatch" Agreement Error;
    InvalidRank "invalid-rank" Arguments Error;
    InvalidTag "invalid-tag" Arguments Error;
    InvalidCount "invalid-count" Arguments Error;
    InvalidBuffer "invalid-buffer" Arguments Error;
    InvalidCommunicator "invalid-communicator" Arguments Error;
    InvalidDatatype "invalid-datatype" Arguments Error;
    InvalidOp "invalid-op" Arguments Error;
    InvalidRoot "invalid-root" Arguments Error;
    InvalidRequest "invalid-request" Arguments Error;
    InvalidWindow "invalid-window" Arguments Error;
    InvalidFile "invalid-file" Arguments Error;
    BufferType "buffer-type" Arguments Error;
    BufferOverflow "buffer-overflow" Arguments Error;
    BufferAlias "buffer-alias" Arguments Error;
    DatatypeOverlap "datatype-overlap" Arguments Error;
    StructLayout "struct-layout" Arguments Error;
    RequestMissingWait "request-missing-wait" Lifecycle Error;
    RequestReuse "request-reuse" Lifecycle Error;
    RequestNotActive "request-not-active" Lifecycle Note;
    RequestLeak "request-leak" Lifecycle Warning;
    PersistentNotStarted "persistent-not-started" Lifecycle Warning;
    DatatypeUncommitted "datatype-uncommitted" Lifecycle Error;
    DatatypeLeak "datatype-leak" Lifecycle Warning;
    CommunicatorLeak "communicator-leak" Lifecycle Warning;
    GroupLeak "group-leak" Lifecycle Warning;
    OpLeak "op-leak" Lifecycle Warning;
    WindowLeak "window-leak" Lifecycle Error;
    FileLeak "file-leak" Lifecycle Error;
    UseAfterFree "use-after-free" Lifecycle Error;
    DoubleFree "double-free" Lifecycle Error;
    PartitionedMisuse "partitioned-misuse" Lifecycle Error;
    ThreadLevel "thread-level" Concurrency Error;
    BufferRace "buffer-race" Concurrency Error;
    MessageRace "message-race" Concurrency Warning;
    RmaEpoch "rma-epoch" Concurrency Error;
    RmaRace "rma-race" Concurrency Error;
    MissingInit "missing-init" Lifecycle Error;
    MissingFinalize "missing-finalize" Lifecycle Error;
    CallAfterFinalize "call-after-finalize" Lifecycle Error;
    DoubleInit "double-init" Lifecycle Error;
    UseCollective "use-collective" Opportunity Note;
    UseSendrecv "use-sendrecv" Opportunity Note;
    UseDatatype "use-datatype" Opportunity Note;
    SimplifyDatatype "simplify-datatype" Opportunity Note;
    OverlapCommunication "overlap-communication" Opportunity Note;
    UseNeighborCollective "use-neighbor-collective" Opportunity Note;
    ShareConstant "share-constant" Opportunity Note;
    ScheduleRedistribution "schedule-redistribution" Opportunity Note;
}

impl Rule {
    /// The rule of that id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.id() == id)
    }

    /// Whether a path that does not show the defect proves that there is none.
    pub(crate) const fn needs_all_paths(self) -> bool {
        matches!(self, Self::PersistentNotStarted | Self::RequestNotActive)
    }

    /// One sentence that says what the rule reports: the first paragraph of its page.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.explanation()
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('#'))
            .unwrap_or("")
    }

    /// The text of one of the [`SECTIONS`] of its page.
    #[must_use]
    pub fn section(self, title: &str) -> Option<&'static str> {
        let page = self.explanation();
        let heading = format!("\n## {title}\n");
        let start = page.find(&heading)? + heading.len();
        let rest = &page[start..];
        Some(rest[..rest.find("\n## ").unwrap_or(rest.len())].trim())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// No rule has this id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule `{0}`")]
pub struct UnknownRule(pub String);

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(id: &str) -> Result<Self, UnknownRule> {
        Self::from_id(id).ok_or_else(|| UnknownRule(id.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_kebab_case_and_found_again() {
        let mut seen = std::collections::BTreeSet::new();
        for &rule in Rule::ALL {
            assert!(seen.insert(rule.id()), "{rule} twice");
            assert!(
                rule.id()
                    .split('-')
                    .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase()))
            );
            assert_eq!(Rule::from_id(rule.id()), Some(rule));
            assert_eq!(rule.id().parse(), Ok(rule));
        }
        assert_eq!(Rule::from_id("invalid"), None);
    }

    #[test]
    fn every_page_has_a_title_a_summary_and_all_sections_in_order() {
        for &rule in Rule::ALL {
            let page = rule.explanation();
            assert!(page.starts_with(&format!("# {rule}\n")), "{rule}: title");
            let summary = rule.summary();
            assert!(summary.len() > 20 && summary.ends_with('.'), "{rule}: summary {summary:?}");
            let mut headings: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
            if headings.get(4) == Some(&FIX) {
                headings.remove(4);
            }
            assert_eq!(headings, SECTIONS, "{rule}");
            for section in SECTIONS {
                assert!(rule.section(section).is_some_and(|text| text.len() > 10), "{rule}: {section}");
            }
            for program in ["A failing program", "A corrected program"] {
                assert!(
                    rule.section(program).unwrap_or_default().contains("```c\n#include <mpi.h>"),
                    "{rule}: {program}"
                );
            }
            let suppress = rule.section("How to suppress it").unwrap_or_default();
            assert!(suppress.contains(&format!("// anyrank: ignore[{rule}]")), "{rule}: suppression comment");
            assert!(suppress.contains(&format!("--ignore {rule}")), "{rule}: suppression option");
        }
    }
}
