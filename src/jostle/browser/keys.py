"""The keyboard: what each key is called and what it sends (US layout)."""

from __future__ import annotations

import msgspec

ALT, CONTROL, META, SHIFT = 1, 2, 4, 8


class Key(msgspec.Struct, frozen=True):
    key: str
    code: str
    key_code: int
    text: str = ""
    shifted: bool = False
    """Typed with Shift held."""
    location: int = 0
    """1 for the left one of two keys, 2 for the right one."""


MODIFIERS = {
    "Alt": (ALT, Key("Alt", "AltLeft", 18, location=1)),
    "Control": (CONTROL, Key("Control", "ControlLeft", 17, location=1)),
    "Meta": (META, Key("Meta", "MetaLeft", 91, location=1)),
    "Shift": (SHIFT, Key("Shift", "ShiftLeft", 16, location=1)),
}

_NAMED = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    "Backspace": (8, ""),
    "Delete": (46, ""),
    "Insert": (45, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "PageUp": (33, ""),
    "PageDown": (34, ""),
    "End": (35, ""),
    "Home": (36, ""),
    "ContextMenu": (93, ""),
    **{f"F{n}": (111 + n, "") for n in range(1, 13)},
}

_PUNCTUATION = {
    "Semicolon": (186, ";", ":"),
    "Equal": (187, "=", "+"),
    "Comma": (188, ",", "<"),
    "Minus": (189, "-", "_"),
    "Period": (190, ".", ">"),
    "Slash": (191, "/", "?"),
    "Backquote": (192, "`", "~"),
    "BracketLeft": (219, "[", "{"),
    "Backslash": (220, "\\", "|"),
    "BracketRight": (221, "]", "}"),
    "Quote": (222, "'", '"'),
}


def _characters() -> dict[str, Key]:
    keys = {" ": Key(" ", "Space", 32, " ")}
    for offset in range(26):
        small, capital = chr(97 + offset), chr(65 + offset)
        keys[small] = Key(small, f"Key{capital}", 65 + offset, small)
        keys[capital] = Key(capital, f"Key{capital}", 65 + offset, capital, shifted=True)
    for digit, sign in zip("0123456789", ")!@#$%^&*(", strict=True):
        keys[digit] = Key(digit, f"Digit{digit}", 48 + int(digit), digit)
        keys[sign] = Key(sign, f"Digit{digit}", 48 + int(digit), sign, shifted=True)
    for code, (number, plain, shifted) in _PUNCTUATION.items():
        keys[plain] = Key(plain, code, number, plain)
        keys[shifted] = Key(shifted, code, number, shifted, shifted=True)
    return keys


CHARACTERS = _characters()
"""The characters a key of the keyboard types."""

KEYS = {**{name: Key(name, name, code, text) for name, (code, text) in _NAMED.items()}, "Space": CHARACTERS[" "]}
"""The keys that have a name."""

_ALIASES = {"Ctrl": "Control", "Cmd": "Meta", "Command": "Meta", "Option": "Alt", "Esc": "Escape", "Return": "Enter"}


class UnknownKey(ValueError):
    """No key has that name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"no key is called {name!r}; use a character or one of {', '.join(KEYS)}, "
            "with Control+, Shift+, Alt+ or Meta+ before it where needed"
        )


def parse(shortcut: str) -> tuple[list[str], Key]:
    """`Control+Shift+K` as the names of its modifiers and the key. Raises UnknownKey."""
    *held, last = ["+"] if shortcut == "+" else shortcut.removesuffix("++").split("+") + ["+"] * shortcut.endswith("++")
    modifiers = [_ALIASES.get(name, name) for name in held]
    for name in modifiers:
        if name not in MODIFIERS:
            raise UnknownKey(name)
    last = _ALIASES.get(last, last)
    if last in MODIFIERS:
        return modifiers, MODIFIERS[last][1]
    key = KEYS.get(last) or CHARACTERS.get(last)
    if key is None:
        raise UnknownKey(last)
    if key.shifted and "Shift" not in modifiers and set(modifiers) and last.isalpha():
        key = CHARACTERS[last.lower()]  # Control+K is the key K, not Shift
    elif not key.shifted and "Shift" in modifiers:
        key = next((other for other in CHARACTERS.values() if other.code == key.code and other.shifted), key)
    return modifiers, key
