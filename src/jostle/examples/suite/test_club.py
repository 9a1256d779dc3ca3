from playwright.sync_api import Page, expect


def test_notices_come_by_themselves(page: Page) -> None:
    page.goto("notices.html")
    page.get_by_role("button", name="Show notices").click()
    expect(page.get_by_role("listitem")).to_have_count(1)

    page.request.post("api/notices", data={"text": "Meeting on Monday"})
    expect(page.get_by_text("Meeting on Monday")).to_be_visible()


def test_preview_of_a_note(page: Page) -> None:
    page.goto("note.html")
    page.get_by_label("Your note").fill("The gate is broken.")
    page.get_by_role("button", name="Preview").click()

    expect(page.get_by_role("blockquote")).to_have_text("The gate is broken.")


def test_member(page: Page) -> None:
    page.goto("member.html")
    page.get_by_label("Name").fill("Robin")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Greet").click()

    expect(page.get_by_role("status")).to_have_text("Hello, Robin")


class TestMinutes:
    def test_saving(self, page: Page) -> None:
        page.goto("minutes.html")
        page.get_by_role("button", name="Edit").click()
        page.get_by_label("Minutes").fill("All were there.")
        page.get_by_role("button", name="Save").click()

        expect(page.get_by_role("status")).to_have_text("Saved")


def test_basket(page: Page) -> None:
    page.goto("market.html")

    expect(page.get_by_text("Hello, Robin")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("2 things")


def test_ordering_seeds(page: Page) -> None:
    page.goto("seeds.html")
    page.get_by_label("Packets").fill("3")
    page.get_by_role("button", name="Order seeds").click()

    expect(page.get_by_text("Thank you")).to_be_visible()
    expect(page.get_by_role("listitem")).to_have_text(["3 packets"])
