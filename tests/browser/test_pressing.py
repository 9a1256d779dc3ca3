"""A click where the page has just offered one: it is not asked again, and learns the event's name when it has begun."""

from __future__ import annotations

from jostle.events import Event
from tests.browser.live import Browser, Site
from tests.browser.story import LOG, Telling, tell

PAGE = (
    LOG
    + """<button id=draw>Draw</button>
<button id=later style="margin: 99px">Later</button> <button id=talk>Talk</button>
<script>
const over = [];
draw.onclick = () => log(Math.random().toFixed(6), Date.now());
draw.onmouseover = () => over.push(Math.random().toFixed(6));
later.onclick = () => setTimeout(() => log("timer", over.length), 50);
talk.onclick = () => {
  const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = () => postMessage('hello')"])));
  worker.onmessage = ({ data }) => log("heard", data);
  worker.postMessage("hello");
};
</script>"""
)


SWAP = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("#a { top: 150px !important } #b { top: 50px !important }");
  document.adoptedStyleSheets.push(sheet);
})()"""
DONE = ("Draw", "Later", "Draw", "Draw", "Talk")


def test_chance_and_time_are_the_same_whether_it_was_offered_or_not(browser: Browser, site: Site) -> None:
    url = site.serve(PAGE)
    known: dict[str, Event] = {}
    said: list[list[str]] = []

    def asking(page: Telling) -> None:
        page.load()
        for name in DONE:
            offered = page.run(page.app.user_events())
            known[name] = next(event for event in offered if event.what == f'click button "{name}"')
            assert page.step(known[name]).limits == ()
        said.append([*page.said, *page.ask("over"), *page.names()])

    def not_asking(page: Telling) -> None:
        page.load()
        for name in DONE:
            assert page.step(known[name]).limits == ()
        said.append([*page.said, *page.ask("over"), *page.names()])

    tell(browser, url, asking)
    tell(browser, url, not_asking)
    assert said[0][:3] == sorted(set(said[0][:3]), key=said[0].index), "three draws, all different"
    assert said.count(said[0]) == 4, said


def test_what_a_press_creates_knows_its_creator(browser: Browser, site: Site) -> None:
    url = site.serve(PAGE)

    def story(page: Telling) -> None:
        page.load()
        for name in ('click button "Draw"', 'click button "Talk"', 'click button "Later"'):
            page.act(name)
        creators = {event.what.split()[0]: event.creator for event in page.waiting()}
        assert creators == {"message": page.keys[-2], "timeout": page.keys[-1]}

    tell(browser, url, story)


def test_something_that_comes_in_between_is_told(browser: Browser, site: Site) -> None:
    """The page changes without any event: a press goes where the offer was, and the run says what it met."""
    url = site.serve(
        LOG + '<button id=a onclick="log(1)" style="position: fixed; left: 50px; top: 50px">One</button>'
        '<button id=b onclick="log(2)" style="position: fixed; left: 50px; top: 150px">Two</button>'
    )

    def story(page: Telling) -> None:
        page.load()
        page.act('click button "One"')
        page.ask(SWAP)
        effect = page.act('click button "Two"')
        assert page.said == ["1", "1"]
        assert any("no longer where it was offered" in limit for limit in effect.limits), effect.limits

    tell(browser, url, story)
