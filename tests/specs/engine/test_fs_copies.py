"""fs.cp in its three forms: what is copied, and the error messages."""

from __future__ import annotations

import pytest
from rig import Box

PRELUDE = """
    const fs = require('fs');
    const show = (error) => console.log(error === null || error === undefined ? 'done' : `${error.name} ${error.code} ${error.message}`);
    const sync = (...args) => { try { show(fs.cpSync(...args)); } catch (error) { show(error); } };
    const later = (...args) => fs.promises.cp(...args).then(show, show);
"""


def run(box: Box, body: str) -> list[str]:
    box.write({"a.cjs": PRELUDE + body})
    return box.run("a.cjs").stdout.decode().splitlines()


@pytest.mark.parametrize("form", ["sync", "later"])
def test_a_tree_is_copied_unchanged(box: Box, form: str) -> None:
    assert run(
        box,
        f"""
            fs.mkdirSync('from/inner', {{ recursive: true }});
            fs.writeFileSync('from/inner/file', 'text', {{ mode: 0o640 }});
            fs.symlinkSync('inner/file', 'from/link');
            fs.chmodSync('from/inner', 0o750);
            (async () => {{
              await {form}('from', 'new/place', {{ recursive: true, filter: (from) => !from.endsWith('skipped') }});
              await {form}('from', 'new/place', {{ recursive: true }}); // again, over what is there
              console.log(fs.readFileSync('new/place/inner/file', 'utf8'), (fs.statSync('new/place/inner').mode & 0o777).toString(8));
              console.log(fs.readlinkSync('new/place/link') === require('path').resolve('from/inner/file'));
            }})();
            """,
    ) == ["done", "done", "text 750", "true"]


REFUSED = {
    "f, g": "ERR_FS_CP_NON_DIR_TO_DIR",
    "d, f, { recursive: true }": "ERR_FS_CP_DIR_TO_NON_DIR",
    "d, out": "ERR_FS_EISDIR",
    "f, f": "ERR_FS_CP_EINVAL",
    "d, 'd/e/below', { recursive: true }": "ERR_FS_CP_EINVAL",
    "d, 'link/below', { recursive: true }": "ERR_FS_CP_EINVAL",
    "f, 'd/f', { force: false, errorOnExist: true }": "ERR_FS_CP_EEXIST",
    "d, g, { recursive: true, force: false, errorOnExist: true }": "ERR_FS_CP_EEXIST",
    "'fifo', out": "ERR_FS_CP_FIFO_PIPE",
    "'one', 'two', { recursive: true }": "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY",
    "f, out, { mode: 8 }": "ERR_OUT_OF_RANGE",
    "f, out, { dereference: true, verbatimSymlinks: true }": "ERR_INCOMPATIBLE_OPTION_PAIR",
    "f, out, null": "ERR_INVALID_ARG_TYPE",
}


@pytest.mark.parametrize("form", ["sync", "later"])
def test_invalid_copies_are_rejected(box: Box, form: str) -> None:
    calls = "\n".join(f"await {form}({call});" for call in REFUSED)
    lines = run(
        box,
        f"""
        const [d, f, g, out] = ['d', 'f', 'g', 'out'];
        fs.mkdirSync('d/e', {{ recursive: true }}); fs.writeFileSync('d/f', ''); fs.writeFileSync(f, ''); fs.mkdirSync(g);
        fs.symlinkSync(require('path').resolve(d), 'link');
        fs.mkdirSync('one/a/b', {{ recursive: true }}); fs.symlinkSync(require('path').resolve('one/a/b'), 'one/a/c');
        fs.mkdirSync('two/a', {{ recursive: true }}); fs.symlinkSync(require('path').resolve('one'), 'two/a/c');
        require('child_process').execSync('mkfifo fifo');
        (async () => {{ {calls} console.log(fs.existsSync('out')); }})();
        """,
    )
    assert [line.split()[1] for line in lines[:-1]] == list(REFUSED.values())
    assert lines[-1] == "false"


def test_the_message_of_a_rejection(box: Box) -> None:
    assert run(
        box,
        """
        fs.mkdirSync('d'); fs.writeFileSync('f', '');
        sync('f', 'd');
        sync('f', 'out', { filter: async () => true });
        later('f', 'd').then(() => fs.cp('f', 'f', (error) => {
          show(error);
          console.log(String(error), error.errno, error.syscall, error.path, error.info.code);
        }));
        """,
    ) == [
        "Error ERR_FS_CP_NON_DIR_TO_DIR Cannot overwrite directory d with non-directory f",
        'TypeError ERR_INVALID_RETURN_VALUE Expected boolean to be returned from the "filter" function but got an instance of Promise.',
        "SystemError ERR_FS_CP_NON_DIR_TO_DIR Cannot overwrite directory with non-directory: cp returned ENOTDIR (cannot overwrite directory d with non-directory f) d",
        "SystemError ERR_FS_CP_EINVAL Invalid src or dest: cp returned EINVAL (src and dest cannot be the same) f",
        "SystemError [ERR_FS_CP_EINVAL]: Invalid src or dest: cp returned EINVAL (src and dest cannot be the same) f 22 cp f EINVAL",
    ]


def test_times_of_files_that_may_not_be_written(box: Box) -> None:
    assert run(
        box,
        """
            fs.writeFileSync('f', '', { mode: 0o444 }); fs.utimesSync('f', 1, 2);
            sync('f', 'g', { preserveTimestamps: true });
            later('f', 'h', { preserveTimestamps: true }).then(() => {
              for (const name of ['g', 'h']) console.log(fs.statSync(name).mtimeMs);
            });
            """,
    ) == ["done", "done", "2000", "2000"]
