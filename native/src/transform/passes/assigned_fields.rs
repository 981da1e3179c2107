//! Fields with experimental decorators are assigned, not defined, so that an accessor which a decorator has put on the
//! prototype receives the value (`@property() name = "x"`); without a value the field does not exist until it is set.
//!
//! The assignment is in a private field in the field's place, so it runs when the field would, even after a `super()`
//! anywhere in the constructor. Fields with computed names stay as they are.
use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};

use super::{naming, quote};

pub struct AssignDecorated<'a> {
    pub allocator: &'a Allocator,
    pub changed: bool,
}

impl<'a> AssignDecorated<'a> {
    /// The text of the literal that names `field`, if its decorators make it an assigned one.
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
                    let value = naming::named(value, &name, self.allocator);
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
