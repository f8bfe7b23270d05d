//! Turns tokens into postfix steps by precedence climbing.

use super::lexer::{Spanned, Token, lex};
use super::operators::{NOT, SIGN, Shape, operator};
use super::program::{Parsed, Step};
use super::rows::RowFunction;
use super::{BINARY, ExpressionError, MOST_ARGUMENTS, UNARY};
use crate::nearest::hint;
use std::ops::Range;

/// Longest expression, in bytes.
const MOST_BYTES: usize = 4096;
/// Deepest nesting of parentheses and signs.
const MOST_DEPTH: usize = 64;

/// Parses an expression. [`Parsed::bind`] binds its names later.
pub fn parse(text: &str) -> Result<Parsed, ExpressionError> {
    let whole = 0..text.len();
    if text.trim().is_empty() {
        return Err(error(whole, "the expression is empty", "expected something like `i + 1`"));
    }
    if text.len() > MOST_BYTES {
        return Err(error(whole, format!("an expression has at most {MOST_BYTES} characters"), ""));
    }
    let mut parser = Parser { tokens: lex(text)?, at: 0, depth: 0, steps: Vec::new() };
    parser.sum(0)?;
    match parser.peek() {
        Token::End => Ok(Parsed { steps: parser.steps }),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

fn error(range: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> ExpressionError {
    ExpressionError { range, message: message.into(), label: label.into() }
}

struct Parser<'a> {
    tokens: Vec<Spanned<'a>>,
    at: usize,
    depth: usize,
    steps: Vec<Step>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &Token<'a> {
        &self.tokens[self.at].0
    }

    fn range(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    /// Returns the next token and moves on; the position stays at the end token.
    fn next(&mut self) -> Spanned<'a> {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn unexpected(&self, expected: &str) -> ExpressionError {
        let found = match self.peek() {
            Token::End => "the expression ends too early".to_owned(),
            Token::Name(name) => format!("unexpected `{name}`"),
            Token::Symbol(symbol) => format!("unexpected `{symbol}`"),
            Token::Number(_) => "unexpected number".to_owned(),
        };
        error(self.range(), found, format!("expected {expected}"))
    }

    fn require(&mut self, symbol: &str, expected: &str) -> Result<(), ExpressionError> {
        if !matches!(self.peek(), Token::Symbol(found) if *found == symbol) {
            return Err(self.unexpected(expected));
        }
        self.next();
        Ok(())
    }

    /// Parses operands joined by operators with at least the precedence `least`.
    fn sum(&mut self, least: u8) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(error(self.range(), format!("nested more than {MOST_DEPTH} deep"), ""));
        }
        self.operand()?;
        let mut compared = false;
        while let Token::Symbol(word) | Token::Name(word) = *self.peek() {
            let Some(found) = operator(word).filter(|found| found.strength >= least) else { break };
            let compares = found.shape == Shape::Alone;
            if compared && compares {
                let label = "expected `and` between two comparisons";
                return Err(error(self.range(), "comparisons do not chain", label));
            }
            compared = compares;
            self.next();
            let right = if found.shape == Shape::Right { SIGN } else { found.strength + 1 };
            self.sum(right)?;
            self.steps.push(Step::Binary(found.apply));
        }
        self.depth -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Result<(), ExpressionError> {
        match *self.peek() {
            Token::Number(value) => {
                self.next();
                self.steps.push(Step::Number(value));
            }
            Token::Name("not") => {
                self.next();
                self.sum(NOT)?;
                self.steps.push(Step::Unary(|x| f64::from(x == 0.0)));
            }
            Token::Name(name) if operator(name).is_none() => {
                let (_, range) = self.next();
                if *self.peek() == Token::Symbol("(") {
                    return self.call(name, range);
                }
                self.steps.push(Step::Name(name.to_owned(), range));
            }
            Token::Symbol("(") => {
                self.next();
                self.sum(0)?;
                self.require(")", "`)`")?;
            }
            Token::Symbol("-") => {
                self.next();
                self.sum(SIGN)?;
                self.steps.push(Step::Unary(|x| -x));
            }
            _ => return Err(self.unexpected("a number, a name or `(`")),
        }
        Ok(())
    }

    fn call(&mut self, name: &str, range: Range<usize>) -> Result<(), ExpressionError> {
        let unary = UNARY.iter().find(|(known, _)| *known == name).map(|(_, apply)| Step::Unary(*apply));
        let binary = BINARY.iter().find(|(known, _)| *known == name).map(|(_, apply)| Step::Binary(*apply));
        let row = RowFunction::named(name).map(|function| Step::Row(function, range.clone()));
        if name == "random" {
            return self.random();
        }
        if name == "table_value" {
            return self.table();
        }
        let (step, arguments) = match (unary.or(row), binary) {
            (Some(step), _) => (step, 1),
            (None, Some(step)) => (step, 2),
            (None, None) if name == "if" => (Step::Select, 3),
            (None, None) => {
                return Err(error(
                    range,
                    format!("unknown function `{name}`"),
                    hint(name, super::functions()),
                ));
            }
        };
        self.require("(", "`(`")?;
        self.sum(0)?;
        for _ in 1..arguments {
            self.require(",", &format!("`,`: `{name}` takes {arguments} arguments"))?;
            self.sum(0)?;
        }
        self.require(")", "`)`")?;
        self.steps.push(step);
        Ok(())
    }

    /// Parses the arguments of `table_value`: the name of a column, and a row.
    fn table(&mut self) -> Result<(), ExpressionError> {
        self.require("(", "`(`")?;
        let (Token::Name(name), range) = self.next() else {
            self.at = self.at.saturating_sub(1);
            return Err(self.unexpected("the name of a table"));
        };
        self.require(",", "`,`: `table_value` takes a name and a row")?;
        self.sum(0)?;
        self.require(")", "`)`")?;
        self.steps.push(Step::Table(name.to_owned(), range));
        Ok(())
    }

    /// Parses the arguments of `random`: any number of arguments up to `MOST_ARGUMENTS`.
    fn random(&mut self) -> Result<(), ExpressionError> {
        self.require("(", "`(`")?;
        self.sum(0)?;
        let mut count = 1;
        while *self.peek() == Token::Symbol(",") {
            if count == MOST_ARGUMENTS {
                return Err(error(
                    self.range(),
                    format!("`random` takes at most {MOST_ARGUMENTS} numbers"),
                    "",
                ));
            }
            self.next();
            self.sum(0)?;
            count += 1;
        }
        self.require(")", "`,` or `)`")?;
        self.steps.push(Step::Random(count));
        Ok(())
    }
}
