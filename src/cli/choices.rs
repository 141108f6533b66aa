//! The values of options and of the configuration that stand for a type of the library, and what help says of them.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::analysis::stencil::check::Require;
use crate::diagnostics::{Format, Level};
use crate::solve::Procedure;

/// The names of the values of a type, each with its meaning.
macro_rules! choices {
    ($($type:ident { $($value:ident = $name:literal: $help:literal,)* })*) => {$(
        impl ValueEnum for $type {
            fn value_variants<'a>() -> &'a [Self] {
                &[$($type::$value),*]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(match self {
                    $($type::$value => PossibleValue::new($name).help($help),)*
                })
            }
        }
    )*};
}

choices! {
    Format {
        Full = "full": "For a person, with the source lines",
        Concise = "concise": "For a person and editors, a line each",
        Json = "json": "One JSON document",
        Jsonl = "jsonl": "JSON, a line for each record",
        Sarif = "sarif": "SARIF 2.1.0",
        Github = "github": "Workflow commands of GitHub Actions",
        Gitlab = "gitlab": "The Code Quality report of GitLab",
        Junit = "junit": "JUnit's XML",
        Rdjsonl = "rdjsonl": "reviewdog's diagnostics, a line of JSON each",
    }
    Level {
        Off = "off": "Findings are left out",
        Note = "note": "Findings are for information",
        Warning = "warning": "A person should look at them",
        Error = "error": "Something is wrong",
    }
    Procedure {
        Z3 = "z3": "Z3",
        Native = "native": "The native procedure",
        Both = "both": "Both; a disagreement is an error",
    }
    Require {
        Nothing = "nothing": "None",
        Nontrivial = "nontrivial": "Those for whose arrays more can be said than `pointed`",
        All = "all": "All for whose arrays something can be said",
    }
}
