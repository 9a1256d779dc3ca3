from playwright.sync_api import Page, expect


def test_giving_up_a_plot(page: Page) -> None:
    page.goto("plots.html")
    page.get_by_role("button", name="List plots").click()
    page.get_by_role("listitem").filter(has_text="By the gate").click(button="right")
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Yes").click()

    expect(page.get_by_role("listitem").filter(has_text="By the gate")).to_have_count(0)
    expect(page.get_by_role("listitem").filter(has_text="By the well")).to_be_visible()


def test_giving_up_another_plot(page: Page) -> None:
    page.goto("plots.html")
    page.get_by_role("button", name="List plots").click()
    page.get_by_role("listitem").filter(has_text="By the well").click(button="right")
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_text("Give up the chosen plots?")).to_be_visible()
    page.get_by_role("button", name="Yes").click()

    expect(page.get_by_role("listitem").filter(has_text="By the well")).to_have_count(0)


def test_changing_ones_mind(page: Page) -> None:
    page.goto("plots.html")
    page.get_by_role("button", name="List plots").click()
    page.get_by_role("listitem").filter(has_text="By the gate").click(button="right")
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="No").click()

    expect(page.get_by_role("listitem")).to_have_count(3)


def test_naming_a_plot(page: Page) -> None:
    page.goto("name.html")
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("New name").fill("The wild one")
    page.get_by_role("button", name="Done").click()

    expect(page.get_by_text("Your plot: The wild one")).to_be_visible()


def test_sketching(page: Page) -> None:
    page.goto("sketch.html")
    page.get_by_role("button", name="Tree").click()
    page.get_by_role("button", name="Pond").click()

    expect(page.get_by_role("status")).to_have_text("2 things drawn")
