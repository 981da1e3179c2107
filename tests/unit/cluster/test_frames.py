"""Messages between an agent and its slots: as they were sent, wherever the stream is cut."""

from __future__ import annotations

import os
from itertools import product

import pytest

from rt_supervisor.cluster import frames

MESSAGES: list[tuple[object, ...]] = [("started", 0), ("output", 0, 1, b"x" * 300), ("ended", 0, 0, 0, 0.1, 0.01, 4096)]


def test_a_decoder_returns_messages_once_they_are_complete() -> None:
    data = b"".join(map(frames.encode, MESSAGES))
    first = len(frames.encode(MESSAGES[0]))
    for cut in range(len(data)):
        decoder = frames.Decoder()
        before = decoder.feed(data[:cut])
        assert before == MESSAGES[: len(before)] and (len(before) > 0) == (cut >= first)
        assert before + decoder.feed(data[cut:]) == MESSAGES


def test_written_messages_are_read_in_order_and_a_cut_one_is_the_end() -> None:
    reader, writer = os.pipe()
    try:
        frames.write_frames(writer, MESSAGES)
        os.write(writer, frames.encode(MESSAGES[0])[:-1])
    finally:
        os.close(writer)
    try:
        assert [frames.read_frame(reader) for _ in MESSAGES] == MESSAGES
        assert frames.read_frame(reader) is None
    finally:
        os.close(reader)


def test_dask_groups_jobs_by_their_scripts_and_each_has_a_name_of_its_own() -> None:
    utils = pytest.importorskip("dask.utils")
    jobs = [
        frames.Job("1a2b", task, f"{package}#{script}", script, (), 0, False, "", "", (), (), (), {}, (), ((), ()), "", 0.0, "", 1)
        for task, (package, script) in enumerate(product(("web-app", "//", "@scope/deadbeef"), ("build-all", "test")))
    ]  # fmt: skip
    keys = [frames.dask_key(job) for job in jobs]
    assert {utils.key_split(key).replace("\N{HYPHEN}", "-") for key in keys} == {"build-all", "test"}
    assert len(set(keys)) == len(jobs)
    assert all(job.title in key for job, key in zip(jobs, keys, strict=True))
