//! `emitDecoratorMetadata`: decorated members and classes get further decorators, which record their types at run time.
//!
//! What is recorded follows `typeSerializer.ts` and `ts.ts` of TypeScript's transformers. Without a type checker, the kind
//! of an imported name is known only when the program runs: the helper `decorateMetadata` classifies its value (an enum
//! counts as String or Number), and a name that is imported only as a type is read from the module's namespace, where it may
//! be missing. `legacy_order` moves the recording decorators behind those of parameters.
mod declared;
mod kinds;

use std::collections::BTreeMap;

use oxc_allocator::{Allocator, ArenaVec, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_semantic::Scoping;
use oxc_span::SPAN;

use super::quote;
use declared::Declared;
use kinds::Kind;

/// The parts of the configuration that decide what is recorded.
#[derive(Clone, Copy)]
pub struct Settings {
    /// `null` and `undefined` count as members of a union.
    pub is_strict: bool,
    /// `verbatimModuleSyntax`: an import without `type` is that of a value.
    pub is_verbatim: bool,
}

pub struct EmitMetadata<'a, 's> {
    allocator: &'a Allocator,
    builder: AstBuilder<'a>,
    scoping: &'s Scoping,
    settings: Settings,
    declared: Declared<'a>,
    /// The start of an import declaration -> the name of the namespace that is imported beside it.
    namespaces: BTreeMap<u32, String>,
}

impl<'a, 's> EmitMetadata<'a, 's> {
    pub fn new(program: &Program<'a>, scoping: &'s Scoping, allocator: &'a Allocator, settings: Settings) -> Self {
        let declared = Declared::of(program, scoping, allocator);
        let builder = AstBuilder::new(allocator);
        Self { allocator, builder, scoping, settings, declared, namespaces: BTreeMap::new() }
    }

    fn recording(&self, key: &str, value: &str) -> Decorator<'a> {
        let template = format!("babelHelpers.decorateMetadata(\"design:{key}\", {value})");
        Decorator::new(SPAN, quote::expression(self.allocator, &template, Vec::new()), &self.builder)
    }

    fn annotation_type(&mut self, annotation: Option<&TSTypeAnnotation<'a>>) -> String {
        self.kind_of(annotation.map(|annotation| &annotation.type_annotation)).into_text()
    }

    fn parameters(&mut self, parameters: &FormalParameters<'a>) -> String {
        let mut list: Vec<String> =
            parameters.items.iter().map(|each| self.annotation_type(each.type_annotation.as_deref())).collect();
        if let Some(rest) = &parameters.rest {
            let kind = rest.type_annotation.as_deref().and_then(|annotation| element_of(&annotation.type_annotation));
            list.push(self.kind_of(kind).into_text());
        }
        format!("[{}]", list.join(", "))
    }

    /// What is recorded for a method or accessor; `setter` and `getter` are the halves of the accessor.
    fn of_method(
        &mut self,
        method: &MethodDefinition<'a>,
        getter: Option<&Function<'a>>,
        setter: Option<&Function<'a>>,
    ) -> Vec<Decorator<'a>> {
        let function = &method.value;
        if method.kind == MethodDefinitionKind::Method {
            let parameters = self.parameters(&function.params);
            let returned = match &function.return_type {
                Some(annotation) => self.annotation_type(Some(annotation)),
                None if function.r#async && !function.generator => Kind::Promise.into_text(),
                None => Kind::Void.into_text(),
            };
            return vec![
                self.recording("type", &Kind::Function.into_text()),
                self.recording("paramtypes", &parameters),
                self.recording("returntype", &returned),
            ];
        }
        let of_setter = setter.and_then(|setter| setter.params.items.first()?.type_annotation.as_deref());
        let of_getter = getter.and_then(|getter| getter.return_type.as_deref());
        let kind = self.annotation_type(of_setter.or(of_getter));
        let parameters = self.parameters(&setter.unwrap_or(function).params);
        vec![self.recording("type", &kind), self.recording("paramtypes", &parameters)]
    }

    fn element_decorators(&mut self, elements: &[ClassElement<'a>], index: usize) -> Vec<Decorator<'a>> {
        let annotation = match &elements[index] {
            ClassElement::MethodDefinition(method) => {
                if !is_decorated_method(method) {
                    return Vec::new();
                }
                let half = |kind| find_accessor(elements, method, kind);
                return self.of_method(method, half(MethodDefinitionKind::Get), half(MethodDefinitionKind::Set));
            }
            ClassElement::PropertyDefinition(field) if !field.decorators.is_empty() => &field.type_annotation,
            ClassElement::AccessorProperty(field) if !field.decorators.is_empty() => &field.type_annotation,
            _ => return Vec::new(),
        };
        let kind = self.annotation_type(annotation.as_deref());
        vec![self.recording("type", &kind)]
    }

    /// Import the namespaces of modules whose names are used only as types, each behind the import that named it.
    fn import_namespaces(&mut self, program: &mut Program<'a>) {
        if self.namespaces.is_empty() {
            return;
        }
        let mut body = ArenaVec::with_capacity_in(program.body.len() + self.namespaces.len(), &self.allocator);
        for statement in program.body.take_in(&self.allocator) {
            let import = match &statement {
                Statement::ImportDeclaration(import) => self.namespaces.get(&import.span.start).map(|name| {
                    let source = quote::string(&import.source.value);
                    quote::statements(self.allocator, &format!("import * as {name} from {source};"), Vec::new())
                }),
                _ => None,
            };
            body.push(statement);
            body.extend(import.into_iter().flatten());
        }
        program.body = body;
    }
}

/// Whether a method or accessor has decorators; those of parameters count for methods. Overloads have no body.
fn is_decorated_method(method: &MethodDefinition<'_>) -> bool {
    method.kind != MethodDefinitionKind::Constructor
        && method.value.body.is_some()
        && !method.key.is_private_identifier() // an error
        && (!method.decorators.is_empty()
            || method.kind == MethodDefinitionKind::Method && has_decorated_parameter(&method.value))
}

fn has_decorated_parameter(function: &Function<'_>) -> bool {
    function.params.items.iter().any(|parameter| !parameter.decorators.is_empty())
}

/// The half of the accessor `method` that is of `kind`, possibly itself.
fn find_accessor<'e, 'a>(
    elements: &'e [ClassElement<'a>],
    method: &MethodDefinition<'a>,
    kind: MethodDefinitionKind,
) -> Option<&'e Function<'a>> {
    let name = method.key.static_name()?;
    elements.iter().find_map(|element| match element {
        ClassElement::MethodDefinition(other)
            if other.kind == kind
                && other.r#static == method.r#static
                && other.key.static_name().as_ref() == Some(&name) =>
        {
            Some(&*other.value)
        }
        _ => None,
    })
}

/// The type of the elements of a rest parameter.
fn element_of<'t, 'a>(annotation: &'t TSType<'a>) -> Option<&'t TSType<'a>> {
    match annotation {
        TSType::TSArrayType(array) => Some(&array.element_type),
        TSType::TSTypeReference(reference) => match reference.type_arguments.as_ref()?.params.as_slice() {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> VisitMut<'a> for EmitMetadata<'a, '_> {
    fn visit_program(&mut self, it: &mut Program<'a>) {
        walk_mut::walk_program(self, it);
        self.import_namespaces(it);
    }

    fn visit_class(&mut self, it: &mut Class<'a>) {
        walk_mut::walk_class(self, it);
        if it.is_expression() || it.declare {
            return;
        }
        let elements = &it.body.body;
        let mut recordings: Vec<_> =
            (0..elements.len()).map(|index| self.element_decorators(elements, index)).collect();
        let constructor = elements.iter().find_map(|element| match element {
            ClassElement::MethodDefinition(method) if method.kind.is_constructor() && method.value.body.is_some() => {
                Some(&method.value)
            }
            _ => None,
        });
        if let Some(constructor) = constructor
            && (!it.decorators.is_empty() || has_decorated_parameter(constructor))
        {
            let parameters = self.parameters(&constructor.params);
            it.decorators.push(self.recording("paramtypes", &parameters));
        }
        for (element, recorded) in it.body.body.iter_mut().zip(&mut recordings) {
            match element {
                ClassElement::MethodDefinition(method) => method.decorators.extend(recorded.drain(..)),
                ClassElement::PropertyDefinition(field) => field.decorators.extend(recorded.drain(..)),
                ClassElement::AccessorProperty(field) => field.decorators.extend(recorded.drain(..)),
                ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => {}
            }
        }
    }
}
