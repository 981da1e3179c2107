//! Type information for `emitDecoratorMetadata` that oxc does not resolve: aliases and enum members of the same file,
//! the elements of a rest parameter, and the two halves of an accessor. Types are rewritten to what they stand for;
//! they are erased afterwards. Source: TypeScript's `typeSerializer.ts` and `ts.ts` of its transformers.
use std::collections::HashMap;

use oxc_allocator::{Allocator, ArenaVec, CloneIn, TakeIn};
use oxc_ast::ast::*;
use oxc_ast::builder::AstBuilder;
use oxc_ast_visit::{Visit, VisitMut, walk, walk_mut};
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::SPAN;

/// How many aliases of aliases are followed, which also ends cycles.
const DEEPEST: u32 = 16;

#[derive(Default)]
struct Named<'a> {
    aliases: HashMap<SymbolId, &'a TSType<'a>>,
    /// Which members of an enum are strings.
    enums: HashMap<SymbolId, Vec<(String, bool)>>,
}

struct Collect<'a> {
    allocator: &'a Allocator,
    named: Named<'a>,
}

impl<'a> Visit<'a> for Collect<'a> {
    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        if let (Some(symbol), None) = (it.id.symbol_id.get(), &it.type_parameters) {
            let stands_for = self.allocator.alloc(it.type_annotation.clone_in_with_semantic_ids(self.allocator));
            self.named.aliases.insert(symbol, stands_for);
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        let Some(symbol) = it.id.symbol_id.get() else { return };
        let members = it.body.members.iter().map(|member| {
            let is_text =
                matches!(member.initializer, Some(Expression::StringLiteral(_) | Expression::TemplateLiteral(_)));
            (member.id.static_name().to_string(), is_text)
        });
        self.named.enums.entry(symbol).or_default().extend(members);
        walk::walk_ts_enum_declaration(self, it);
    }
}

pub struct MetadataTypes<'a, 's> {
    allocator: &'a Allocator,
    scoping: &'s Scoping,
    named: Named<'a>,
}

impl<'a, 's> MetadataTypes<'a, 's> {
    pub fn new(program: &Program<'a>, scoping: &'s Scoping, allocator: &'a Allocator) -> Self {
        let mut collect = Collect { allocator, named: Named::default() };
        collect.visit_program(program);
        Self { allocator, scoping, named: collect.named }
    }

    fn symbol(&self, name: &IdentifierReference<'a>) -> Option<SymbolId> {
        self.scoping.get_reference(name.reference_id.get()?).symbol_id()
    }

    fn stands_for(&self, reference: &TSTypeReference<'a>) -> Option<TSType<'a>> {
        match &reference.type_name {
            TSTypeName::IdentifierReference(name) => {
                let alias = self.named.aliases.get(&self.symbol(name)?)?;
                Some(branded(alias).unwrap_or(alias).clone_in_with_semantic_ids(self.allocator))
            }
            TSTypeName::QualifiedName(qualified) => {
                let TSTypeName::IdentifierReference(name) = &qualified.left else { return None };
                let members = self.named.enums.get(&self.symbol(name)?)?;
                let (_, is_text) = members.iter().find(|(member, _)| *member == qualified.right.name.as_str())?;
                Some(if *is_text {
                    TSType::new_ts_string_keyword(SPAN, &AstBuilder::new(self.allocator))
                } else {
                    TSType::new_ts_number_keyword(SPAN, &AstBuilder::new(self.allocator))
                })
            }
            TSTypeName::ThisExpression(_) => None,
        }
    }

    fn look_up(&self, it: &mut TSType<'a>, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        match it {
            TSType::TSTypeReference(reference) => {
                if let Some(found) = self.stands_for(reference) {
                    *it = found;
                    self.look_up(it, depth + 1);
                }
            }
            TSType::TSUnionType(union) => union.types.iter_mut().for_each(|one| self.look_up(one, depth + 1)),
            TSType::TSIntersectionType(all) => all.types.iter_mut().for_each(|one| self.look_up(one, depth + 1)),
            TSType::TSParenthesizedType(inner) => self.look_up(&mut inner.type_annotation, depth + 1),
            TSType::TSTypeOperatorType(operator) => self.look_up(&mut operator.type_annotation, depth + 1),
            _ => {}
        }
    }

    fn annotated(&self, annotation: &mut Option<oxc_allocator::ArenaBox<'a, TSTypeAnnotation<'a>>>) {
        if let Some(annotation) = annotation {
            self.look_up(&mut annotation.type_annotation, 0);
        }
    }

    fn method(&self, function: &mut Function<'a>) {
        self.annotated(&mut function.return_type);
        for parameter in &mut function.params.items {
            self.annotated(&mut parameter.type_annotation);
        }
        let Some(rest) = &mut function.params.rest else { return };
        // The type of a rest parameter in the metadata is that of an element.
        rest.type_annotation = rest.type_annotation.take().and_then(|mut annotation| {
            annotation.type_annotation = match annotation.type_annotation.take_in(&self.allocator) {
                TSType::TSArrayType(array) => array.unbox().element_type,
                TSType::TSTypeReference(reference) => {
                    let mut arguments = reference.unbox().type_arguments?.unbox().params.into_iter();
                    let only = arguments.next()?;
                    if arguments.next().is_some() {
                        return None;
                    }
                    only
                }
                _ => return None,
            };
            Some(annotation)
        });
        self.annotated(&mut rest.type_annotation);
    }

    /// Both halves of an accessor contribute to its metadata: the setter has the parameter, so the decorators move
    /// there.
    fn join_accessors(&self, elements: &mut ArenaVec<'a, ClassElement<'a>>) {
        let mut index = 0;
        while index < elements.len() {
            if let Some(other) = other_half(elements, index) {
                let (getter, setter) =
                    if is_kind(&elements[index], MethodDefinitionKind::Get) { (index, other) } else { (other, index) };
                let (decorators, returned) = match &mut elements[getter] {
                    ClassElement::MethodDefinition(half) => {
                        let returned = half.value.return_type.clone_in_with_semantic_ids(self.allocator);
                        (half.decorators.take_in(&self.allocator), returned)
                    }
                    _ => unreachable!("a half is a method"),
                };
                if let ClassElement::MethodDefinition(half) = &mut elements[setter] {
                    half.decorators.extend(decorators);
                    if let Some(parameter) = half.value.params.items.first_mut()
                        && parameter.type_annotation.is_none()
                    {
                        parameter.type_annotation = returned;
                    }
                }
                let later = elements.remove(other);
                elements.insert(index + 1, later);
                index += 1;
            }
            index += 1;
        }
    }
}

/// `string & { brand: 1 }` counts as a string wherever it is used by name.
fn branded<'t, 'a>(alias: &'t TSType<'a>) -> Option<&'t TSType<'a>> {
    let TSType::TSIntersectionType(all) = alias else { return None };
    all.types.iter().find(|one| {
        matches!(
            one,
            TSType::TSStringKeyword(_)
                | TSType::TSNumberKeyword(_)
                | TSType::TSBooleanKeyword(_)
                | TSType::TSBigIntKeyword(_)
                | TSType::TSSymbolKeyword(_)
        )
    })
}

fn is_kind(element: &ClassElement<'_>, kind: MethodDefinitionKind) -> bool {
    element.method_definition_kind() == Some(kind)
}

/// The index of the other half of the accessor at `index`, if exactly one of the two is decorated.
fn other_half(elements: &[ClassElement<'_>], index: usize) -> Option<usize> {
    let ClassElement::MethodDefinition(first) = &elements[index] else { return None };
    let wanted = match first.kind {
        MethodDefinitionKind::Get => MethodDefinitionKind::Set,
        MethodDefinitionKind::Set => MethodDefinitionKind::Get,
        _ => return None,
    };
    let name = first.key.static_name()?;
    let found = elements[index + 1..].iter().position(|element| match element {
        ClassElement::MethodDefinition(second) => {
            second.kind == wanted
                && second.r#static == first.r#static
                && second.key.static_name().as_ref() == Some(&name)
                && second.decorators.is_empty() != first.decorators.is_empty()
        }
        _ => false,
    })?;
    Some(index + 1 + found)
}

impl<'a> VisitMut<'a> for MetadataTypes<'a, '_> {
    fn visit_class_body(&mut self, it: &mut ClassBody<'a>) {
        walk_mut::walk_class_body(self, it);
        for element in &mut it.body {
            match element {
                ClassElement::MethodDefinition(method) => self.method(&mut method.value),
                ClassElement::PropertyDefinition(field) => self.annotated(&mut field.type_annotation),
                ClassElement::AccessorProperty(field) => self.annotated(&mut field.type_annotation),
                ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => {}
            }
        }
        self.join_accessors(&mut it.body);
    }
}
