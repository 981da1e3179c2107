//! `rt -p`: assigns the completion value of a program to a place that the host can read.
//!
//! Modules have no completion value, so every expression statement outside functions becomes an assignment, and a
//! statement that yields `undefined` if its body does not run assigns that first (ECMA-262, UpdateEmpty). Declarations
//! keep the value.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;

use super::quote;

/// `target` is a member expression; an identifier would name anonymous functions.
pub fn assign_completion<'a>(program: &mut Program<'a>, target: &str, allocator: &'a Allocator) {
    let completion = Completion { target, allocator };
    if let Some(directive) = program.directives.last() {
        let text = quote::string(&directive.expression.value);
        let first = quote::statements(allocator, &format!("{target} = {text};"), Vec::new());
        completion.list(&mut program.body);
        program.body.splice(0..0, first);
    } else {
        completion.list(&mut program.body);
    }
}

struct Completion<'t, 'a> {
    target: &'t str,
    allocator: &'a Allocator,
}

impl<'a> Completion<'_, 'a> {
    fn list(&self, body: &mut ArenaVec<'a, Statement<'a>>) {
        let mut index = 0;
        while index < body.len() {
            if yields_undefined(&body[index]) {
                let reset = quote::statements(self.allocator, &format!("{} = void 0;", self.target), Vec::new());
                body.splice(index..index, reset);
                index += 1;
            }
            self.statement(&mut body[index]);
            index += 1;
        }
    }

    fn statement(&self, statement: &mut Statement<'a>) {
        match statement {
            Statement::ExpressionStatement(it) => {
                let value = it.expression.take_in(&self.allocator);
                it.expression = quote::expression(self.allocator, &format!("{} = $0", self.target), vec![value]);
            }
            Statement::BlockStatement(it) => self.list(&mut it.body),
            Statement::IfStatement(it) => {
                self.statement(&mut it.consequent);
                it.alternate.iter_mut().for_each(|alternate| self.statement(alternate));
            }
            Statement::ForStatement(it) => self.statement(&mut it.body),
            Statement::ForInStatement(it) => self.statement(&mut it.body),
            Statement::ForOfStatement(it) => self.statement(&mut it.body),
            Statement::WhileStatement(it) => self.statement(&mut it.body),
            Statement::DoWhileStatement(it) => self.statement(&mut it.body),
            Statement::WithStatement(it) => self.statement(&mut it.body),
            Statement::LabeledStatement(it) => self.statement(&mut it.body),
            Statement::SwitchStatement(it) => {
                it.cases.iter_mut().for_each(|case| self.list(&mut case.consequent));
            }
            Statement::TryStatement(it) => {
                self.list(&mut it.block.body);
                it.handler.iter_mut().for_each(|handler| self.list(&mut handler.body.body));
            }
            _ => {}
        }
    }
}

fn yields_undefined(statement: &Statement) -> bool {
    match statement {
        Statement::LabeledStatement(it) => yields_undefined(&it.body),
        Statement::IfStatement(_)
        | Statement::ForStatement(_)
        | Statement::ForInStatement(_)
        | Statement::ForOfStatement(_)
        | Statement::WhileStatement(_)
        | Statement::DoWhileStatement(_)
        | Statement::WithStatement(_)
        | Statement::SwitchStatement(_)
        | Statement::TryStatement(_) => true,
        _ => false,
    }
}
