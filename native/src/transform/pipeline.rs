//! Source to JavaScript: parses and examines a file, and only if something must change, transforms and prints it.
//!
//! A file that needs no change stays the same, byte for byte. Everything here is pure: the same request gives the same
//! result, so a source map can be created later, when it is needed.
use std::cell::Cell;
use std::path::Path;

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_ast_visit::VisitMut;
use oxc_codegen::Codegen;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_semantic::{Scoping, SemanticBuilder};
use oxc_sourcemap::SourceMap;
use oxc_span::SourceType;
use oxc_transformer::Transformer;
use oxc_transformer_plugins::{ReplaceGlobalDefines, ReplaceGlobalDefinesConfig};
use rt_wire::debug_log;

use super::about_types;
use super::emit;
use super::errors::{self, SyntaxProblem};
use super::jsx_members;
use super::options::{Loader, Options, Request, extension};
use super::passes;
use super::passes::macros::FoundCall;
use super::survey::Survey;

#[derive(Default)]
pub struct Output {
    /// None if the source runs unchanged.
    pub code: Option<String>,
    pub map: Option<SourceMap<'static>>,
    pub is_module: bool,
    pub survey: Survey,
    pub problems: Vec<SyntaxProblem>,
    pub macro_calls: Vec<FoundCall>,
    /// Whether the file does not determine its kind of module.
    pub is_ambiguous: bool,
}

/// Errors that reject a file, with positions in the source.
type Failure = Vec<OxcDiagnostic>;

pub fn run(source: &str, request: &Request, options: &Options, wants_map: bool) -> Output {
    let name = request.loader.as_deref().or_else(|| options.loader_name(&request.path)).unwrap_or("tsx");
    let loader = Loader::named(name).unwrap_or(Loader::Tsx);
    if loader == Loader::Data {
        return Output::default();
    }
    let mut allocator = ROOM.take().unwrap_or_default();
    let output = match transform(&allocator, source, loader, request, options, wants_map) {
        Ok(output) => output,
        Err(failure) => {
            let mut problems = errors::describe(&failure, source, &request.path);
            let source_type = loader.source_type(&request.path);
            problems.iter_mut().for_each(|problem| problem.say_what_ends_too_early(source, source_type));
            Output { problems, ..Output::default() }
        }
    };
    debug_log!(
        Transpiler,
        "{}: {} bytes as {name}: {}",
        request.path,
        source.len(),
        match &output.code {
            _ if !output.problems.is_empty() => "has errors",
            Some(_) => "transformed",
            None => "unchanged",
        }
    );
    allocator.reset();
    if allocator.capacity() <= LARGEST_ROOM {
        ROOM.set(Some(allocator));
    }
    output
}

thread_local! {
    /// Memory for syntax trees, reused for the thread's next file instead of being returned to the system.
    static ROOM: Cell<Option<Allocator>> = const { Cell::new(None) };
}

/// A thread keeps no more memory than this.
const LARGEST_ROOM: usize = 4 << 20;

fn transform<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    loader: Loader,
    request: &Request,
    options: &Options,
    wants_map: bool,
) -> Result<Output, Failure> {
    let source_type = loader.source_type(&request.path);
    let mut program = parse(allocator, source, source_type, &request.path)?;
    let mut survey = Survey::of(&program);
    if survey.names.awaits
        && let Some(module) = as_module(allocator, source, source_type)
    {
        program = module;
        survey = Survey::of(&program);
    }
    let (is_module, is_ambiguous) = if options.is_node {
        kind_in_node(&survey, &request.path, request.package_is_module)
    } else {
        kind(&survey, &program, &request.path, request.package_is_module)
    };
    if !must_change(&survey, is_module, source, loader, request, options) {
        return Ok(Output { is_module, is_ambiguous, survey, ..Output::default() });
    }
    program.source_type =
        if is_module { program.source_type.with_module(true) } else { program.source_type.with_commonjs(true) };
    if !request.erase.is_empty() {
        passes::erase::erase(&mut program, &request.erase);
    }
    if request.config.verbatim_module_syntax && loader.is_typescript() {
        passes::verbatim::empty_type_specifiers(&mut program);
    }
    if survey.export_assignment && is_module {
        passes::export_assignment::lower(&mut program, allocator);
    }
    // Evaluated code with `import.meta` is compiled as a module even if it uses `module`.
    let is_evaluated = request.path.ends_with(']') && request.path.contains("/[");
    if !is_module && survey.import_meta && !is_evaluated {
        passes::import_meta::NameImportMeta(allocator).visit_program(&mut program);
    }
    if is_module && survey.is_dated && request.completion.is_none() {
        passes::modernize::Modernize(allocator).visit_program(&mut program);
    }
    if survey.is_deferred {
        passes::defer::LowerDefer(allocator).visit_program(&mut program);
    }
    if survey.asks_source {
        passes::source_phase::LowerSourcePhase(allocator).visit_program(&mut program);
    }
    if let Some(target) = &request.completion {
        passes::completion::assign_completion(&mut program, target, allocator);
    }
    let mut macro_calls = Vec::new();
    let scoping = check(&program)?;
    let scoping = own_passes(&mut program, scoping, allocator, &survey, loader, request, options, &mut macro_calls)?;
    let transform_options = emit::transform_options(loader, request, options);
    let path = Path::new(&request.path);
    let transformed = Transformer::new(allocator, path, &transform_options).build_with_scoping(scoping, &mut program);
    if transformed.diagnostics.has_errors() {
        return Err(transformed.diagnostics.into_vec());
    }
    #[expect(deprecated, reason = "the only way to know which helpers to bring along")]
    let needs_legacy_helpers = !transformed.helpers_used.is_empty();
    if needs_legacy_helpers {
        passes::prepend(&mut program, passes::LEGACY_HELPERS, allocator);
    }
    if survey.decorators && emit::is_legacy(loader, request) {
        passes::legacy_order::InstanceFirst(allocator).visit_program(&mut program);
        passes::legacy_private::PrivateInside(allocator).visit_program(&mut program);
    }
    if survey.jsx {
        passes::devjsx::DropJsxPositions::new(allocator).visit_program(&mut program);
    }
    if !options.ignore_dce_annotations {
        passes::pure::RemoveUnusedPure::new(allocator, &transformed.scoping).visit_program(&mut program);
    }
    let had_import_meta = survey.import_meta || is_module && survey.is_dated;
    let before = std::mem::replace(&mut survey, Survey::of(&program));
    survey.follow(before);
    survey.import_meta = had_import_meta;
    let printed = Codegen::new().with_options(emit::codegen_options(path, wants_map)).build(&program);
    Ok(Output {
        code: Some(printed.code),
        map: printed.map.map(SourceMap::into_owned),
        is_module,
        survey,
        problems: Vec::new(),
        macro_calls,
        is_ambiguous,
    })
}

/// Try the goals from the likeliest on; the first failure is the one to report.
pub(super) fn parse<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    source_type: SourceType,
    path: &str,
) -> Result<Program<'a>, Failure> {
    let first = parse_as(allocator, source, source_type);
    if is_parsed(&first) {
        return Ok(first.program);
    }
    // `await` outside functions makes a file without import and export a module.
    if (!is_commonjs(path) || first.module_record.has_module_syntax)
        && let Some(module) = as_module(allocator, source, source_type)
    {
        return Ok(module);
    }
    if source_type.is_jsx()
        && let Some(place) = first_place(&first)
        && let Some(program) = jsx_members::parse(allocator, source, source_type, place, |text| {
            let again = parse_as(allocator, text, source_type);
            if is_parsed(&again) { Ok(again.program) } else { Err(first_place(&again)) }
        })
    {
        return Ok(program);
    }
    let (of_types, failure): (Vec<_>, Vec<_>) = first.diagnostics.into_iter().partition(about_types::is_only);
    Err(if failure.is_empty() { of_types } else { failure })
}

/// Parse the file as a module, if possible: `await (task)`, a call in a script, awaits there.
fn as_module<'a>(allocator: &'a Allocator, source: &'a str, source_type: SourceType) -> Option<Program<'a>> {
    let module = parse_as(allocator, source, source_type.with_module(true));
    is_parsed(&module).then_some(module.program)
}

/// Whether the name of a file marks it as CommonJS.
fn is_commonjs(path: &str) -> bool {
    matches!(extension(path), "cjs" | "cts")
}

/// Whether a whole program was parsed, with at most errors that a type checker would report.
fn is_parsed(parsed: &ParserReturn) -> bool {
    parsed.diagnostics.is_empty() || !parsed.panicked && parsed.diagnostics.iter().all(about_types::is_only)
}

/// The position where the parser stopped.
fn first_place(parsed: &ParserReturn) -> Option<usize> {
    parsed.diagnostics.iter().next()?.labels.iter().next().map(|label| label.offset() as usize)
}

fn parse_as<'a>(allocator: &'a Allocator, source: &'a str, source_type: SourceType) -> ParserReturn<'a> {
    let options = ParseOptions {
        preserve_parens: false,
        allow_return_outside_function: !source_type.is_module(),
        ..ParseOptions::default()
    };
    Parser::new(allocator, source, source_type).with_options(options).parse()
}

/// Whether a file is an ES module, and whether that is only the default.
///
/// The content decides, whatever the file's name. A file without evidence is a module, strict as in Bun, unless it
/// belongs to a package, where older code expects sloppy mode. Code that a module cannot contain (`return`, `await` as a name) is
/// not evidence of CommonJS in a file that is declared to be a module.
fn kind(survey: &Survey, program: &Program, path: &str, package_is_module: Option<bool>) -> (bool, bool) {
    if survey.export_assignment {
        return (survey.imports, false);
    }
    let says_module = survey.imports || survey.exports || survey.top_level_await;
    let is_declared = matches!(extension(path), "mjs" | "mts") || package_is_module == Some(true) && !is_commonjs(path);
    if is_declared && !survey.names.any() && (survey.returns || survey.names.awaits) {
        return (true, false); // an error, which is not hidden by running it as CommonJS
    }
    let says_commonjs =
        survey.names.any() || survey.names.awaits || survey.is_sloppy || survey.is_declared_strict || is_commonjs(path);
    if says_module || survey.import_meta && !survey.names.module && !survey.names.exports {
        return (true, false);
    }
    if says_commonjs {
        return (false, false);
    }
    let default = package_is_module.unwrap_or_else(|| !path.contains("/node_modules/"));
    (default || program.body.is_empty(), !is_declared)
}

/// The same for a program that sees Node only: the name and the package decide; without a `type`, the syntax does, and a file
/// without evidence is CommonJS.
fn kind_in_node(survey: &Survey, path: &str, package_is_module: Option<bool>) -> (bool, bool) {
    match extension(path) {
        "mjs" | "mts" => (true, false),
        "cjs" | "cts" => (false, false),
        _ => match package_is_module {
            Some(is_module) if !path.contains("/[") => (is_module, false),
            _ => {
                let says_module = survey.imports
                    || survey.exports
                    || survey.top_level_await
                    || survey.import_meta
                    || survey.asks_source;
                (says_module, !says_module)
            }
        },
    }
}

fn must_change(
    survey: &Survey,
    is_module: bool,
    source: &str,
    loader: Loader,
    request: &Request,
    options: &Options,
) -> bool {
    let named = |name: &str| source.contains(name);
    loader.is_typescript()
        || survey.jsx
        || survey.decorators
        || survey.accessors
        || survey.macros
        || survey.asks_source
        || survey.is_deferred
        || !is_module && survey.import_meta
        || is_module && survey.is_dated
        || request.completion.is_some()
        || options.drop.iter().any(|path| path.first().is_some_and(|name| named(name)))
        || options.define.iter().any(|(key, _)| named(key.split('.').next().unwrap_or(key)))
        || !options.ignore_dce_annotations && survey.unused_pure
}

/// Analyse scopes and early errors. Errors that concern only types do not stop a program.
fn check(program: &Program<'_>) -> Result<Scoping, Failure> {
    let built = SemanticBuilder::new()
        .with_check_syntax_error(true)
        .with_enum_eval(true)
        .with_excess_capacity(2.0)
        .build(program);
    // The engine itself refuses `with` in strict code.
    let is_sloppy_with = |error: &OxcDiagnostic| {
        program.source_type.is_typescript() && !program.source_type.is_module() && about_types::is_with(error)
    };
    let stops = |error: &&OxcDiagnostic| !about_types::is_typescript(error) && !is_sloppy_with(error);
    let failure: Failure = built.diagnostics.errors().filter(stops).cloned().collect();
    if failure.is_empty() { Ok(built.semantic.into_scoping()) } else { Err(failure) }
}

fn scopes(program: &Program<'_>) -> Scoping {
    SemanticBuilder::new().with_enum_eval(true).with_excess_capacity(2.0).build(program).semantic.into_scoping()
}

#[expect(clippy::too_many_arguments, reason = "what one transformation is made of")]
/// rt's own changes, in an order that gives each pass its input; scopes are analysed again in between.
fn own_passes<'a>(
    program: &mut Program<'a>,
    mut scoping: Scoping,
    allocator: &'a Allocator,
    survey: &Survey,
    loader: Loader,
    request: &Request,
    options: &Options,
    macro_calls: &mut Vec<FoundCall>,
) -> Result<Scoping, Failure> {
    let mut is_changed = false;
    // First, because definitions may decide which macros are called.
    if !options.define.is_empty()
        && let Ok(config) = ReplaceGlobalDefinesConfig::new(&options.define)
    {
        let replaced = ReplaceGlobalDefines::new(allocator, config).build(scoping, program);
        is_changed = replaced.changed;
        scoping = if is_changed { scopes(program) } else { replaced.scoping };
    }
    if survey.macros {
        let source = (!is_changed).then_some(program.source_text);
        let mut macros = passes::macros::Macros::new(source, &scoping, &request.macros, allocator);
        macros.visit_program(program);
        *macro_calls = macros.calls;
        scoping = scopes(program);
    }
    if survey.decorators && emit::is_legacy(loader, request) && request.config.emit_decorator_metadata {
        let settings = passes::metadata::Settings {
            is_strict: request.config.strict_null_checks,
            is_verbatim: request.config.verbatim_module_syntax,
        };
        passes::metadata::EmitMetadata::new(program, &scoping, allocator, settings).visit_program(program);
        scoping = scopes(program);
    }
    if loader.is_typescript() && program.source_text.contains("super") {
        let assigns_fields = request.config.use_define_for_class_fields == Some(false);
        let mut assign = passes::parameter_properties::AssignAfterSuper { allocator, assigns_fields, changed: false };
        assign.visit_program(program);
        if assign.changed {
            scoping = scopes(program);
        }
    }
    if survey.namespaces {
        let mut lower = passes::namespaces::LowerNamespaces::new(program, &scoping, allocator);
        lower.visit_program(program);
        if let Some(failure) = lower.failure {
            return Err(vec![failure]);
        }
        scoping = scopes(program);
    }
    if survey.decorators && emit::is_legacy(loader, request) {
        let mut prepare = passes::experimental::PrepareExperimental { allocator, failures: Vec::new(), changed: false };
        prepare.visit_program(program);
        if !prepare.failures.is_empty() {
            return Err(prepare.failures);
        }
        if prepare.changed {
            scoping = scopes(program);
        }
        if request.config.use_define_for_class_fields != Some(false) {
            let mut assign = passes::assigned_fields::AssignDecorated { allocator, changed: false };
            assign.visit_program(program);
            if assign.changed {
                scoping = scopes(program);
            }
        }
    }
    if (survey.decorators || survey.accessors) && !emit::is_legacy(loader, request) {
        let mut lower = passes::decorators::LowerDecorators::new(allocator);
        lower.visit_program(program);
        if !lower.failures.is_empty() {
            return Err(lower.failures);
        }
        if !lower.temporaries.is_empty() {
            passes::prepend(program, &format!("let {};", lower.temporaries.join(", ")), allocator);
        }
        if lower.needs_helpers {
            passes::prepend(program, passes::decorators::HELPERS, allocator);
        }
        if lower.changed {
            scoping = scopes(program);
        }
    }
    if !options.drop.is_empty() {
        let mut drop = passes::drop::DropCalls::new(&options.drop, &scoping, allocator);
        drop.visit_program(program);
        if drop.changed {
            scoping = scopes(program);
        }
    }
    Ok(scoping)
}

/// The definitions as expressions; of equal keys the last counts. An error names the unusable one.
pub fn definitions(define: Vec<(String, String)>) -> Result<Vec<(String, String)>, String> {
    let mut pairs: Vec<(String, String)> = Vec::with_capacity(define.len());
    for (key, value) in define {
        let value = passes::quote::definition(&value)
            .filter(|value| ReplaceGlobalDefinesConfig::new(&[(key.as_str(), value.as_str())]).is_ok())
            .ok_or_else(|| format!("\"{value}\" is not a valid value for the define \"{key}\""))?;
        pairs.retain(|(known, _)| *known != key);
        pairs.push((key, value));
    }
    Ok(pairs)
}
