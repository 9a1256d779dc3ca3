"""What a document must have so that everybody can use it, as rules that are checked in a real browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

_CONTROLS = {"button", "link", "searchbox", "textbox", "combobox", "slider", "checkbox", "radio", "DisclosureTriangle"}
_NAMED = _CONTROLS | {"navigation", "region", "search", "img", "image", "form"}
_STRUCTURE = """() => {
    const wrong = [], all = selector => [...document.querySelectorAll(selector)];
    const seen = element => element.checkVisibility({ visibilityProperty: true });
    const say = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
    if (!document.documentElement.lang || !document.title) wrong.push("no language or title");
    const ids = new Set();
    for (const element of all("[id]")) ids.has(element.id) ? say("two have this id", element) : ids.add(element.id);
    for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
        for (const element of all(`[${name}]`)) {
            if (!element.getAttribute(name).split(" ").every(id => ids.has(id))) say(`${name} leads nowhere`, element);
        }
    }
    for (const link of all('a[href^="#"]')) {
        if (!ids.has(decodeURIComponent(link.getAttribute("href").slice(1)))) say("leads nowhere", link);
    }
    let last = 0;
    for (const heading of all("h1, h2, h3, h4, h5, h6").filter(seen)) {
        const level = Number(heading.tagName[1]);
        if (level > last + 1) say("a level is left out before", heading);
        last = level;
    }
    if (all("h1").length !== 1) wrong.push("not one h1");
    for (const [what, number] of [["main", 1], ["body > header", 1], ["nav", 1]]) {
        if (all(what).length !== number) wrong.push(`not ${number} ${what}`);
    }
    for (const table of all("table")) if (!table.querySelector("th[scope]")) say("no headings", table);
    for (const image of all("img")) if (!image.hasAttribute("alt")) say("no alternative", image);
    for (const part of all('[tabindex="0"]').filter(seen)) {
        if (!part.role && !/^(BUTTON|A)$/.test(part.tagName)) say("can be reached and has no role", part);
    }
    for (const part of all("*").filter(seen)) {
        const style = getComputedStyle(part);
        if (!/auto|scroll/.test(style.overflowY + style.overflowX)) continue;
        if (part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1) continue;
        if (part.tabIndex < 0 && !part.querySelector("a, button, input, [tabindex]")) say("by mouse only", part);
    }
    for (const [selector, least] of [["button, select, input", 20], [".ways a", 24]]) {
        for (const control of all(selector).filter(seen)) {
            const box = control.getBoundingClientRect(), small = box.width < least || box.height < least - 2;
            if (!control.closest(".drawing, .details") && small) say("too small to hit", control);
        }
    }
    return wrong;
}"""
_CONTRAST = """() => {
    // Colours as the browser mixes them, whatever they are written as.
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const parse = colour => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, below) => [0, 1, 2].map(n => top[n] * top[3] + below[n] * (1 - top[3])).concat(1);
    const linear = part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    const light = colour => [.2126, .7152, .0722].reduce((sum, share, n) => sum + share * linear(colour[n] / 255), 0);
    const ground = element => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour[3]) layers.push(colour);
            if (colour[3] === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const poor = new Map(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let number = 0;
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(element.tagName)) continue;
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (element.closest(".hidden, .skip, .faint, [aria-hidden=true]")) continue;
        const style = getComputedStyle(element), below = ground(element);
        const colour = parse(element.namespaceURI.endsWith("svg") ? style.fill : style.color);
        const [a, b] = [light(over(colour, below)), light(below)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
        const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
        number++;
        const name = `${element.tagName}.${element.className.baseVal ?? element.className}`;
        if (ratio < (large ? 3 : 4.5)) poor.set(name, `${ratio.toFixed(2)} ${texts.currentNode.data.slice(0, 40)}`);
    }
    return { number, poor: [...poor].map(each => each.join(" ")) };
}"""


def violations(page: Page) -> list[str]:
    """What is wrong with the document as it is now."""
    wrong: list[str] = page.evaluate(_STRUCTURE)
    contrast: dict[str, Any] = page.evaluate(_CONTRAST)
    assert contrast["number"] > 20, "there are texts to look at"
    return wrong + [f"too little contrast: {each}" for each in contrast["poor"]] + _nameless(page)


def _nameless(page: Page) -> list[str]:
    """Whatever has no name for those who do not see it, as the browser tells assistive technology."""
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    roles = [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in tree if not node["ignored"]
    ]
    assert sum(role in _CONTROLS for role, _ in roles) > 5
    landmarks = [(role, name) for role, name in roles if role in ("region", "navigation", "search", "form")]
    twice = {each for each in landmarks if landmarks.count(each) > 1}
    return [f"no name: {role}" for role, name in roles if role in _NAMED and not name] + [
        f"two landmarks of the same name: {role} {name}" for role, name in sorted(twice)
    ]


def unseen_focus(page: Page, steps: int) -> list[str]:
    """Elements on the way of the Tab key at which one does not see that they have the focus."""
    poor = []
    for _ in range(steps):
        page.keyboard.press("Tab")
        told = page.evaluate(
            """() => {
                const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
                if (at === document.body) return "";
                const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
                const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
                return ring && inside ? "" : `${ring ? "out of sight" : "no outline"}: ${at.outerHTML.slice(0, 120)}`;
            }"""
        )
        poor += [told] if told else []
    return poor
