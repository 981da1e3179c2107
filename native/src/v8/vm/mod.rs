//! `node:vm`: contexts, scripts and modules that a program creates.
pub mod contexts;
mod errors;
mod interceptors;
mod modules;
mod queues;
mod realms;
mod repl;
mod scripts;
mod tables;
mod timer;
mod watchdog;

pub const NATIVES: crate::v8::values::function::Natives = &[
    ("replEvaluate", repl::evaluate),
    ("replLexicalNames", repl::lexical_names),
    ("vmCache", scripts::cache),
    ("vmCompile", scripts::compile),
    ("vmCompileFunction", scripts::compile_function),
    ("vmDisallowCode", contexts::disallow_code),
    ("vmIsContext", contexts::is_context),
    ("vmMakeContext", contexts::make_context),
    ("vmModule", modules::source_module),
    ("vmModuleAwaits", modules::awaits),
    ("vmModuleCache", modules::cache),
    ("vmModuleError", modules::error),
    ("vmModuleEvaluate", modules::evaluate),
    ("vmModuleInstantiate", modules::instantiate),
    ("vmModuleLink", modules::link),
    ("vmModuleNamespace", modules::namespace),
    ("vmModuleRequests", modules::requests),
    ("vmModuleSetExport", modules::set_export),
    ("vmModuleStatus", modules::status),
    ("vmRealms", realms::set_create),
    ("vmRun", scripts::run),
    ("vmSyntheticModule", modules::synthetic_module),
];
