"""Auto-install and `rt x`, against registries on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from npm_programs import path_without_node
from registries import LocalRegistry, serving
from rig import Box

PACKAGES: dict[str, dict[str, dict[str, Any]]] = {
    "lib": {"1.0.0": {}, "1.2.0": {}, "2.0.0": {}},
    "@scope/lib": {"1.0.0": {"files": {"index.js": "exports.scoped = true", "sub/x.js": "module.exports = 'inside'"}}},
    "esm": {"1.0.0": {"type": "module", "exports": "./m.js", "files": {"m.js": "export default import.meta.dirname"}}},
    "near": {"1.0.0": {"dependencies": {"far": "^1.0.0"}, "files": {"index.js": "module.exports = require('far')"}}},
    "far": {
        "1.1.0": {"dependencies": {"near": "1"}, "files": {"index.js": "module.exports = 'far 1.1.0'"}},
        "2.0.0": {},
    },
    "alias": {
        "1.0.0": {"dependencies": {"old": "npm:lib@1.0"}, "files": {"index.js": "module.exports = require('old')"}}
    },
    "peer": {
        "1.0.0": {
            "peerDependencies": {"lib": ">=1 <2", "gone": "*"},
            "peerDependenciesMeta": {"gone": {"optional": True}},
            "files": {"index.js": "module.exports = require('lib')"},
        }
    },
    "native": {
        "1.0.0": {
            "optionalDependencies": {"for-here": "*", "for-elsewhere": "*", "nowhere": "1"},
            "files": {
                "index.js": "const has = (x) => { try { return require(x) } catch (e) { return e.code } };\n"
                "module.exports = ['for-here', 'for-elsewhere', 'nowhere', 'lib'].map(has).join()"
            },
        }
    },
    "for-here": {"1.0.0": {"os": ["linux"], "cpu": ["x64", "arm64"]}},
    "for-elsewhere": {"1.0.0": {"os": ["!linux"]}},
    "tool": {
        "1.0.0": {
            "bin": {"tool": "cli.js", "other": "bin/other.sh"},
            "files": {
                "cli.js": "#!/usr/bin/env node\nconsole.log('tool', process.argv.slice(2).join())",
                "bin/other.sh": "#!/bin/sh\necho other $1",
            },
        }
    },
    "@scope/one": {"1.0.0": {"bin": {"single": "x.sh"}, "files": {"x.sh": "#!/bin/sh\necho single $1"}}},
    "climbs": {"1.0.0": {"bin": "../../../../npx", "files": {}}},
    "broken": {"1.0.0": {"dependencies": {"gone": "1"}}},
    "from-git": {"1.0.0": {"dependencies": {"x": "git+https://example.com/x.git"}}},
}


@pytest.fixture(scope="module")
def one_registry() -> Iterator[LocalRegistry]:
    with serving(PACKAGES) as registry:
        yield registry


@pytest.fixture
def registry(one_registry: LocalRegistry, box: Box) -> LocalRegistry:
    one_registry.asked.clear()
    one_registry.authorizations.clear()
    one_registry.tags.clear()
    one_registry.is_lying = False
    box.write({".npmrc": f"registry = {one_registry.url}\n"})
    return one_registry


def output_of(box: Box, *arguments: str, **environment: str) -> str:
    """Return what rt prints; of errors, the first line and the note."""
    done = box.run(*arguments, environment={"RT_NO_INSTALL": "", **environment})
    lines = done.stderr.decode().splitlines()
    reported = [line for line in lines if line.startswith(("error:", "note:"))]
    return "\n".join([*done.stdout.decode().splitlines(), *reported]).replace(str(box.folder), "<DIR>")


PROGRAMS: list[tuple[str, str]] = [
    ("import x from 'lib'; console.log(x)", "lib 2.0.0"),
    ("console.log(require('lib'))", "lib 2.0.0"),
    ("console.log((await import('lib')).default)", "lib 2.0.0"),
    ("console.log(require.resolve('lib') === Bun.fileURLToPath(import.meta.resolve('lib')))", "true"),
    ("import x from 'lib@1'; import y from 'lib@1.0.0'; console.log(x, y)", "lib 1.2.0 lib 1.0.0"),
    ("import { scoped } from '@scope/lib'; import x from '@scope/lib/sub/x.js'; console.log(scoped, x)", "true inside"),
    ("import x from 'esm'; console.log(x.endsWith('/esm'))", "true"),
    ("import x from 'near'; import y from 'far'; console.log(x, y)", "far 1.1.0 far 2.0.0"),
    ("import x from 'alias'; console.log(x)", "lib 1.0.0"),
    ("import x from 'peer'; console.log(x)", "lib 1.2.0"),
    ("import x from 'native'; console.log(x)", "for-here 1.0.0,MODULE_NOT_FOUND,MODULE_NOT_FOUND,MODULE_NOT_FOUND"),
    (
        "import 'gone'",
        "error: Cannot find package 'gone' from '<DIR>/a.ts'\nnote: the registry has no package \"gone\"",
    ),
    (
        "require('gone')",
        "error: Cannot find package 'gone' from '<DIR>/a.ts'\nnote: the registry has no package \"gone\"",
    ),
    (
        "import 'lib@9'",
        "error: Cannot find package 'lib@9' from '<DIR>/a.ts'\nnote: no version of \"lib\" satisfies \"9\"",
    ),
    (
        "import 'lib@next'",
        "error: Cannot find package 'lib@next' from '<DIR>/a.ts'\n"
        'note: "next" is neither a version nor a tag of "lib"',
    ),
    (
        "import 'broken'",
        "error: Cannot find package 'broken' from '<DIR>/a.ts'\n"
        'note: the registry has no package "gone" (needed by broken@1.0.0)',
    ),
    (
        "import 'from-git'",
        "error: Cannot find package 'from-git' from '<DIR>/a.ts'\n"
        'note: from-git@1.0.0 needs "x" from git+https://example.com/x.git, which is not a package of a registry',
    ),
    ("try { require('gone') } catch (e) { console.log(e.code) }", "MODULE_NOT_FOUND"),
    ("try { await import('gone') } catch (e) { console.log(e.code) }", "ERR_MODULE_NOT_FOUND"),
]


def test_imports_of_programs(box: Box, registry: LocalRegistry) -> None:
    for text, expected in PROGRAMS:
        box.write({"a.ts": text})
        assert output_of(box, "a.ts") == expected, text
    assert output_of(box, "-p", "require('lib')") == "lib 2.0.0"
    registry.asked.clear()
    assert output_of(box, "-e", "import x from 'near'; console.log(x)") == "far 1.1.0"
    assert registry.asked == [], "what is there is not asked for"


def test_does_not_install_by_default_for_programs_that_see_node_only(box: Box, registry: LocalRegistry) -> None:
    box.write({"a.mjs": "console.log(await import('lib').then((module) => module.default, (error) => error.code))"})
    assert output_of(box, "--identity=node", "a.mjs") == "ERR_MODULE_NOT_FOUND"
    assert registry.asked == []
    assert output_of(box, "--identity=node", "--install=auto", "a.mjs") == "lib 2.0.0"


def test_modes(box: Box, registry: LocalRegistry) -> None:
    box.write({"a.ts": "import x from 'lib'; console.log(x)"})
    refused = "error: Cannot find package 'lib' from '<DIR>/a.ts'"
    assert output_of(box, "--no-install", "a.ts") == refused
    assert output_of(box, "--install=disable", "a.ts") == refused
    assert output_of(box, "a.ts", RT_NO_INSTALL="1") == refused
    assert output_of(box, "--permission", "a.ts") == refused
    assert registry.asked == []
    box.write({"node_modules/other/index.js": ""})
    assert output_of(box, "a.ts") == output_of(box, "--install", "auto", "a.ts") == refused
    assert output_of(box, "-i", "a.ts") == output_of(box, "--install=fallback", "a.ts") == "lib 2.0.0"
    box.write({"node_modules/lib/index.js": "module.exports = 'installed'"})
    assert output_of(box, "a.ts") == output_of(box, "-i", "a.ts") == "installed"
    assert output_of(box, "--install=force", "a.ts") == "lib 2.0.0"
    box.write({"b.ts": "import 'lib/gone.js'"})
    assert output_of(box, "-i", "b.ts") == "error: Cannot find module 'lib/gone.js' from '<DIR>/b.ts'"
    box.write({"rtfig.toml": "[install]\nauto = 'force'\n"})
    assert output_of(box, "a.ts") == "lib 2.0.0"


def test_which_version_a_project_wants(box: Box, registry: LocalRegistry) -> None:
    box.write({"src/a.ts": "import x from 'lib'; console.log(x)"})
    for manifest, expected in (
        ({"dependencies": {"lib": "^1.0.0"}}, "lib 1.2.0"),
        ({"devDependencies": {"lib": "1.0.0"}}, "lib 1.0.0"),
        ({"dependencies": {"lib": "npm:far@2"}}, "far 2.0.0"),
        ({"dependencies": {"far": "1"}}, "lib 2.0.0"),
    ):
        box.write({"package.json": manifest})
        assert output_of(box, "src/a.ts") == expected, manifest
    box.write({"package.json": {"dependencies": {"lib": "workspace:*"}}})
    assert output_of(box, "src/a.ts").endswith(
        'note: package.json wants "lib" from workspace:*, which auto-install does not fetch'
    )
    box.write({"package.json": {"dependencies": {"lib": "*"}}})
    box.write({"package-lock.json": {"packages": {"node_modules/lib": {"version": "1.0.0"}}}})
    assert output_of(box, "src/a.ts") == "lib 1.0.0"
    box.write({"bun.lock": '{ "packages": { "lib": ["lib@1.2.0", "", {}, ""], }, }'})
    assert output_of(box, "src/a.ts") == "lib 1.2.0"


def test_the_integrity_in_a_lockfile_is_enforced(box: Box, registry: LocalRegistry) -> None:
    box.write({"a.ts": "import x from 'near'; console.log(x)"})
    near, far = registry.integrity("near", "1.0.0"), registry.integrity("far", "1.1.0")
    other = "sha512-" + "A" * 86 + "=="

    def npm_lock(near: str, far: str) -> dict[str, Any]:
        entries = {"near": ("1.0.0", near), "far": ("1.1.0", far)}
        packages = {f"node_modules/{n}": {"version": v, "integrity": i} for n, (v, i) in entries.items()}
        return {"packages": packages}

    def peer_lock(near: str, far: str) -> dict[str, Any]:
        return {"packages": {"near": ["near@1.0.0", "", {}, near], "far": ["far@1.1.0", "", {}, far]}}

    for name, lock in (("package-lock.json", npm_lock), ("bun.lock", peer_lock)):
        for is_cached in (False, True):
            for locked, label, actual in (((other, far), "near@1.0.0", near), ((near, other), "far@1.1.0", far)):
                box.write({name: lock(*locked)})
                assert output_of(box, "a.ts") == (
                    "error: Cannot find package 'near' from '<DIR>/a.ts'\n"
                    f"note: the integrity of {label} differs: <DIR>/{name} has {other}, the registry has {actual}"
                ), (name, is_cached)
            box.write({name: lock(near, far)})
            assert output_of(box, "a.ts") == "far 1.1.0"
        (box.folder / name).unlink()


def test_packages_of_two_registries_are_stored_separately(box: Box, registry: LocalRegistry) -> None:
    packages: dict[str, dict[str, dict[str, Any]]] = {
        "lib": {"2.0.0": {"files": {"index.js": "module.exports = 'other lib'"}}},
        "far": {"1.1.0": {"files": {"index.js": "module.exports = 'other far'"}}},
        "@scope/user": {
            "1.0.0": {"dependencies": {"far": "1"}, "files": {"index.js": "module.exports = require('far')"}}
        },
        "tool": {"1.0.0": {"bin": "cli.js", "files": {"cli.js": "#!/usr/bin/env node\nconsole.log('other tool')"}}},
    }
    registry.packages["@scope/user"] = {**packages["@scope/user"]}
    programs = {"lib": "import x from 'lib'; console.log(x)", "user": "console.log(require('@scope/user'))"}
    with serving(packages) as other:
        for folder in ("one", "two"):
            box.write({f"{folder}/{name}.ts": text for name, text in programs.items()})
        # The same scope has the same registry in both projects; what it depends on has not.
        scope = f"@scope:registry = {other.url}\n"
        box.write({"one/.npmrc": f"registry = {registry.url}\n{scope}", "one/package.json": {}})
        box.write({"two/.npmrc": f"registry = {other.url}\n", "two/package.json": {}})
        for _ in range(2):
            assert [output_of(box, "--cwd=one", f"{name}.ts") for name in programs] == ["lib 2.0.0", "far 1.1.0"]
            assert [output_of(box, "--cwd=two", f"{name}.ts") for name in programs] == ["other lib", "other far"]
            assert output_of(box, "--cwd=one", "x", "tool") == "tool "
            assert output_of(box, "--cwd=two", "x", "tool") == "other tool"
        box.write({"one/.npmrc": f"registry = {other.url}\n"})
        assert output_of(box, "--cwd=one", "lib.ts") == "other lib", "the project changed its registry"
    del registry.packages["@scope/user"]


def test_how_old_an_answer_may_be(box: Box, registry: LocalRegistry) -> None:
    box.write({"a.ts": "import x from 'lib'; console.log(x)"})
    registry.tags["lib"] = {"latest": "1.0.0"}
    assert output_of(box, "a.ts") == "lib 1.0.0"
    registry.tags["lib"] = {"latest": "1.2.0"}
    assert output_of(box, "a.ts") == "lib 1.0.0", "for a day"
    assert output_of(box, "--prefer-latest", "a.ts") == "lib 1.2.0"
    assert output_of(box, "a.ts") == "lib 1.2.0"
    registry.asked.clear()
    assert output_of(box, "--prefer-offline", "a.ts") == "lib 1.2.0"
    box.write({"a.ts": "import x from 'lib@1.0.0'; console.log(x)"})
    assert output_of(box, "a.ts", npm_config_offline="true") == "lib 1.0.0"
    assert registry.asked == []
    box.write({"a.ts": "import x from 'far'; console.log(x)"})
    assert output_of(box, "a.ts", npm_config_offline="true").endswith("note: npm's settings say offline=true")
    registry.is_lying = True
    declared = registry.integrity("far", "2.0.0")
    assert (
        "note: the archive of far@2.0.0 does not have the integrity that the registry declares: "
        f"{declared} is declared, sha512-"
    ) in output_of(box, "a.ts")


def test_credentials_go_to_their_registry_only(box: Box, registry: LocalRegistry) -> None:
    host = registry.url.removeprefix("http:")
    box.write({"a.ts": "import x from '@scope/lib'; console.log(x.scoped)"})
    box.write(
        {".npmrc": f"registry=http://127.0.0.1:1/\n@scope:registry={registry.url}\n{host}:_authToken=${{TOKEN}}\n"}
    )
    assert output_of(box, "a.ts", TOKEN="secret") == "true"
    assert set(registry.authorizations) == {"Bearer secret"}
    box.write({"a.ts": "import 'lib'"})
    assert "\nnote: GET http://127.0.0.1:1/lib failed: " in output_of(box, "a.ts")


def test_many_first_starts_at_once(box: Box, registry: LocalRegistry) -> None:
    box.write({"a.ts": "import x from 'near'; import y from 'native'; console.log(x, y.slice(0, 8))"})
    started = [box.start("a.ts", environment={"RT_NO_INSTALL": ""}) for _ in range(6)]
    assert {process.communicate() for process in started} == {(b"far 1.1.0 for-here\n", b"")}
    [unpacked] = box.cache.glob("rt/packages/*/unpacked")
    assert sorted(path.name.partition("_")[0] for path in unpacked.iterdir()) == [
        "far@1.1.0",
        "for-here@1.0.0",
        "native@1.0.0",
        "near@1.0.0",
    ]


def test_damaged_packages_are_downloaded_again(box: Box, registry: LocalRegistry) -> None:
    box.write({"a.ts": "import x from 'near'; console.log(x)"})
    assert output_of(box, "a.ts") == "far 1.1.0"
    [cache] = box.cache.glob("rt/packages/*")
    damaged = [*cache.glob("choices/*"), *cache.glob("documents/*"), *cache.glob("unpacked/far@1.1.0_*/entry.json")]
    assert len(damaged) == 5
    for path in damaged:
        path.write_bytes(b"\0{")
    for path in (cache / "complete").iterdir():
        path.unlink()
    assert output_of(box, "a.ts") == "far 1.1.0"


def test_binaries_of_packages_that_are_not_installed(box: Box, registry: LocalRegistry) -> None:
    path = path_without_node(box.folder / "path")
    npx = box.folder / "npx"
    npx.write_text('#!/bin/sh\necho "npx $*"')
    npx.chmod(0o755)
    for words, expected in (
        ("tool a b", "tool a,b"),
        ("tool@1 a", "tool a"),
        ("@scope/one a", "single a"),
        ("-p tool other a", "other a"),
        ("lib", 'error: Binary not found "lib"\nnote: lib@2.0.0 has no program "lib"'),
        (
            "-p tool third",
            'error: Binary not found "third"\n'
            'note: tool@1.0.0 has no program "third": `rt x -p tool other` runs one of other, tool',
        ),
        ("--package=tool -y other a", "other a"),
        ("gone", 'error: Binary not found "gone"\nnote: the registry has no package "gone"'),
        ("tool@9 a", 'error: Binary not found "tool@9"\nnote: no version of "tool" satisfies "9"'),
        ("github:a/b", 'error: Binary not found "github:a/b"\nnote: invalid package name: "github:a/b"'),
        (
            "climbs",
            'error: Binary not found "climbs"\n'
            'note: the program "climbs" of climbs@1.0.0 is outside the package: "../../../../npx"',
        ),
    ):
        for each in (path, f"{box.folder}:{path}"):
            assert output_of(box, "x", "--silent", *words.split(), PATH=each, npm_config_yes="false") == expected, words
    assert output_of(box, "x", "-c", "tool a", PATH=f"{box.folder}:{path}") == "npx -c tool a"
    assert output_of(box, "x", "-c", "tool a", PATH=path) == (
        "error: rt x has no flag -c, and npx, which may have it, is not on PATH"
    )


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"dist": 5}, "the registry declares no archive for odd@1.0.0"),
        ({"dist": {"tarball": ["x"]}}, "the registry declares no archive for odd@1.0.0"),
        ({"dist": {"tarball": "http://x/"}}, "the registry declares no integrity for the archive of odd@1.0.0"),
        (
            {"dist": {"tarball": "file:///etc/passwd", "integrity": "sha512-x"}},
            "GET file:///etc/passwd failed: not an http: or https: URL",
        ),
        ({"dependencies": {"lib": 5}}, 'odd@1.0.0 needs "lib" from 5, which is not a package of a registry'),
        ({"dependencies": [1], "bundleDependencies": 5, "os": [5], "peerDependenciesMeta": [], "bin": 5}, ""),
        ({"files": {"package.json/x": ""}}, "odd@1.0.0 cannot be unpacked: "),
    ],
)
def test_malformed_documents(box: Box, registry: LocalRegistry, fields: dict[str, Any], problem: str) -> None:
    registry.packages["odd"] = {"1.0.0": fields}
    box.write({"a.ts": "import 'odd'; console.log('ran')"})
    answer = output_of(box, "--prefer-latest", "a.ts")
    assert answer.startswith(
        f"error: Cannot find package 'odd' from '<DIR>/a.ts'\nnote: {problem}" if problem else "ran"
    )
