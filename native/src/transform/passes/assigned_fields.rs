//! Fields with experimental decorators are assigned where others are defined, so that an accessor which a decorator has put on
//! the prototype gets the value (`@property() name = "x"`); one without a value is not there before somebody sets it.
//!
//! The assignment stands in a private field in the field's place, which runs when the field would, also behind a `super()` that
//! is anywhere in the constructor. Fields whose name is computed are left as they are.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};

use super::quote;

pub struct AssignDecorated<'a> {
    pub allocator: &'a Allocator,
    pub changed: bool,
}

impl<'a> AssignDecorated<'a> {
    /// The text of the literal that names `field`, where its decorators make it an assigned one.
    fn assigned_name(field: &PropertyDefinition<'a>) -> Option<String> {
        let is_plain = field.r#type == PropertyDefinitionType::PropertyDefinition && !field.declare && !field.r#static;
        if !is_plain || field.decorators.is_empty() || field.computed || field.key.is_private_identifier() {
            return None;
        }
        field.key.static_name().map(|name| quote::string(&name))
    }
}

impl<'a> VisitMut<'a> for AssignDecorated<'a> {
    fn visit_class_body(&mut self, it: &mut ClassBody<'a>) {
        walk_mut::walk_class_body(self, it);
        let is_assigned = |element: &ClassElement<'a>| match element {
            ClassElement::PropertyDefinition(field) => Self::assigned_name(field).is_some(),
            _ => false,
        };
        if !it.body.iter().any(is_assigned) {
            return;
        }
        self.changed = true;
        let mut elements = ArenaVec::with_capacity_in(it.body.len() * 2, &self.allocator);
        for (place, mut element) in it.body.take_in(&self.allocator).into_iter().enumerate() {
            let mut assignment = None;
            if let ClassElement::PropertyDefinition(field) = &mut element
                && let Some(name) = Self::assigned_name(field)
            {
                field.declare = true; // its decorators and its type still count
                if let Some(value) = field.value.take() {
                    let template = format!("#rt_assigned_{place} = void (this[{name}] = $0);");
                    assignment = Some(quote::elements(self.allocator, &template, vec![value]));
                }
            }
            elements.push(element);
            elements.extend(assignment.into_iter().flatten());
        }
        it.body = elements;
    }
}
