"""What rt remembers of lockfiles."""

from __future__ import annotations

from rt_supervisor.tasks.digests import LockfileDigests


def test_a_lockfile_is_read_again_when_it_or_what_is_wanted_of_it_has_changed() -> None:
    lockfile = b'{"packages": {"node_modules/a": {"version": "1"}, "node_modules/b": {"version": "1"}}}'
    newer = lockfile.replace(b'"1"}}}', b'"2"}}}')
    name = "package-lock.json"
    table = LockfileDigests()
    first = table.of(lockfile, name, ["x"], {"x": {"a": "1"}})
    assert table.of(newer, name, ["x"], {"x": {"a": "1"}}) == first  # only b is another one
    assert table.of(newer, name, ["x"], {"x": {"b": "1"}}) != first
    assert table.of(lockfile, name, ["x"], {"x": {"b": "1"}}) != table.of(newer, name, ["x"], {"x": {"b": "1"}})

    known = {key: {"x": "from memory"} for key in table.known}
    remembered = LockfileDigests(known)
    assert remembered.of(newer, name, ["x"], {"x": {"b": "1"}}) == {"x": "from memory"}
    assert remembered.of(newer, "npm-shrinkwrap.json", ["x"], {"x": {"b": "1"}}) != {"x": "from memory"}
    for number in range(9):
        remembered.of(b"", name, [str(number)], {})
    assert len(remembered.known) == len(known)
