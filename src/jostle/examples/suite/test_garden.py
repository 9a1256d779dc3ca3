import pytest
from playwright.sync_api import Page, expect


@pytest.mark.parametrize(("kind", "count"), [("Herbs", 3), ("Roots", 2)])
def test_counting_beds(page: Page, kind: str, count: int) -> None:
    page.goto("beds.html")
    page.get_by_label("Kind").select_option(kind)
    page.get_by_role("button", name="Count").click()

    expect(page.get_by_role("status")).to_have_text(f"{count} beds")


def test_watering(page: Page) -> None:
    page.goto("watering.html")
    page.get_by_role("button", name="Plan watering").click()
    page.get_by_label("Litres").fill("12")
    page.get_by_role("button", name="Save plan").click()

    expect(page.get_by_role("status")).to_have_text("12 litres planned")


def test_tasks(page: Page) -> None:
    page.goto("tasks.html")
    page.get_by_role("button", name="Open list").click()
    page.get_by_label("Weed the path").check()

    expect(page.get_by_role("status")).to_have_text("1 done")


def test_reading_the_guide(page: Page) -> None:
    page.goto("guide.html")
    page.get_by_role("button", name="Pruning").click()
    page.get_by_role("button", name="Mark as read").click()

    expect(page.get_by_role("status")).to_have_text("Read")


def test_diary(page: Page) -> None:
    page.goto("diary.html")
    page.get_by_label("Today").fill("First beans")
    page.get_by_role("button", name="Add").click()

    expect(page.get_by_role("listitem")).to_have_text(["First beans"])


def test_harvest(page: Page) -> None:
    page.goto("harvest.html")
    page.get_by_label("Kilograms").fill("4")
    page.get_by_role("button", name="Weigh").click()

    expect(page.get_by_role("status")).to_have_text("4 kg weighed")


class TestWeather:
    def test_unit(self, page: Page) -> None:
        page.goto("weather.html")
        page.get_by_label("Unit").select_option("Fahrenheit")
        page.get_by_role("button", name="Show temperature").click()

        expect(page.get_by_role("status")).to_have_text("68 °F")

    def test_forecast(self, page: Page) -> None:
        page.goto("forecast.html")
        page.get_by_role("button", name="Refresh").click()

        expect(page.get_by_role("listitem")).to_have_text(["Today: sun", "Tomorrow: rain"])
