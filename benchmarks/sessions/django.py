"""Somebody looks after users and groups in Django's administration interface."""

from __future__ import annotations

import json
import os

from playwright.sync_api import sync_playwright

from benchmarks.sessions.person import Person
from jostle.browser.find import sandbox_arguments


def home(person: Person) -> None:
    person.click(person.page.locator("#site-name a"))


def users(person: Person) -> None:
    home(person)
    person.click(person.page.locator("#content-main .model-user a").first)


def groups(person: Person) -> None:
    home(person)
    person.click(person.page.locator("#content-main .model-group a").first)


def add_user(person: Person) -> None:
    """Fill in the form, sometimes with two different passwords at first."""
    page = person.page
    home(person)
    person.click(page.locator(".model-user .addlink").first)
    person.type(page.locator("#id_username"), f"visitor{person.chance.randint(100, 999)}")
    secret = "longer-than-usual-7"
    person.type(page.locator("#id_password1"), secret)
    person.type(page.locator("#id_password2"), secret if person.chance.random() < 0.8 else "other-7")
    person.click(page.locator("input[name=_save]"))
    if page.locator(".errornote").count():
        person.type(page.locator("#id_password1"), secret)
        person.type(page.locator("#id_password2"), secret)
        person.click(page.locator("input[name=_save]"))
    person.type(page.locator("#id_first_name"), "Vera")
    person.click(page.locator("input[name=_save]"))


def change_user(person: Person) -> None:
    users(person)
    page = person.page
    person.click(person.one_of(page.locator("#result_list tbody th a")))
    person.type(page.locator("#id_last_name"), person.chance.choice(("Okafor", "Lind", "Sato")))
    if person.chance.random() < 0.5:
        person.click(page.locator("#id_is_staff"))
    if person.chance.random() < 0.5:
        person.click(page.locator("#id_groups_from option").first)
        person.click(page.locator("#id_groups_add"))
    person.click(page.locator("input[name=_save]"))


def find_user(person: Person) -> None:
    users(person)
    page = person.page
    person.type(page.locator("#searchbar"), f"user{person.chance.randint(1, 29)}")
    person.click(page.locator("#changelist-search input[type=submit]"))
    if person.chance.random() < 0.5:
        person.click(person.one_of(page.locator("#changelist-filter a")))


def filter_users(person: Person) -> None:
    users(person)
    for _ in range(person.chance.randint(1, 3)):
        person.click(person.one_of(person.page.locator("#changelist-filter li a")))
    if person.chance.random() < 0.5:
        person.click(person.one_of(person.page.locator("#result_list thead a")))


def tick_users(person: Person) -> None:
    """Tick some, look at the actions, change one's mind."""
    users(person)
    page = person.page
    for _ in range(person.chance.randint(1, 4)):
        person.click(person.one_of(page.locator("input.action-select")))
    person.choose(page.locator("select[name=action]"), "Delete selected users")
    person.click(page.locator("button[name=index]"))
    if page.get_by_text("No, take me back").count():
        person.click(page.get_by_text("No, take me back"))


def add_group(person: Person) -> None:
    page = person.page
    home(person)
    person.click(page.locator(".model-group .addlink").first)
    person.type(page.locator("#id_name"), f"Circle {person.chance.randint(1, 999)}")
    for _ in range(person.chance.randint(1, 2)):
        person.click(person.one_of(page.locator("#id_permissions_from option")))
        person.click(page.locator("#id_permissions_add"))
    person.click(page.locator("input[name=_save]"))


def change_group(person: Person) -> None:
    groups(person)
    person.click(person.one_of(person.page.locator("#result_list tbody th a")))
    person.type(person.page.locator("#id_permissions_input"), person.chance.choice(("user", "add", "log")))
    person.click(person.page.locator("input[name=_save]"))


def theme(person: Person) -> None:
    person.click(person.page.locator("button.theme-toggle").first)


HABITS = (
    (add_user, 3), (change_user, 4), (find_user, 3), (filter_users, 3), (tick_users, 2), (add_group, 3),
    (change_group, 2),
    (theme, 1),
)  # fmt: skip


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=sandbox_arguments())
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        context.add_cookies(json.loads(os.environ["JOSTLE_SESSION_COOKIES"]))
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(os.environ["JOSTLE_SESSION_URL"])
        person = Person(page, int(os.environ["JOSTLE_SESSION_SEED"]))
        person.live(HABITS, int(os.environ.get("JOSTLE_SESSION_ROUNDS", "14")))
        browser.close()


if __name__ == "__main__":
    main()
