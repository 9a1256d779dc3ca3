"""Policies are read as they were written; a wrong one is refused with the place, what is wrong, and what to write."""

# ruff: noqa: E501 (pages and sentences stay readable in lines of their own length)
from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given

from jostle.repair.catalogue import CATALOGUE, GENERAL, fifo, general, init_user, order
from jostle.repair.policy import Action, Do, EventKind, Extension, Match, On, Policy, Rule, Scope, Until
from jostle.repair.policy_file import PolicyProblem, as_json, as_toml, policy_of, read_policy, warned, write_policy
from jostle.repair.soundness import flaws
from tests.repair.policies import catalogue_policies, policies

RULE = 'name = "p"\n[[rules]]\n'


@given(policies())
def test_what_is_written_is_read(policy: Policy) -> None:
    if any(flaws(policy)):
        return
    assert policy_of(as_toml(policy), "p.toml", toml=True) == policy
    assert policy_of(as_json(policy), "p.json", toml=False) == policy


@pytest.mark.parametrize("policy", catalogue_policies(), ids=lambda policy: policy.name)
@pytest.mark.parametrize("ending", ["toml", "json"])
def test_the_catalogue_is_sound(policy: Policy, ending: str, tmp_path: Path) -> None:
    assert list(flaws(policy)) == []
    file = tmp_path / f"policy.{ending}"
    write_policy(policy, file)
    assert read_policy(file) == policy


def test_the_catalogue_is_ordered_by_intrusiveness() -> None:
    numbers = [entry.intrusiveness for entry in CATALOGUE]
    assert numbers == sorted(set(numbers))
    assert {general(name).name for name in GENERAL} == set(GENERAL)
    assert {policy.name for policy in catalogue_policies()} == {entry.name for entry in CATALOGUE}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "p.toml is not valid TOML"),
        ("rules = []", "name"),
        ('name = ""', "`name` is empty"),
        ('name = "p"\nwatchdog = 0', "p.toml, line 2: `watchdog` is 0 seconds"),
        ('name = "p"\nwatch_dog = 3', "p.toml, line 2: there is no `watch_dog`; did you mean `watchdog`?"),
        ('name = "p"\nwatchdog = "long"', "line 2: `watchdog` must be a number, not a text"),
        (RULE + 'action = "postpone"\nuntill = { is = "parsed" }', "line 4: there is no `rules[0].untill`; did you mean"),
        (RULE + 'match = { kind = ["user"] }', "line 3: there is no `rules[0].match.kind`; did you mean `kinds`?"),
        (RULE + 'action = "drop"', "line 3: `rules[0].action` is 'drop'; write one of dispatch, postpone, discard"),
        (RULE + 'until = { is = "loaded" }', "line 3: `rules[0].until.is` is 'loaded'; write one of parsed, arrived, function"),
        (RULE + 'until = { is = "function" }', "`rules[0].until` lacks `name`"),
        (RULE + 'action = "discard"', "line 3: `rules[0].action` discards events of the system"),
        (RULE + 'match = { kinds = ["response"] }\naction = "discard"', "line 4: `rules[0].action` discards"),
        (RULE + 'match = { on = "fork" }\naction = "postpone"', "can only be watched"),
        (RULE + 'action = "postpone"\nthen = [{ do = "wait_for" }]', "line 4: `rules[0].then` extends a rule"),
        (RULE + 'match = { on = "fork" }\nthen = [{ do = "abort_older" }]', "aborts what is not a request"),
        (RULE + 'match = { on = "fork" }\nthen = [{ do = "order", after = 3 }]', "is made by `order_next` only"),
        (RULE + "match = { events = [3] }", "cannot be written in a file"),
        (RULE + 'match = { types = ["clik"] }', 'did you mean "click"?'),
        (RULE + 'match = { types = ["scroll"] }', "cannot be kept from a page"),
        (RULE + 'match = { urls = ["menu.js"] }', 'write "*/menu.js"'),
        (RULE + 'match = { selector = "a[href" }', "is no CSS selector"),
        (RULE + 'until = { is = "function", name = "app.load()" }', "without brackets"),
        (RULE + 'busy = true\nmatch = { kinds = ["user"] }', "shows no element as busy"),
        (
            RULE + 'action = "postpone"\nmatch = { kinds = ["script"], urls = ["*/a.js"] }\n'
            'until = { is = "arrived", url = "*/b.js" }\n[[rules]]\naction = "postpone"\n'
            'match = { kinds = ["script"], urls = ["*/b.js"] }\nuntil = { is = "arrived", url = "*/a.js" }',
            "rules[0] and rules[1] wait in a circle",
        ),
        (
            RULE + 'match = { kinds = ["user"] }\naction = "postpone"\n[[rules]]\n'
            'match = { kinds = ["user"] }\naction = "discard"',
            "line 7: `rules[1].action` says discard where rules[0] says postpone",
        ),
    ],
)  # fmt: skip
def test_a_wrong_policy_is_refused(text: str, told: str) -> None:
    with pytest.raises(PolicyProblem) as caught:
        policy_of(text, "p.toml", toml=True)
    assert told in caught.value.message
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"name": "p",\n}', "p.json, line 2: not valid JSON"),
        ("[]", "a policy is a table, not a list"),
        ('{"name": 3}', "`name` must be a text, not a whole number"),
        ('{"name": "p", "rules": [{"then": [{"do": "x"}]}]}', "`rules[0].then[0].do`"),
        ("[" * 100_000, "p.json cannot be read"),
    ],
)
def test_a_wrong_policy_in_json_is_refused(text: str, told: str) -> None:
    with pytest.raises(PolicyProblem) as caught:
        policy_of(text, "p.json", toml=False)
    assert told in caught.value.message


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    for make in (lambda: None, lambda: file.write_bytes(b"\xff"), lambda: file.write_bytes(b"#" * 2_000_000)):
        make()
        with pytest.raises(PolicyProblem, match=r"p\.toml"):
            read_policy(file)


def test_what_may_never_come_is_warned_of() -> None:
    never = policy_of(RULE + 'match = { kinds = ["user"] }\naction = "postpone"', "p", toml=True)
    assert "never expires" in warned(never)[0]
    assert "on a page that never requests it" in warned(order("*/a.js", "*/b.js"))[0]
    assert "a page that polls" in warned(general("async-user"))[0]
    assert warned(init_user()) == [] and warned(fifo()) == []


def test_everything_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "policies.md").read_text("utf-8")
    fields = {field for struct in (Policy, Rule, Match, Extension) for field in struct.__struct_encode_fields__}
    words = [*On, *Action, *Scope, *EventKind, *(do for do in Do if do is not Do.ORDER)]
    tags = [str(each.__struct_config__.tag) for each in get_args(Until)]
    names = [entry.name for entry in CATALOGUE]
    missing = {each for each in (*fields, *map(str, words), *tags, *names) if f"`{each}`" not in text}
    assert missing == {"events", "after"}  # they cannot be written


def test_both_policies_at_once() -> None:
    both = init_user() | fifo() | init_user()
    assert len(both.rules) == 2 and list(flaws(both)) == []
