//! What counts as a failure.

/// What counts as a failure, beside what the language says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureOptions {
    /// Procedures that end the program.
    pub fatal: Vec<FatalProcedure>,
    /// Whether each STOP with a text is a failure.
    pub stop_text: bool,
}

/// A procedure that ends the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FatalProcedure {
    /// Its name, lower case.
    pub name: String,
    /// The argument that it does so for only.
    pub only_if: Option<FatalArgument>,
}

/// An argument for which a procedure ends the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FatalArgument {
    /// The keyword or the position of the argument, lower case.
    pub argument: String,
    /// A literal or the name of a constant.
    pub value: String,
}

impl FatalProcedure {
    /// Reads `name` or `name(argument = value)`; an error says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_name =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let (name, rest) = match text.split_once('(') {
            Some((name, rest)) => (name.trim(), Some(rest)),
            None => (text.trim(), None),
        };
        let name = name.to_ascii_lowercase();
        if !is_name(&name) {
            return Err(format!("'{text}' is no procedure name"));
        }
        let Some(rest) = rest else { return Ok(FatalProcedure { name, only_if: None }) };
        let inside = rest.trim().strip_suffix(')').and_then(|inside| inside.split_once('='));
        let Some((argument, value)) = inside else {
            return Err(format!("'{text}' should be name(argument = value)"));
        };
        let value = value.trim();
        let value = if value.starts_with(['\'', '"']) { value.to_owned() } else { value.to_ascii_lowercase() };
        let argument = argument.trim().to_ascii_lowercase();
        if !is_name(&argument) || value.is_empty() {
            return Err(format!("'{text}' should be name(argument = value)"));
        }
        Ok(FatalProcedure { name, only_if: Some(FatalArgument { argument, value }) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fatal_procedure_may_have_an_argument() {
        let plain = FatalProcedure { name: "endrun".to_owned(), only_if: None };
        assert_eq!(FatalProcedure::parse("EndRun"), Ok(plain));
        let only_if = FatalArgument { argument: "level".to_owned(), value: "fatal".to_owned() };
        let conditional = FatalProcedure { name: "mom_error".to_owned(), only_if: Some(only_if) };
        assert_eq!(FatalProcedure::parse("mom_error(level = FATAL)"), Ok(conditional));
        for wrong in ["", "a b", "a(", "a(b)", "a(=1)", "a(b=)"] {
            assert!(FatalProcedure::parse(wrong).is_err(), "{wrong}");
        }
    }
}
