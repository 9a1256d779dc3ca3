"""Somebody cooks with the example application: `jostle record --script` runs this, settings come by the environment."""

from __future__ import annotations

import os

from playwright.sync_api import sync_playwright

from benchmarks.sessions.person import Person
from jostle.browser.find import sandbox_arguments

WORDS = ("plum", "rice", "leek", "soup", "salad", "lemon", "carrot", "bread")
REMARKS = ("Very good, thank you.", "I used less sugar.", "The children liked it.", "Worked well with leeks instead.")
DISHES = ("Onion tart", "Pea soup", "Apple crumble", "Bean stew", "Cold noodles")


def home(person: Person) -> None:
    person.click(person.page.get_by_role("link", name="Larder", exact=True))


def browse(person: Person) -> None:
    """Look through the list, open something, look at the picture, perhaps go back."""
    home(person)
    person.scroll()
    more = person.page.get_by_role("button", name="More recipes")
    if more.count() and more.is_enabled() and person.chance.random() < 0.4:
        person.click(more)
    person.click(person.one_of(person.page.locator("#recipes a")))
    person.scroll()
    if person.chance.random() < 0.3:
        person.page.go_back()
        person.pause()


def menu(person: Person) -> None:
    """Open the menu, move over some entries, choose one; sometimes close it again."""
    person.click(person.page.locator("#categories"))
    entries = person.page.locator("#category-list a")
    for _ in range(person.chance.randint(0, 3)):
        person.point(person.one_of(entries))
    if person.chance.random() < 0.15:
        person.click(person.page.locator("#categories"))
    else:
        person.click(person.one_of(entries))


def search(person: Person) -> None:
    """Type, look at the suggestions, take one or press Enter, or type something else first."""
    field = person.page.get_by_role("searchbox")
    person.type(field, person.chance.choice(WORDS))
    person.pause(1.5)
    if person.chance.random() < 0.2:
        person.type(field, person.chance.choice(WORDS))
        person.pause(1.5)
    hits = person.page.locator("#hits a")
    if hits.count() and person.chance.random() < 0.7:
        person.click(person.one_of(hits))
    else:
        field.press("Enter")
        person.pause()


def to_recipe(person: Person) -> None:
    if "/recipes/" not in person.page.url or person.page.url.endswith(("/new", "/edit")):
        home(person)
        person.click(person.one_of(person.page.locator("#recipes a")))


def comment(person: Person) -> None:
    to_recipe(person)
    person.scroll()
    person.type(person.page.locator("#comment"), person.chance.choice(REMARKS))
    person.click(person.page.get_by_role("button", name="Post"))


def cook(person: Person) -> None:
    """Change the servings, put the ingredients on the list, tick some off."""
    to_recipe(person)
    for _ in range(person.chance.randint(1, 3)):
        person.click(person.page.locator("#more-servings" if person.chance.random() < 0.7 else "#fewer"))
    person.click(person.page.locator("#shop"))
    if person.chance.random() < 0.6:
        person.click(person.page.get_by_role("link", name="Shopping list"))
        for _ in range(person.chance.randint(1, 4)):
            person.click(person.one_of(person.page.locator("#shopping input")))
        person.click(person.page.locator("#clear-done"))


def like(person: Person) -> None:
    to_recipe(person)
    person.click(person.page.locator("#like"))
    if person.chance.random() < 0.6:
        person.click(person.page.locator("#favourite"))


def favourites(person: Person) -> None:
    person.click(person.page.get_by_role("link", name="Favourites"))
    kept = person.page.locator("main a")
    if kept.count() and person.chance.random() < 0.6:
        person.click(person.one_of(kept))


def write_recipe(person: Person) -> None:
    """Fill in the form, once in a while forgetting something, and send it."""
    page = person.page
    person.click(page.get_by_role("link", name="New recipe"))
    person.type(page.locator("#title"), person.chance.choice(DISHES))
    if person.chance.random() < 0.8:
        person.choose(page.locator("#category"), person.chance.choice(("Soups", "Mains", "Sweets")))
    person.type(page.locator("#minutes"), str(person.chance.randint(10, 90)))
    person.type(page.locator("#serves"), "4")
    person.type(page.locator("#summary"), "Quick and good.")
    person.type(page.locator("#new-ingredients"), "2 onions\n1 egg")
    person.type(page.locator("#new-steps"), "Mix.\nBake.")
    person.click(page.get_by_role("button", name="Add recipe"))
    if page.url.endswith("/new"):
        person.choose(page.locator("#category"), "Mains")
        person.click(page.get_by_role("button", name="Add recipe"))
    if person.chance.random() < 0.7:
        person.click(page.get_by_role("link", name="Edit"))
        person.type(page.locator("#summary"), "Even better.")
        person.click(page.get_by_role("button", name="Save"))


def profile(person: Person) -> None:
    person.click(person.page.locator(".account a").nth(2))
    person.pause(1.5)
    person.type(person.page.locator("#city"), person.chance.choice(("Bern", "Accra", "Lima")))
    person.click(person.page.get_by_role("button", name="Save"))


HABITS = (
    (browse, 4), (menu, 4), (search, 4), (comment, 3), (cook, 3), (like, 3), (favourites, 2),
    (write_recipe, 2), (profile, 1),
)  # fmt: skip


def main() -> None:
    url, seed = os.environ["JOSTLE_SESSION_URL"], int(os.environ["JOSTLE_SESSION_SEED"])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=sandbox_arguments())
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(url)
        person = Person(page, seed)
        person.click(page.get_by_role("link", name="Log in").first)
        person.type(page.locator("#name"), "demo")
        person.type(page.locator("#password"), "demo")
        person.click(page.get_by_role("button", name="Log in"))
        person.live(HABITS, int(os.environ.get("JOSTLE_SESSION_ROUNDS", "14")))
        browser.close()


if __name__ == "__main__":
    main()
