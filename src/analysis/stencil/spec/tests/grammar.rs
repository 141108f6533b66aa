//! The grammar file and the parser agree: every sentence derived from the one is read by the other.

use crate::analysis::stencil::spec::parse;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRng, TestRunner};
use std::collections::BTreeMap;

const GRAMMAR: &str = include_str!("../../../../../grammar/specification.ebnf");

enum Expression {
    Terminal(String),
    Rule(String),
    Sequence(Vec<Expression>),
    Choice(Vec<Expression>),
    Optional(Box<Expression>),
    Repeated(Box<Expression>),
    /// All of them, in any order.
    Interleaved(Vec<Expression>),
}

/// The tokens of the grammar file: names, quoted terminals, signs; comments `(* … *)` left out.
fn grammar_tokens() -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = GRAMMAR.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("(*") {
            let end = rest.find("*)").expect("a closed comment") + 2;
            rest = rest[end..].trim_start();
            continue;
        } else if first == '"' {
            rest[1..].find('"').expect("a closed terminal") + 2
        } else {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len()).max(1)
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

fn rules() -> BTreeMap<String, Expression> {
    let mut tokens: Vec<String> = grammar_tokens();
    tokens.reverse();
    let mut rules = BTreeMap::new();
    while let Some(name) = tokens.pop() {
        assert_eq!(tokens.pop().as_deref(), Some("="), "behind {name}");
        let rule = choice(&mut tokens);
        assert_eq!(tokens.pop().as_deref(), Some(";"), "at the end of {name}");
        assert!(rules.insert(name, rule).is_none());
    }
    rules
}

fn choice(tokens: &mut Vec<String>) -> Expression {
    Expression::Choice(operands(tokens, "|", interleaved))
}

fn interleaved(tokens: &mut Vec<String>) -> Expression {
    let mut parts = operands(tokens, "&", sequence);
    if parts.len() == 1 { parts.remove(0) } else { Expression::Interleaved(parts) }
}

fn operands(tokens: &mut Vec<String>, sign: &str, operand: fn(&mut Vec<String>) -> Expression) -> Vec<Expression> {
    let mut operands = vec![operand(tokens)];
    while tokens.last().is_some_and(|token| token == sign) {
        tokens.pop();
        operands.push(operand(tokens));
    }
    operands
}

fn sequence(tokens: &mut Vec<String>) -> Expression {
    let mut items = Vec::new();
    while let Some(token) =
        tokens.last().filter(|token| !matches!(token.as_str(), "|" | "&" | ";" | ")" | "]" | "}")).cloned()
    {
        tokens.pop();
        let mut bracketed = |close: &str| {
            let inner = choice(tokens);
            assert_eq!(tokens.pop().as_deref(), Some(close));
            Box::new(inner)
        };
        items.push(match token.as_str() {
            "(" => *bracketed(")"),
            "[" => Expression::Optional(bracketed("]")),
            "{" => Expression::Repeated(bracketed("}")),
            quoted if quoted.starts_with('"') => Expression::Terminal(quoted.trim_matches('"').to_owned()),
            name => Expression::Rule(name.to_owned()),
        });
    }
    Expression::Sequence(items)
}

/// Derives random sentences. Names come out short, so none is a keyword by chance.
struct Generator<'a> {
    rules: &'a BTreeMap<String, Expression>,
    rng: TestRng,
}

impl Generator<'_> {
    fn below(&mut self, limit: usize) -> usize {
        (self.rng.next_u32() as usize) % limit
    }

    /// Appends the tokens of a derivation; deep ones prefer what ends.
    fn derive(&mut self, expression: &Expression, depth: usize, tokens: &mut Vec<String>) {
        match expression {
            Expression::Terminal(text) => tokens.push(text.clone()),
            Expression::Rule(name) => {
                let rule = self.rules.get(name).unwrap_or_else(|| panic!("rule {name}"));
                let mut inner = Vec::new();
                self.derive(rule, depth + 1, &mut inner);
                if name.chars().all(|c| c.is_ascii_uppercase()) {
                    tokens.push(inner.concat())
                } else {
                    tokens.append(&mut inner)
                }
            }
            Expression::Sequence(items) => items.iter().for_each(|item| self.derive(item, depth, tokens)),
            Expression::Choice(alternatives) => {
                // The alternatives that don't recurse stand last.
                let first = if depth > 12 { alternatives.len() - 1 } else { 0 };
                let at = first + self.below(alternatives.len() - first);
                self.derive(&alternatives[at], depth, tokens);
            }
            Expression::Optional(inner) => {
                if self.below(2) == 0 {
                    self.derive(inner, depth, tokens);
                }
            }
            Expression::Interleaved(parts) => {
                let mut derived = Vec::new();
                for part in parts {
                    let mut own = Vec::new();
                    self.derive(part, depth, &mut own);
                    let at = self.below(derived.len() + 1);
                    derived.insert(at, own);
                }
                derived.retain(|own| !own.is_empty());
                for (at, own) in derived.into_iter().enumerate() {
                    tokens.extend((at > 0 && self.below(2) == 0).then(|| ",".to_owned()));
                    tokens.extend(own);
                }
            }
            Expression::Repeated(inner) => {
                let limit = if depth > 12 { 1 } else { 3 };
                for _ in 0..self.below(limit) {
                    self.derive(inner, depth, tokens);
                }
            }
        }
    }

    /// Tokens with blanks: at least one between words, any number elsewhere; letters in either case.
    fn spell(&mut self, tokens: &[String]) -> String {
        let mut text = String::new();
        for token in tokens {
            let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            let needed = is_word(text.chars().last()) && is_word(token.chars().next());
            text.push_str(&" ".repeat(usize::from(needed) + self.below(2)));
            let capital = self.below(4) == 0;
            text.push_str(&if capital { token.to_ascii_uppercase() } else { token.clone() });
        }
        text
    }
}

#[test]
fn sentences_of_the_grammar_are_read_and_broken_ones_refused_inside_the_line() {
    let rules = rules();
    let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(7), ..Config::default() });
    let mut generator = Generator { rules: &rules, rng: runner.new_rng() };
    let start = Expression::Rule("specification".to_owned());
    let (mut read, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut tokens = Vec::new();
        generator.derive(&start, 0, &mut tokens);
        let text = generator.spell(&tokens);
        parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}\n{error} at {}", error.offset));
        read += 1;
        let at = generator.below(tokens.len());
        match generator.below(3) {
            0 => drop(tokens.remove(at)),
            1 => tokens
                .insert(at, ["::", "(", ")", "+", "*", "=", "%", "0", "depth", "?"][generator.below(10)].to_owned()),
            _ => tokens.truncate(at),
        }
        let broken = generator.spell(&tokens);
        if let Err(error) = parse(broken.as_bytes()) {
            refused += 1;
            assert!(error.offset + error.length <= broken.len() && !error.expected.is_empty(), "{broken}: {error:?}");
        }
    }
    assert!(read > 2000 && refused > 1000, "{read} read, {refused} refused");
}
