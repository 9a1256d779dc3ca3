"""What comes to lie below a pointer that rests: the page hears of it in the event that brought it there."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from tests.browser.driven import Driven, OpenApp
from tests.browser.live import Site

STYLE = "<style>button, iframe, #under { position: fixed; left: 20px; top: 20px; width: 90px; height: 40px; border: 0 }</style>"
HEARS = """const hears = () => { for (const type of ['mouseover', 'mousemove']) document.addEventListener(type, (event) => {
  if (event.target.id === 'under') setTimeout(() => 0, type === 'mouseover' ? 111 : 222); }); };"""
PAGE = f"""<!doctype html><title>P</title>{STYLE}<div id=under>Under</div><button id=close>Close</button>
<script>{HEARS} hears(); document.getElementById('close').onclick = () => CLOSE;</script>"""
AT_ONCE, LATER = (
    "document.getElementById('close').remove()",
    "setTimeout(() => document.getElementById('close').remove(), 5000)",
)
FRAMED = f"""<!doctype html><title>P</title>{STYLE}<iframe src=/inner></iframe><button id=close>Close</button>
<script>document.getElementById('close').onclick = (event) => event.target.remove();</script>"""
INNER = f"<!doctype html><style>body {{ margin: 0 }} #under {{ height: 40px }}</style><div id=under>Under</div><script>{HEARS} hears();</script>"


def timers(page: Driven) -> list[str]:
    return [name.split(" at ")[0] for name in page.names() if name.startswith("timeout")]


@pytest.mark.parametrize("again", range(3))
def test_in_the_event_of_the_user(site: Site, app: OpenApp, again: int) -> None:
    site.serve({"/": PAGE.replace("CLOSE", AT_ONCE)})
    page = app()
    page.open()
    created = page.act('click button "Close"').created
    assert [event.what.split(" at ")[0] for event in created] == ["timeout 111"]
    assert timers(page) == ["timeout 111"]  # nobody has moved


@pytest.mark.parametrize("again", range(3))
def test_in_the_event_of_a_timer(site: Site, app: OpenApp, again: int) -> None:
    site.serve({"/": PAGE.replace("CLOSE", LATER)})
    page = app()
    page.open()
    page.act('click button "Close"')
    assert timers(page) == ["timeout 5000"]
    created = page.let("timeout 5000").created
    assert [event.what.split(" at ")[0] for event in created] == ["timeout 111"]


@pytest.mark.parametrize("again", range(3))
def test_in_a_frame_that_was_covered(site: Site, app: OpenApp, again: int) -> None:
    site.serve({"/": FRAMED, "/inner": INNER})
    page = app()
    page.open()
    created = page.act('click button "Close"').created
    assert "timeout 111" in [event.what.split(" at ")[0] for event in created]


TAPPED = """<!doctype html><title>P</title><style>* { margin: 0 } button { width: 90px; height: 40px }</style><button id=under>Rest</button><p>
<button id=tapped>Tap</button><script>
document.getElementById('under').onclick = () => {};
document.getElementById('tapped').addEventListener('touchend', () => document.body.append('tapped'));
document.addEventListener('mouseover', ({ target }) => setTimeout(() => 0, target.id === 'under' ? 111 : 222));
</script>"""


@pytest.mark.parametrize("again", range(3))
def test_after_a_tap_elsewhere(site: Site, app: OpenApp, again: int) -> None:
    """A tap counts as a move of the mouse to there, from where it is soon back."""
    site.serve({"/": TAPPED})
    page = app()
    page.open()
    page.act('click button "Rest"')
    page.drain()
    created = page.act('tap button "Tap"').created
    assert [event.what.split(" at ")[0] for event in created] == ["timeout 222", "timeout 111"]
