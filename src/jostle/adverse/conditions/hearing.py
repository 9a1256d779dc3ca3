"""What a page listens to: what nobody in it hears can make no difference to it."""

from __future__ import annotations

import json

SIZE_QUERY, PIXELS_QUERY, SCHEME_QUERY, TASTE_QUERY, MEDIUM_QUERY = (
    f"query-{what}" for what in ("size", "pixels", "scheme", "taste", "medium")
)
"""Stand for media queries in scripts, by what they ask for."""
ORIENTATION = "orientation"
"""Stands for what the orientation of the screen tells."""
PERMISSION = "permission"
"""Stands for what a page does only with permission, and goes on doing."""
POINTER = tuple(
    f"{device}{what}" for device in ("mouse", "pointer") for what in ("enter", "leave", "over", "out", "move")
)
ON_THE_WEB = "location.protocol.startsWith('http')"
"""JavaScript: a page of a server."""
OBSERVERS = ("ResizeObserver", "IntersectionObserver")

# Kept where no script of the page stumbles over it. The page's own functions stay what they are to all appearances.
HEARING = """(() => {
    const key = Symbol.for("jostle.hears");
    if (globalThis[key]) return;
    const heard = new Set();
    const noted = (owner, name, note) => {
        if (typeof owner?.[name] !== "function") return;
        owner[name] = new Proxy(owner[name], {
            apply: (target, self, given) => { note(given, self); return Reflect.apply(target, self, given); },
            construct: (target, given, made) => { note(given); return Reflect.construct(target, given, made); },
        });
    };
    noted(EventTarget.prototype, "addEventListener", ([kind], target) => {
        if (typeof kind === "string") heard.add(target && target === screen.orientation ? "orientation" : kind);
    });
    const queries = {
        size: /width|height|aspect-ratio|orientation/i,
        pixels: /resolution|pixel-ratio/i,
        scheme: /color-scheme/i,
        taste: /motion|contrast|forced-colors/i,
        medium: /print|screen/i,
    };
    noted(globalThis, "matchMedia", ([query]) => {
        for (const what in queries) if (queries[what].test(query)) heard.add("query-" + what);
    });
    noted(globalThis.Permissions?.prototype, "query", () => heard.add("permission"));
    noted(globalThis.Geolocation?.prototype, "watchPosition", () => heard.add("permission"));
    noted(globalThis.MediaDevices?.prototype, "getUserMedia", () => heard.add("permission"));
    for (const name of ["ResizeObserver", "IntersectionObserver", "WeakRef", "FinalizationRegistry"])
        noted(globalThis, name, () => heard.add(name));
    Object.defineProperty(globalThis, key, { value: heard });
})();"""
"""The script that notes what is listened to, for every document from its beginning on."""

_HEARS = """((kinds) => {
    const heard = globalThis[Symbol.for("jostle.hears")];
    if (!heard || frames.length) return true;
    if (kinds.includes("orientation") && typeof screen.orientation?.onchange === "function") return true;
    return kinds.some((kind) => heard.has(kind) || typeof window["on" + kind] === "function"
        || typeof document["on" + kind] === "function" || !!document.querySelector(`[on${kind}]`));
})"""


def hears(*kinds: str) -> str:
    """JavaScript that says whether the page listens to one of these. A page with frames may, and so may one whose
    beginning was not seen."""
    return f"{_HEARS}({json.dumps(kinds)})"
