//! Rules: what can be reported, each with all that is special about it.
//!
//! A rule is one `static` next to the analysis that reports it, named in the list of rules there. Everything else is
//! made from it: `camfort-rs explain`, `docs/rules.md`, the configuration and its schema, the rules of a SARIF
//! document, the test of its examples.

use std::cmp::Ordering;

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// For information.
    Note,
    /// Something that a person should look at.
    Warning,
    /// Something is wrong: the exit status is 1.
    Error,
}

impl Severity {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        Level::from(Some(self)).name()
    }
}

/// What is made of the findings of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// They are left out.
    Off,
    /// They get [`Severity::Note`].
    Note,
    /// They get [`Severity::Warning`].
    Warning,
    /// They get [`Severity::Error`].
    Error,
}

impl Level {
    /// The word that the configuration uses.
    pub fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }

    /// The severity of the findings; `None` is off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Level::Off => None,
            Level::Note => Some(Severity::Note),
            Level::Warning => Some(Severity::Warning),
            Level::Error => Some(Severity::Error),
        }
    }
}

impl From<Option<Severity>> for Level {
    fn from(severity: Option<Severity>) -> Self {
        match severity {
            None => Level::Off,
            Some(Severity::Note) => Level::Note,
            Some(Severity::Warning) => Level::Warning,
            Some(Severity::Error) => Level::Error,
        }
    }
}

/// Something that breaks or keeps a rule, as a page can show it.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// Fortran in one file.
    File(&'static str),
    /// A program as it was, and as it is now.
    Versions {
        /// As it was.
        before: &'static str,
        /// As it is.
        now: &'static str,
    },
    /// A command line; the file that it may name is any Fortran that keeps the rule.
    CommandLine(&'static str),
    /// The same, but about files that are too large to be shown: not to be tried.
    Sketch(&'static str),
}

impl Example {
    /// The language of its text, as Markdown names it.
    pub fn language(self) -> &'static str {
        match self {
            Example::File(_) | Example::Versions { .. } => "fortran",
            Example::CommandLine(_) | Example::Sketch(_) => "console",
        }
    }

    /// Its text, with a line end.
    pub fn text(self) -> String {
        match self {
            Example::File(text) | Example::CommandLine(text) | Example::Sketch(text) => text.to_owned(),
            Example::Versions { before, now } => format!("! before\n{before}\n! now\n{now}"),
        }
    }
}

/// A kind of finding.
#[derive(Debug)]
pub struct Rule {
    /// A letter for the analysis (`F` is the source itself) and three digits. Stable once released.
    pub code: &'static str,
    /// The name in words, with hyphens.
    pub name: &'static str,
    /// What is made of it where the configuration says nothing.
    pub level: Level,
    /// One paragraph: when it fires, why that matters, what to do.
    pub explanation: &'static str,
    /// What breaks it.
    pub breaks: Example,
    /// The same made right.
    pub keeps: Example,
    /// The commands that report it; the examples are tried with the first.
    pub commands: &'static [&'static str],
    /// The options without which they don't.
    pub options: &'static [&'static str],
    /// What the fix of a finding does, as a command: `Shorten the specification`. `None`: there is no fix.
    pub fix: Option<&'static str>,
    /// Whether what the fix writes means what stood there, or adds to it. If not, a person should look at it: the code
    /// may be what is wrong.
    pub is_fix_safe: bool,
    /// Whether an `allow` comment silences it.
    pub is_silenceable: bool,
}

impl Rule {
    /// What most rules have in common: specifications are looked at by `infer` and `check`. (The names and texts are
    /// each rule's own.)
    pub const DEFAULT: Rule = Rule {
        code: "",
        name: "",
        level: Level::Error,
        explanation: "",
        breaks: Example::File(""),
        keeps: Example::File(""),
        commands: &["check", "infer"],
        options: &[],
        fix: None,
        is_fix_safe: false,
        is_silenceable: true,
    };

    /// Whether a command reports it.
    pub fn is_reported_by(&self, command: &str) -> bool {
        self.commands.contains(&command)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Rule {}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rule {
    fn cmp(&self, other: &Self) -> Ordering {
        self.code.cmp(other.code)
    }
}
