"""The native core reads the records that are encoded here; anything cut short or longer is not a plan."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rt_supervisor._native import is_plan
from rt_supervisor.plan.model import MODE_FILTER, MODE_PARALLEL, RunPlan, Step, Task
from rt_supervisor.plan.run_record import Failures, Problems, Words, encode
from rt_supervisor.start.decision import Refusals

texts = st.text(max_size=8)
variables = st.dictionaries(texts, texts, max_size=3)
lines = st.dictionaries(st.integers(0, 200), texts, max_size=2)
argvs = st.lists(texts, min_size=1, max_size=3).map(tuple)
steps = st.builds(Step, texts, texts, argvs, variables, st.just(()), variables=variables)
unencodable = st.builds(Step, texts, texts, st.just(("\ud800",)), variables)
refusals = st.builds(Refusals, lines, texts, texts)
problems = st.builds(Problems, texts, refusals, texts, texts, texts, lines, st.integers(0, 255))


@st.composite
def encoded(draw: st.DrawFn) -> bytes:
    wanted = draw(st.lists(st.lists(steps | unencodable, min_size=1, max_size=3), min_size=1, max_size=3))
    tasks = tuple(
        Task(key, draw(texts), "package", "script", draw(texts), tuple(each), tuple(range(key)))
        for key, each in enumerate(wanted)
    )
    mode = draw(st.sampled_from([MODE_FILTER, MODE_PARALLEL]))
    plan = RunPlan(mode, tasks, draw(st.integers(1, 200)), draw(st.booleans()))
    words = Words(
        prefixes=[[draw(st.binary(max_size=5)) for _ in task.steps] for task in tasks],
        exited=draw(texts),
        signaled=draw(texts),
        done=draw(texts),
        skipped=draw(texts),
        signals=draw(st.lists(texts, max_size=3)),
    )
    names = [[draw(texts) for _ in task.steps] for task in tasks]
    failures = draw(
        st.builds(
            Failures,
            st.booleans(),
            st.booleans(),
            st.just(names),
            st.just(names),
            *(texts for _ in range(8)),
        )
    )
    grace_ms, dropped = draw(st.integers(0, 1 << 40)), tuple(draw(st.lists(texts, max_size=2)))
    return encode(
        plan, words, failures, draw(problems), grace_ms=grace_ms, dropped=dropped, joins_streams=draw(st.booleans())
    )


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # plans are large
@given(encoded())
def test_the_core_reads_what_is_encoded(plan: bytes) -> None:
    assert is_plan(plan)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(encoded(), st.data())
def test_nothing_else_is_a_plan(plan: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(plan) - 1))
    assert not is_plan(plan[:cut])
    assert not is_plan(plan + b"\0")
