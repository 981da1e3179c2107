//! Experimental decorators that use a private name of their class (`@is(Foo.#x) y`) run inside it, as in TypeScript:
//! the calls after the lowered class become its last static block.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, VisitMut, walk_mut};

use super::{legacy_order, quote};

pub struct PrivateInside<'a>(pub &'a Allocator);

#[derive(Default)]
struct PrivateNames {
    found: bool,
}

impl<'a> Visit<'a> for PrivateNames {
    fn visit_private_identifier(&mut self, _: &PrivateIdentifier<'a>) {
        self.found = true;
    }
}

fn reads_private(statement: &Statement<'_>) -> bool {
    let mut names = PrivateNames::default();
    names.visit_statement(statement);
    names.found
}

/// The class that a statement declares, however it was lowered.
fn declared_class<'s, 'a>(statement: &'s mut Statement<'a>) -> Option<&'s mut Class<'a>> {
    match statement {
        Statement::ClassDeclaration(class) => Some(class),
        Statement::VariableDeclaration(variables) => initial(variables),
        Statement::ExportDefaultDeclaration(export) => match &mut export.declaration {
            ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(class),
            _ => None,
        },
        Statement::ExportDeclaration(export) => match &mut export.declaration {
            Declaration::ClassDeclaration(class) => Some(class),
            Declaration::VariableDeclaration(variables) => initial(variables),
            _ => None,
        },
        _ => None,
    }
}

fn initial<'s, 'a>(variables: &'s mut VariableDeclaration<'a>) -> Option<&'s mut Class<'a>> {
    match variables.declarations.first_mut()?.init.as_mut()? {
        Expression::ClassExpression(class) => Some(class),
        _ => None,
    }
}

impl<'a> VisitMut<'a> for PrivateInside<'a> {
    fn visit_statements(&mut self, it: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, it);
        let is_call = |statement: &Statement<'_>| legacy_order::is_of_instance(statement).is_some();
        if !it.iter().any(|statement| is_call(statement) && reads_private(statement)) {
            return;
        }
        let mut output: ArenaVec<'a, Statement<'a>> = ArenaVec::with_capacity_in(it.len(), &self.0);
        let mut statements = it.take_in(&self.0).into_iter().peekable();
        while let Some(mut statement) = statements.next() {
            let Some(class) = declared_class(&mut statement) else {
                output.push(statement);
                continue;
            };
            let mut calls = ArenaVec::new_in(&self.0);
            while let Some(call) = statements.next_if(is_call) {
                calls.push(call);
            }
            if calls.iter().any(reads_private) {
                let mut block = quote::elements(self.0, "static {}", Vec::new());
                if let Some(ClassElement::StaticBlock(block)) = block.first_mut() {
                    block.body = calls.take_in(&self.0);
                }
                class.body.body.extend(block);
            }
            output.push(statement);
            output.extend(calls);
        }
        *it = output;
    }
}
