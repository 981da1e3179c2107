//! `import { f } from "./m" with { type: "macro" }`: calls that the host runs during transpilation.
//!
//! The first pass only reports the calls; the host evaluates them and starts a second pass with the results, which
//! replace the calls. A call among the arguments of another is evaluated first, the outer one once the inner has its
//! result. The imports are removed in any case.
//!
//! A call in a branch that is never taken is not evaluated. A call in a branch that depends on another call waits for
//! the result of that call.
use std::collections::HashMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitMut, walk_mut};
use oxc_codegen::Codegen;
use oxc_semantic::{Scoping, SymbolId};
use oxc_span::GetSpan;

use super::constant::{self, Known};
use super::quote;

/// A call of an imported macro; `arguments` is their source text.
#[derive(Clone, Debug)]
pub struct FoundCall {
    pub specifier: String,
    pub imported: String,
    pub arguments: String,
    /// Declarations of the constants used in the arguments.
    pub constants: String,
    /// Why it cannot be evaluated during transpilation; "" if every argument is known.
    pub obstacle: &'static str,
    /// Whether it is in a branch that is never taken.
    pub is_dead: bool,
    pub start: u32,
}

/// Whether the visited code runs, as far as conditions show; later variants are stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    MayRun,
    /// It depends on a call that was not evaluated yet.
    Undecided,
    Dead,
}

const WAITS: &str = "The condition before this call is not known";
const UNKNOWN_NAME: &str = "Cannot convert identifier to JS. Try a statically-known value";
const UNKNOWN_VALUE: &str = "Cannot convert argument type to JS";
const TAGGED: &str = "template literal macro invocations are not supported";

struct Macro {
    specifier: String,
    /// "*" for a namespace.
    imported: String,
}

pub struct Macros<'s, 'a> {
    allocator: &'a Allocator,
    /// None once the tree differs from it.
    source: Option<&'s str>,
    scoping: &'s Scoping,
    results: &'s HashMap<usize, String>,
    known: HashMap<SymbolId, Macro>,
    /// `const` declarations with values known during transpilation: their text, after those they depend on.
    constants: HashMap<SymbolId, Vec<String>>,
    pub calls: Vec<FoundCall>,
    fate: Fate,
}

impl<'s, 'a> Macros<'s, 'a> {
    pub fn new(
        source: Option<&'s str>,
        scoping: &'s Scoping,
        results: &'s HashMap<usize, String>,
        allocator: &'a Allocator,
    ) -> Self {
        Self {
            allocator,
            source,
            scoping,
            results,
            known: HashMap::new(),
            constants: HashMap::new(),
            calls: Vec::new(),
            fate: Fate::MayRun,
        }
    }

    /// Visits a condition. Returns its value if it is known, or an error while a call in it has no result.
    fn decide(&mut self, test: &mut Expression<'a>) -> Result<Option<Known>, Fate> {
        let known_before = self.calls.len();
        self.visit_expression(test);
        if (known_before..self.calls.len()).any(|index| !self.results.contains_key(&index)) {
            return Err(Fate::Undecided);
        }
        let is_free = |id: &IdentifierReference| {
            id.reference_id.get().is_none_or(|id| self.scoping.get_reference(id).symbol_id().is_none())
        };
        Ok(constant::value_of(test, &is_free))
    }

    /// Visits a branch that runs according to `decision`.
    fn branch(&mut self, decision: Result<Option<bool>, Fate>, visit: impl FnOnce(&mut Self)) {
        let outer = self.fate;
        self.fate = outer.max(match decision {
            Ok(Some(false)) => Fate::Dead,
            Ok(_) => Fate::MayRun,
            Err(fate) => fate,
        });
        visit(self);
        self.fate = outer;
    }

    fn learn(&mut self, import: &ImportDeclaration<'a>) {
        for specifier in import.specifiers.iter().flatten() {
            let (local, imported) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => (&it.local, it.imported.name().to_string()),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => (&it.local, "default".to_string()),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => (&it.local, "*".to_string()),
            };
            if let Some(symbol) = local.symbol_id.get() {
                self.known.insert(symbol, Macro { specifier: import.source.value.to_string(), imported });
            }
        }
    }

    fn macro_of(&self, id: &IdentifierReference) -> Option<&Macro> {
        let symbol = self.scoping.get_reference(id.reference_id.get()?).symbol_id()?;
        self.known.get(&symbol)
    }

    /// The called macro, and the name under which its module exports it.
    fn callee(&self, callee: &Expression<'a>) -> Option<(String, String)> {
        match callee.get_inner_expression() {
            Expression::Identifier(id) => {
                let found = self.macro_of(id)?;
                Some((found.specifier.clone(), found.imported.clone()))
            }
            Expression::StaticMemberExpression(member) => match &member.object {
                Expression::Identifier(id) => {
                    let found = self.macro_of(id).filter(|found| found.imported == "*")?;
                    Some((found.specifier.clone(), member.property.name.to_string()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `has_results`: calls among the arguments were replaced, so they differ from the source.
    fn find(&self, call: &CallExpression<'a>, has_results: bool) -> Option<FoundCall> {
        let (specifier, imported) = self.callee(&call.callee)?;
        let mut reader = ArgumentReader { macros: self, constants: Vec::new(), obstacle: "" };
        for argument in &call.arguments {
            match argument.as_expression() {
                Some(expression) => reader.read(expression),
                None => reader.refuse(UNKNOWN_VALUE),
            }
        }
        let arguments = match (call.arguments.first(), call.arguments.last(), self.source) {
            (Some(first), Some(last), Some(source)) if !has_results => {
                source[first.span().start as usize..last.span().end as usize].to_string()
            }
            _ => call.arguments.iter().filter_map(Argument::as_expression).map(print).collect::<Vec<_>>().join(", "),
        };
        let ArgumentReader { constants, obstacle, .. } = reader;
        let obstacle = if self.fate == Fate::Undecided { WAITS } else { obstacle };
        Some(FoundCall {
            specifier,
            imported,
            arguments,
            constants: constants.concat(),
            obstacle,
            is_dead: self.fate == Fate::Dead,
            start: call.span.start,
        })
    }

    fn learn_constant(&mut self, declarator: &VariableDeclarator<'a>) {
        let (Some(id), Some(init)) = (declarator.id.get_binding_identifier(), &declarator.init) else { return };
        let mut reader = ArgumentReader { macros: self, constants: Vec::new(), obstacle: "" };
        reader.read(init);
        if reader.obstacle.is_empty()
            && let Some(symbol) = id.symbol_id.get()
        {
            let mut texts = reader.constants;
            let span = init.span();
            let text = match self.source {
                Some(source) => source[span.start as usize..span.end as usize].to_string(),
                None => print(init),
            };
            texts.push(format!("const {} = {text};", id.name));
            self.constants.insert(symbol, texts);
        }
    }
}

fn print(expression: &Expression) -> String {
    let mut codegen = Codegen::new();
    codegen.print_expression(expression);
    codegen.into_source_text()
}

/// Determines whether an expression means the same during transpilation, and which constants it needs.
struct ArgumentReader<'m, 's, 'a> {
    macros: &'m Macros<'s, 'a>,
    constants: Vec<String>,
    obstacle: &'static str,
}

impl ArgumentReader<'_, '_, '_> {
    fn refuse(&mut self, obstacle: &'static str) {
        if self.obstacle.is_empty() {
            self.obstacle = obstacle;
        }
    }

    fn name(&mut self, id: &IdentifierReference) {
        let symbol = id.reference_id.get().and_then(|id| self.macros.scoping.get_reference(id).symbol_id());
        match symbol.map(|symbol| self.macros.constants.get(&symbol)) {
            Some(Some(texts)) => {
                for text in texts {
                    if !self.constants.contains(text) {
                        self.constants.push(text.clone());
                    }
                }
            }
            None if matches!(id.name.as_str(), "undefined" | "NaN" | "Infinity") => {}
            _ => self.refuse(UNKNOWN_NAME),
        }
    }

    fn read(&mut self, expression: &Expression) {
        match expression.get_inner_expression() {
            Expression::Identifier(id) => self.name(id),
            Expression::TemplateLiteral(template) => template.expressions.iter().for_each(|part| self.read(part)),
            Expression::UnaryExpression(unary) => self.read(&unary.argument),
            Expression::BinaryExpression(binary) => {
                self.read(&binary.left);
                self.read(&binary.right);
            }
            Expression::ArrayExpression(array) => {
                for element in &array.elements {
                    match element.as_expression() {
                        Some(element) => self.read(element),
                        None if element.is_spread() => self.refuse(UNKNOWN_VALUE),
                        None => {}
                    }
                }
            }
            Expression::ObjectExpression(object) => {
                for property in &object.properties {
                    let ObjectPropertyKind::ObjectProperty(property) = property else {
                        self.refuse(UNKNOWN_VALUE);
                        continue;
                    };
                    if property.computed {
                        property.key.as_expression().into_iter().for_each(|key| self.read(key));
                    }
                    self.read(&property.value);
                }
            }
            other if other.is_literal() => {}
            _ => self.refuse(UNKNOWN_VALUE),
        }
    }
}

fn is_macro_import(statement: &Statement) -> bool {
    matches!(statement, Statement::ImportDeclaration(import) if import.with_clause.as_ref().is_some_and(|clause| {
        clause.with_entries.iter().any(|entry| entry.key.as_arena_str() == "type" && entry.value.value == "macro")
    }))
}

impl<'a> VisitMut<'a> for Macros<'_, 'a> {
    fn visit_program(&mut self, it: &mut Program<'a>) {
        for statement in &it.body {
            if let Statement::ImportDeclaration(import) = statement
                && is_macro_import(statement)
            {
                self.learn(import);
            }
        }
        it.body.retain(|statement| !is_macro_import(statement));
        walk_mut::walk_program(self, it);
    }

    fn visit_variable_declaration(&mut self, it: &mut VariableDeclaration<'a>) {
        if it.kind == VariableDeclarationKind::Const {
            it.declarations.iter().for_each(|declarator| self.learn_constant(declarator));
        }
        walk_mut::walk_variable_declaration(self, it);
    }

    fn visit_if_statement(&mut self, it: &mut IfStatement<'a>) {
        let decision = self.decide(&mut it.test).map(|known| known.map(|known| known.is_true()));
        self.branch(decision, |this| this.visit_statement(&mut it.consequent));
        if let Some(alternate) = &mut it.alternate {
            self.branch(decision.map(|taken| taken.map(|taken| !taken)), |this| this.visit_statement(alternate));
        }
    }

    fn visit_conditional_expression(&mut self, it: &mut ConditionalExpression<'a>) {
        let decision = self.decide(&mut it.test).map(|known| known.map(|known| known.is_true()));
        self.branch(decision, |this| this.visit_expression(&mut it.consequent));
        let decision = decision.map(|taken| taken.map(|taken| !taken));
        self.branch(decision, |this| this.visit_expression(&mut it.alternate));
    }

    fn visit_logical_expression(&mut self, it: &mut LogicalExpression<'a>) {
        let decision = self.decide(&mut it.left);
        let decision = decision.map(|known| known.map(|known| !constant::decides(it.operator, &known)));
        self.branch(decision, |this| this.visit_expression(&mut it.right));
    }

    fn visit_expression(&mut self, it: &mut Expression<'a>) {
        let known_before = self.calls.len();
        walk_mut::walk_expression(self, it);
        let inner = known_before..self.calls.len();
        match &*it {
            Expression::CallExpression(call) => {
                let has_results = inner.clone().any(|index| self.results.contains_key(&index));
                let Some(found) = self.find(call, has_results) else { return };
                let index = self.calls.len();
                self.calls.push(found);
                if let Some(value) = self.results.get(&index).and_then(|text| quote::parse_given(self.allocator, text))
                {
                    *it = value;
                }
            }
            Expression::TaggedTemplateExpression(tagged) => {
                let Some((specifier, imported)) = self.callee(&tagged.tag) else { return };
                let (arguments, constants) = (String::new(), String::new());
                let start = tagged.span.start;
                let is_dead = self.fate == Fate::Dead;
                let obstacle = if self.fate == Fate::Undecided { WAITS } else { TAGGED };
                self.calls.push(FoundCall { specifier, imported, arguments, constants, obstacle, is_dead, start });
            }
            _ => {}
        }
    }
}
