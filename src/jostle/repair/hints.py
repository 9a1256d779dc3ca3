"""The real fix of a race: what to change in the source, and where. Pure.

A repair keeps a race from happening; the fix removes it. Which pattern it follows can be read off what races.
"""

from __future__ import annotations

from collections.abc import Mapping

from jostle.events import Kind
from jostle.findings import FindingKind
from jostle.findings.evidence import (
    CodeExcerpt,
    CodeFix,
    DifferenceKind,
    FixPattern,
    LoadRaceEvidence,
    LoadRacePart,
    ResponseRaceEvidence,
)
from jostle.repair.witness import Witness

_MOST_LINES = 4
_WORDS: Mapping[FixPattern, str] = {
    FixPattern.ABORT_OLD_REQUEST: "Abort the request that is still on its way before you send the next one, so that "
    "its response never arrives.",
    FixPattern.COMPARE_REQUEST_ID: "Remember which request is the newest, and ignore the response to any other.",
    FixPattern.DISABLE_UNTIL_READY: "Keep the control disabled until the code that handles it has loaded.",
    FixPattern.DISABLE_WHILE_SENDING: "Disable the control while the request is on its way, and let the server refuse "
    "what it has already received.",
    FixPattern.REGISTER_EARLY: "Register the handler before the element can be seen: in an inline script right behind "
    "it, or as a listener on the document that queues events until the code has loaded.",
    FixPattern.KEEP_EDITED_FIELDS: "Set the value in the markup, or only while the user has not edited the field.",
    FixPattern.KEEP_FOCUS: "Move the focus only while nothing else has it.",
    FixPattern.SCRIPT_ORDER: "Load the scripts in the order in which they need each other: `defer` instead of `async`, "
    "or one script that imports the other.",
    FixPattern.DEFINE_BEFORE_USE: "Define what the handler needs before the element can be used, or register the "
    "handler in the script that defines it.",
    FixPattern.CHECK_ON_REGISTERING: "When you register the handler, check whether the event has already happened.",
    FixPattern.CLEAR_TIMER: "Clear the timer when the user goes on, or check in its callback whether it is still "
    "wanted.",
    FixPattern.AWAIT_DEPENDENCY: "Wait for what the code needs, with a promise, instead of relying on the order in "
    "which things happen to arrive.",
    FixPattern.DECIDE_ON_SERVER: "Let the server decide: give each change a number or a version, and refuse what is "
    "older than what it has.",
}
_EXAMPLES: Mapping[FixPattern, str] = {
    FixPattern.ABORT_OLD_REQUEST: """let request;
async function search(text) {
  request?.abort();
  request = new AbortController();
  const response = await fetch(url(text), { signal: request.signal });
  show(await response.json());
}""",
    FixPattern.COMPARE_REQUEST_ID: """let newest = 0;
async function load(what) {
  const mine = ++newest;
  const data = await get(what);
  if (mine === newest) show(data);
}""",
    FixPattern.DISABLE_UNTIL_READY: """<button id="save" disabled>Save</button>
// in the script, after the handler is registered:
save.disabled = false;""",
    FixPattern.DISABLE_WHILE_SENDING: """button.disabled = true;
try { await send(form); } finally { button.disabled = false; }""",
    FixPattern.REGISTER_EARLY: """<script>
  const early = [];
  document.addEventListener("click", (event) => {
    if (event.target.closest("#menu")) { event.preventDefault(); early.push(event.target); }
  }, { capture: true, once: true });
</script>
// when the code has loaded: early.forEach((target) => openMenu(target));""",
    FixPattern.KEEP_EDITED_FIELDS: """if (field.value === field.defaultValue && field !== document.activeElement) {
  field.value = saved;
}""",
    FixPattern.KEEP_FOCUS: """if (document.activeElement === document.body) field.focus();""",
    FixPattern.SCRIPT_ORDER: """<script src="library.js" defer></script>
<script src="application.js" defer></script>""",
    FixPattern.DEFINE_BEFORE_USE: """// in the script that defines open(), instead of onclick="open()" in the markup:
button.addEventListener("click", open);""",
    FixPattern.CHECK_ON_REGISTERING: """if (image.complete) loaded();
else image.addEventListener("load", loaded);
// of the page itself: document.readyState !== "loading\"""",
    FixPattern.CLEAR_TIMER: """clearTimeout(timer);
timer = setTimeout(hide, 3000);""",
    FixPattern.AWAIT_DEPENDENCY: """const ready = loadSettings();   // a promise
button.addEventListener("click", async () => open(await ready));""",
    FixPattern.DECIDE_ON_SERVER: """PUT /cart/7
If-Match: "12"        ->  412 Precondition Failed when it is not the newest""",
}


def fix_of(witness: Witness) -> CodeFix:
    """What to change in the source."""
    pattern = _pattern(witness)
    return CodeFix(
        pattern=pattern,
        words=_WORDS[pattern],
        example=_EXAMPLES.get(pattern, ""),
        lines=_lines(witness),
    )


def _pattern(witness: Witness) -> FixPattern:
    evidence = witness.evidence
    if isinstance(evidence, LoadRaceEvidence):
        return _of_loading(witness, evidence)
    if isinstance(evidence, ResponseRaceEvidence):
        return _of_responses(witness, evidence)
    return _of_order(witness)


def _of_loading(witness: Witness, evidence: LoadRaceEvidence) -> FixPattern:
    by_user = witness.first is not None
    match witness.finding.kind:
        case FindingKind.FORM_INPUT_OVERWRITTEN if evidence.part is LoadRacePart.FOCUS:
            return FixPattern.KEEP_FOCUS
        case FindingKind.FORM_INPUT_OVERWRITTEN:
            return FixPattern.KEEP_EDITED_FIELDS
        case FindingKind.LATE_HANDLER if by_user:
            return FixPattern.REGISTER_EARLY
        case FindingKind.LATE_HANDLER:
            return FixPattern.CHECK_ON_REGISTERING
        case FindingKind.ACCESS_BEFORE_DEFINITION if by_user:
            return FixPattern.DEFINE_BEFORE_USE
        case FindingKind.ACCESS_BEFORE_DEFINITION:
            return FixPattern.SCRIPT_ORDER
        case _:
            return FixPattern.DISABLE_UNTIL_READY


def _of_responses(witness: Witness, evidence: ResponseRaceEvidence) -> FixPattern:
    kinds = {each.what for each in evidence.differences}
    if any(event.kind is Kind.TIMER for event in witness.late):
        return FixPattern.CLEAR_TIMER
    if witness.repeats and DifferenceKind.REQUEST in kinds:
        return FixPattern.DISABLE_WHILE_SENDING
    if any(event.kind is Kind.MESSAGE for event in witness.late):
        return FixPattern.DECIDE_ON_SERVER if DifferenceKind.REQUEST in kinds else _keeping(witness, kinds)
    late = {event.request.url.partition("?")[0] for event in witness.late if event.request.url}
    followed = {event.request.url.partition("?")[0] for event in witness.followed if event.request.url}
    if late & followed:
        return FixPattern.ABORT_OLD_REQUEST
    return _keeping(witness, kinds)


def _keeping(witness: Witness, kinds: set[DifferenceKind]) -> FixPattern:
    typed = witness.second is not None and witness.second.action.enters_text
    if typed and DifferenceKind.FORM in kinds:
        return FixPattern.KEEP_EDITED_FIELDS
    return FixPattern.COMPARE_REQUEST_ID


def _of_order(witness: Witness) -> FixPattern:
    events = (*witness.late, *witness.early)
    if events and all(event.request.resource == "script" for event in events) and witness.first is None:
        return FixPattern.SCRIPT_ORDER
    if any(event.kind is Kind.TIMER for event in witness.late) and witness.first is not None:
        return FixPattern.CLEAR_TIMER
    if witness.first is not None and any(event.request.resource == "script" for event in witness.late):
        return FixPattern.DEFINE_BEFORE_USE if witness.errors else FixPattern.REGISTER_EARLY
    return FixPattern.AWAIT_DEPENDENCY


def _lines(witness: Witness) -> tuple[CodeExcerpt, ...]:
    """The code that races, where it is known."""
    return tuple(each for each in witness.evidence.code if each.source or each.excerpt)[:_MOST_LINES]
