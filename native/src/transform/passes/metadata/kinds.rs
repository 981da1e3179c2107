//! Which value stands for a type in the metadata.
use oxc_ast::ast::*;
use oxc_semantic::SymbolId;

use super::EmitMetadata;
use super::declared::can_be_called;

/// What stands for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Void,
    Object,
    Function,
    Array,
    Boolean,
    Number,
    BigInt,
    String,
    Symbol,
    Promise,
    /// The value of a name, as JavaScript.
    Value(String),
}

impl Kind {
    pub fn into_text(self) -> String {
        let name = match self {
            Kind::Void => "void 0",
            Kind::Object => "Object",
            Kind::Function => "Function",
            Kind::Array => "Array",
            Kind::Boolean => "Boolean",
            Kind::Number => "Number",
            Kind::BigInt => "BigInt",
            Kind::String => "String",
            Kind::Symbol => "Symbol",
            Kind::Promise => "Promise",
            Kind::Value(text) => return text,
        };
        name.to_string()
    }

    fn of_text(is_text: bool) -> Kind {
        if is_text { Kind::String } else { Kind::Number }
    }

    fn is_primitive(&self) -> bool {
        matches!(self, Kind::Boolean | Kind::Number | Kind::BigInt | Kind::String | Kind::Symbol)
    }
}

/// How many aliases of aliases are followed, which also ends cycles.
const DEEPEST: u32 = 16;

/// `name`, or Object while it does not exist.
fn guard_reference(path: &[String]) -> String {
    let prefixes = (1..=path.len()).map(|length| format!("typeof {} === \"undefined\"", path[..length].join(".")));
    format!("{} ? Object : {}", prefixes.collect::<Vec<_>>().join(" || "), path.join("."))
}

/// What a name in a type refers to.
enum TypeReference {
    /// A declaration of this file, and the names that lead to its value.
    Declaration(SymbolId, Vec<String>),
    /// A member of an enum; whether it is a string.
    Member(bool),
    /// Something that is known only when the program runs.
    Unknown(Vec<String>),
    /// Something that has no value.
    OnlyType,
}

impl<'a> EmitMetadata<'a, '_> {
    /// What stands for an annotation; Object if there is none.
    pub fn kind_of(&mut self, annotation: Option<&TSType<'a>>) -> Kind {
        let Some(annotation) = annotation else { return Kind::Object };
        match annotation {
            TSType::TSVoidKeyword(_)
            | TSType::TSUndefinedKeyword(_)
            | TSType::TSNullKeyword(_)
            | TSType::TSNeverKeyword(_) => Kind::Void,
            TSType::TSFunctionType(_) | TSType::TSConstructorType(_) => Kind::Function,
            TSType::TSArrayType(_) | TSType::TSTupleType(_) => Kind::Array,
            TSType::TSTypePredicate(it) => {
                if it.asserts {
                    Kind::Void
                } else {
                    Kind::Boolean
                }
            }
            TSType::TSBooleanKeyword(_) => Kind::Boolean,
            TSType::TSStringKeyword(_) | TSType::TSTemplateLiteralType(_) => Kind::String,
            TSType::TSNumberKeyword(_) => Kind::Number,
            TSType::TSBigIntKeyword(_) => Kind::BigInt,
            TSType::TSSymbolKeyword(_) => Kind::Symbol,
            TSType::TSLiteralType(it) => of_literal(&it.literal),
            TSType::TSTypeReference(it) => self.of_reference(&it.type_name),
            TSType::TSUnionType(it) => self.of_parts(it.types.iter(), false),
            TSType::TSIntersectionType(it) => self.of_parts(it.types.iter(), true),
            TSType::TSConditionalType(it) => self.of_parts([&it.true_type, &it.false_type].into_iter(), false),
            TSType::TSParenthesizedType(it) => self.kind_of(Some(&it.type_annotation)),
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Readonly => {
                self.kind_of(Some(&it.type_annotation))
            }
            _ => Kind::Object,
        }
    }

    /// The common kind of the members of a union, an intersection or a conditional type; Object if there is none.
    fn of_parts<'t>(&mut self, parts: impl Iterator<Item = &'t TSType<'a>>, is_intersection: bool) -> Kind
    where
        'a: 't,
    {
        let mut common = None;
        for part in parts {
            match part.without_parenthesized() {
                TSType::TSNeverKeyword(_) if is_intersection => return Kind::Void,
                TSType::TSUnknownKeyword(_) if is_intersection => continue,
                TSType::TSNeverKeyword(_) => continue,
                TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) if !self.settings.is_strict => continue,
                part => match (self.kind_of(Some(part)), &common) {
                    (Kind::Object, _) => return Kind::Object,
                    (kind, None) => common = Some(kind),
                    (kind, Some(before)) if kind == *before => {}
                    _ => return Kind::Object,
                },
            }
        }
        common.unwrap_or(Kind::Void)
    }

    fn of_reference(&mut self, name: &TSTypeName<'a>) -> Kind {
        match self.resolve_reference(name) {
            TypeReference::OnlyType => Kind::Object,
            TypeReference::Member(is_text) => Kind::of_text(is_text),
            TypeReference::Unknown(path) => match path.as_slice() {
                [only] if only == "Promise" => Kind::Promise,
                [only] => of_global(only).unwrap_or_else(|| Kind::Value(guard_reference(&path))),
                _ => Kind::Value(guard_reference(&path)),
            },
            TypeReference::Declaration(symbol, path) => match self.declared.classes.get(&symbol) {
                Some(false) => Kind::Value(path.join(".")),
                Some(true) => Kind::Value(guard_reference(&path)),
                None => self.declaration_kind(symbol, 0),
            },
        }
    }

    fn symbol(&self, name: &IdentifierReference<'a>) -> Option<SymbolId> {
        self.scoping.get_reference(name.reference_id.get()?).symbol_id()
    }

    fn resolve_reference(&mut self, name: &TSTypeName<'a>) -> TypeReference {
        match name {
            TSTypeName::ThisExpression(_) => TypeReference::OnlyType,
            TSTypeName::IdentifierReference(id) => {
                let path = vec![id.name.to_string()];
                match self.symbol(id) {
                    None => TypeReference::Unknown(path),
                    Some(symbol) if self.declared.imports.contains_key(&symbol) => self.resolve_import(symbol, path),
                    Some(symbol) => TypeReference::Declaration(symbol, path),
                }
            }
            TSTypeName::QualifiedName(qualified) => {
                let member = qualified.right.name.to_string();
                match self.resolve_reference(&qualified.left) {
                    TypeReference::Unknown(mut path) => {
                        path.push(member);
                        TypeReference::Unknown(path)
                    }
                    TypeReference::Declaration(symbol, mut path) => {
                        if let Some(is_text) = self.declared.members.get(&(symbol, member.clone())) {
                            return TypeReference::Member(*is_text);
                        }
                        path.push(member.clone());
                        match self.declared.inside.get(&(symbol, member)) {
                            Some(inside) => TypeReference::Declaration(*inside, path),
                            None => TypeReference::Unknown(path),
                        }
                    }
                    other => other,
                }
            }
        }
    }

    /// An imported name whose value nothing else uses may be that of a type: it is read from the module's namespace.
    fn resolve_import(&mut self, symbol: SymbolId, path: Vec<String>) -> TypeReference {
        let Some(imported) = self.declared.imports.get(&symbol) else { return TypeReference::OnlyType };
        if imported.is_type {
            return TypeReference::OnlyType;
        }
        let is_value = self.scoping.get_resolved_references(symbol).any(|reference| reference.is_value());
        let Some(name) = imported.name.clone() else { return TypeReference::Unknown(path) };
        if is_value || self.settings.is_verbatim || imported.has_attributes {
            return TypeReference::Unknown(path);
        }
        let count = self.namespaces.len();
        let namespace = self.namespaces.entry(imported.start).or_insert_with(|| format!("_rt_types_{count}"));
        TypeReference::Unknown(vec![namespace.clone(), name])
    }

    // --- the types that aliases, constraints and other declarations stand for

    /// What stands for a declaration other than a class.
    fn declaration_kind(&mut self, symbol: SymbolId, depth: u32) -> Kind {
        if let Some(kinds) = self.declared.enums.get(&symbol) {
            return match (kinds.has_texts, kinds.has_numbers) {
                (true, true) => Kind::Object,
                (is_text, _) => Kind::of_text(is_text),
            };
        }
        if let Some(stands_for) = self.declared.aliases.get(&symbol).copied() {
            return self.of_type(stands_for, depth);
        }
        match self.declared.parameters.get(&symbol).copied() {
            Some(Some(constraint)) => match self.of_type(constraint, depth) {
                kind if kind.is_primitive() => kind,
                _ => Kind::Object,
            },
            Some(None) => Kind::Object,
            None if self.declared.interfaces.get(&symbol) == Some(&true) => Kind::Function,
            None => Kind::Object,
        }
    }

    /// What stands for a type that an alias names: TypeScript looks at the type itself, not at how it is written, so that a
    /// class by another name is only an object.
    fn of_type(&mut self, stands_for: &TSType<'a>, depth: u32) -> Kind {
        if depth > DEEPEST {
            return Kind::Object;
        }
        match stands_for.without_parenthesized() {
            TSType::TSTypeReference(it) => match self.resolve_reference(&it.type_name) {
                TypeReference::Member(is_text) => Kind::of_text(is_text),
                TypeReference::Declaration(symbol, _) if !self.declared.classes.contains_key(&symbol) => {
                    self.declaration_kind(symbol, depth + 1)
                }
                TypeReference::Unknown(path) if path.len() == 1 => of_global(&path[0]).unwrap_or(Kind::Object),
                _ => Kind::Object,
            },
            TSType::TSUnionType(it) => {
                let mut common = None;
                for part in it.types.iter().map(TSType::without_parenthesized) {
                    match part {
                        TSType::TSNeverKeyword(_) => continue,
                        TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) if !self.settings.is_strict => {
                            continue;
                        }
                        _ => {}
                    }
                    let kind = self.of_type(part, depth + 1);
                    if common.as_ref().is_some_and(|before| *before != kind) {
                        return Kind::Object;
                    }
                    common = Some(kind);
                }
                match common {
                    Some(kind) if kind.is_primitive() || it.types.len() == 1 => kind,
                    Some(Kind::Array | Kind::Function) if !self.settings.is_strict => self.only_part(it, depth),
                    Some(_) => Kind::Object,
                    None => Kind::Void,
                }
            }
            TSType::TSIntersectionType(it) => {
                let kinds: Vec<Kind> = it.types.iter().map(|part| self.of_type(part, depth + 1)).collect();
                kinds.into_iter().find(|kind| kind.is_primitive() || *kind == Kind::Void).unwrap_or(Kind::Object)
            }
            TSType::TSTypeLiteral(it) if can_be_called(&it.members) => Kind::Function,
            TSType::TSConstructorType(_) | TSType::TSConditionalType(_) => Kind::Object,
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Keyof => {
                self.of_keys(&it.type_annotation)
            }
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Unique => Kind::Symbol,
            TSType::TSIndexedAccessType(it) => self.of_members(&it.object_type),
            other => self.kind_of(Some(other)),
        }
    }

    /// What stands for a union whose only member besides null and undefined is an array or a function.
    fn only_part(&mut self, union: &TSUnionType<'a>, depth: u32) -> Kind {
        let is_empty = |part: &TSType<'_>| {
            matches!(part, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) | TSType::TSNeverKeyword(_))
        };
        let mut parts = union.types.iter().map(TSType::without_parenthesized).filter(|part| !is_empty(part));
        match (parts.next(), parts.next()) {
            (Some(only), None) => self.of_type(only, depth + 1),
            _ => Kind::Object,
        }
    }

    /// The constant that `typeof name` is about.
    fn constant(&self, queried: &TSType<'a>) -> Option<&'a Expression<'a>> {
        let TSType::TSTypeQuery(query) = queried.without_parenthesized() else { return None };
        let TSTypeQueryExprName::IdentifierReference(name) = &query.expr_name else { return None };
        self.declared.constants.get(&self.symbol(name)?).copied()
    }

    /// What stands for `keyof typeof constant`.
    fn of_keys(&self, queried: &TSType<'a>) -> Kind {
        match self.constant(queried) {
            Some(Expression::ObjectExpression(object)) if !object.properties.is_empty() => Kind::String,
            _ => Kind::Object,
        }
    }

    /// What stands for `(typeof constant)[…]`: the common kind of its members, if they are literals.
    fn of_members(&self, queried: &TSType<'a>) -> Kind {
        let values: Vec<Option<Kind>> = match self.constant(queried) {
            Some(Expression::ArrayExpression(array)) => {
                array.elements.iter().map(|element| element.as_expression().and_then(of_value)).collect()
            }
            Some(Expression::ObjectExpression(object)) => object
                .properties
                .iter()
                .map(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => of_value(&property.value),
                    ObjectPropertyKind::SpreadProperty(_) => None,
                })
                .collect(),
            _ => return Kind::Object,
        };
        match values.first() {
            Some(Some(first)) if values.iter().all(|kind| kind.as_ref() == Some(first)) => first.clone(),
            _ => Kind::Object,
        }
    }
}

fn of_literal(literal: &TSLiteral<'_>) -> Kind {
    match literal {
        TSLiteral::BooleanLiteral(_) => Kind::Boolean,
        TSLiteral::NumericLiteral(_) => Kind::Number,
        TSLiteral::BigIntLiteral(_) => Kind::BigInt,
        TSLiteral::StringLiteral(_) | TSLiteral::TemplateLiteral(_) => Kind::String,
        TSLiteral::UnaryExpression(it) if matches!(it.argument, Expression::BigIntLiteral(_)) => Kind::BigInt,
        TSLiteral::UnaryExpression(_) => Kind::Number,
    }
}

fn of_value(value: &Expression<'_>) -> Option<Kind> {
    Some(match value.get_inner_expression() {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Kind::String,
        Expression::NumericLiteral(_) => Kind::Number,
        Expression::BooleanLiteral(_) => Kind::Boolean,
        Expression::BigIntLiteral(_) => Kind::BigInt,
        Expression::UnaryExpression(it) => of_value(&it.argument)?,
        _ => return None,
    })
}

/// What stands for a global type whose name is not that of a class.
fn of_global(name: &str) -> Option<Kind> {
    Some(match name {
        "Array" | "ReadonlyArray" => Kind::Array,
        "Symbol" | "BigInt" => Kind::Object, // can be called, but not constructed
        "Function" => Kind::Function,
        _ => return None,
    })
}
