//! TypeScript's additions to classes: modifiers before members, marks after their names, members that are only types.
use oxc_ast::ast::*;
use oxc_ast_visit::walk;
use oxc_span::GetSpan;

use super::Stripper;

const WORDS: [&str; 7] = ["public", "private", "protected", "readonly", "override", "abstract", "declare"];
const KEPT: [&str; 3] = ["static", "async", "accessor"];

/// Characters that may begin a member but also continue the previous one.
fn may_continue(character: char) -> bool {
    matches!(character, '[' | '*' | '(')
}

impl Stripper<'_> {
    pub fn strip_class(&mut self, class: &Class<'_>) {
        let start = class.decorators.last().map_or(class.span.start, |last| last.span.end.max(class.span.start));
        if class.r#abstract
            && let Some((place, _)) = self.text.next(start)
            && self.text.word(place) == "abstract"
        {
            self.text.blank(place, place + "abstract".len() as u32);
        }
        if let (Some(first), Some(last)) = (class.implements.first(), class.implements.last())
            && let Some((end, _)) = self.text.previous(first.span.start)
        {
            self.text.blank(end + 1 - "implements".len() as u32, last.span.end);
        }
    }

    pub fn strip_member<'a>(&mut self, element: &ClassElement<'a>) {
        let span = element.span();
        let is_type = match element {
            ClassElement::TSIndexSignature(_) => true,
            ClassElement::MethodDefinition(method) => method.value.body.is_none(),
            ClassElement::PropertyDefinition(property) => property.declare || property.r#type.is_abstract(),
            ClassElement::AccessorProperty(property) => property.r#type.is_abstract(),
            ClassElement::StaticBlock(_) => false,
        };
        if is_type {
            let is_first = self.text.previous(span.start).is_some_and(|(_, character)| character == '{');
            return if is_first { self.blank(span) } else { self.remove_between(span, may_continue) };
        }
        match element {
            ClassElement::MethodDefinition(method) => {
                self.strip_words(span.start, method.decorators.last(), method.key.span().start);
                if method.optional {
                    self.blank_mark(method.key.span().end, '?');
                }
                walk::walk_method_definition(self, method);
            }
            ClassElement::PropertyDefinition(property) => {
                self.strip_words(span.start, property.decorators.last(), property.key.span().start);
                for mark in ['?', '!'] {
                    self.blank_mark(property.key.span().end, mark);
                }
                walk::walk_property_definition(self, property);
                self.keep_word_a_name(property);
                if property.value.is_some() {
                    self.end_with_type(span, may_continue);
                }
            }
            ClassElement::AccessorProperty(property) => {
                self.strip_words(span.start, property.decorators.last(), property.key.span().start);
                self.blank_mark(property.key.span().end, '!');
                walk::walk_accessor_property(self, property);
                self.end_with_type(span, may_continue);
            }
            other => walk::walk_class_element(self, other),
        }
    }

    /// Blanks out TypeScript's modifiers between a member's decorators and its name.
    fn strip_words(&mut self, start: u32, last: Option<&Decorator<'_>>, name: u32) {
        let start = last.map_or(start, |decorator| decorator.span.end.max(start));
        let mut place = start;
        let mut is_first = true;
        while let Some((found, _)) = self.text.next(place).filter(|(found, _)| *found < name) {
            let word = self.text.word(found);
            if WORDS.contains(&word) {
                self.text.blank(found, found + word.len() as u32);
            } else if KEPT.contains(&word) {
                is_first = false;
            } else {
                break;
            }
            place = found + word.len() as u32;
            let next = self.text.next(place).map(|(_, character)| character);
            if is_first && next.is_some_and(may_continue) {
                self.text.write(found, ';');
            }
        }
    }

    /// `get: T` before another member would be parsed as a getter.
    fn keep_word_a_name(&mut self, property: &PropertyDefinition<'_>) {
        let is_word = matches!(self.text.word(property.key.span().start), "get" | "set" | "static" | "accessor");
        if is_word
            && !property.computed
            && property.value.is_none()
            && let Some(annotation) = &property.type_annotation
            && annotation.span.end == property.span.end
        {
            self.text.write(annotation.span.start, ';');
        }
    }
}
