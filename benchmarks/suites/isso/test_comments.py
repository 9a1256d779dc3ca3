"""What Isso's manual promises: comments, previews, and that one's own can be edited and deleted."""

from playwright.sync_api import Locator, Page, expect


def form(page: Page) -> Locator:
    return page.locator(".isso-postbox").first


def comments(page: Page) -> Locator:
    return page.locator("#isso-root .isso-comment")


def comment(page: Page, text: str, author: str = "") -> None:
    form(page).locator(".isso-textarea").fill(text)
    if author:
        form(page).get_by_label("Name").fill(author)
    form(page).get_by_role("button", name="Submit").click()
    expect(comments(page).first).to_contain_text(text)


def test_writing_a_comment(page: Page) -> None:
    page.goto("")
    form(page).locator(".isso-textarea").fill("What a fine day")
    form(page).get_by_label("Name").fill("Robin")
    form(page).get_by_role("button", name="Submit").click()
    expect(comments(page)).to_have_count(1)
    expect(comments(page)).to_contain_text("What a fine day")
    expect(comments(page)).to_contain_text("Robin")
    expect(form(page).locator(".isso-textarea")).to_have_value("")


def test_markup(page: Page) -> None:
    page.goto("")
    form(page).locator(".isso-textarea").fill("This is **important** to me")
    form(page).get_by_role("button", name="Submit").click()
    expect(comments(page).locator("strong")).to_have_text("important")


def test_preview(page: Page) -> None:
    page.goto("")
    form(page).locator(".isso-textarea").fill("Is this *right*?")
    form(page).get_by_role("button", name="Preview").click()
    expect(form(page).locator(".isso-preview em")).to_have_text("right")
    form(page).get_by_role("button", name="Edit").click()
    expect(form(page).locator(".isso-textarea")).to_have_value("Is this *right*?")


def test_too_short(page: Page) -> None:
    page.goto("")
    form(page).locator(".isso-textarea").fill("a")
    form(page).get_by_role("button", name="Submit").click()
    expect(comments(page)).to_have_count(0)


def test_two_comments(page: Page) -> None:
    page.goto("")
    comment(page, "The first word", "Robin")
    form(page).locator(".isso-textarea").fill("The second word")
    form(page).get_by_role("button", name="Submit").click()
    expect(comments(page)).to_have_count(2)
    expect(comments(page).nth(1)).to_contain_text("The second word")


def test_the_name_is_remembered(page: Page) -> None:
    page.goto("")
    comment(page, "It is me", "Robin")
    page.reload()
    expect(form(page).get_by_label("Name")).to_have_value("Robin")


def test_editing(page: Page) -> None:
    page.goto("")
    comment(page, "A mistake")
    comments(page).get_by_role("link", name="Edit").click()
    comments(page).locator(".isso-textarea").fill("No mistake")
    comments(page).get_by_role("link", name="Save").click()
    expect(comments(page).locator(".isso-text")).to_have_text("No mistake")


def test_deleting(page: Page) -> None:
    page.goto("")
    comment(page, "Forget it")
    comments(page).get_by_role("link", name="Delete").click()
    comments(page).get_by_role("link", name="Confirm").click()
    expect(comments(page)).to_have_count(0)


def test_counting(page: Page) -> None:
    page.goto("")
    comment(page, "Count me")
    page.reload()
    expect(page.locator(".isso-thread-heading")).to_have_text("One Comment")
