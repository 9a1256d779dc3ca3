"""What to write into a form field: values that make sense there, and now and then values that do not.

What is known of a field comes from its page; what is wrong in it is taken as absent, as browsers do.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache

import msgspec

from jostle.events import Event, Field
from jostle.exploring.hints import account
from jostle.exploring.pattern import Pattern, Unsupported
from jostle.exploring.scales import Scale

_TODAY = date(2026, 3, 14)
"""Dates lie around this one: a value must not depend on the day the test is run."""

_LONG = 2000
_MOST = 10_000
_HOSTILE = (
    'O\'Brien "the quoted" \\ backslash',
    "<b>bold</b> & <i>co</i>",
    "'; -- /* */",
    "   ",
    "ünïcödé 漢字 🙂",
    "\u202eright to left",
    "{{7*7}} ${7*7} %s %d",
    "null",
    "-1",
    "999999999999999999999",
)


def value_for(field: Field, chance: random.Random, *, valid: bool = True) -> str:
    """A text for a field. Valid: one that a person might enter and the browser accepts, as far as that is possible.

    Not valid: one that breaks one of the field's constraints or, where it has none, one that careless code trips over.
    """
    return _valid(field, chance) if valid else _wrong(field, chance)


def accepts(field: Field, value: str) -> bool:
    """Whether the browser would let the value pass when the form is sent."""
    if value == "":
        return not field.required
    if scale := Scale.of(field):
        return scale.takes(value)
    kind = _kind(field)
    shortest, longest = _lengths(field)
    if not shortest <= _units(value) <= longest:
        return False
    if kind == "email" and not _EMAIL.fullmatch(value):
        return False
    if kind == "url" and not _URL.fullmatch(value):
        return False
    if kind == "color" and not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        return False
    pattern = _pattern(field)
    return pattern is None or pattern.fits(value)


def field_of(event: Event) -> Field | None:
    """The field an event writes a text into, with what it is called; None for other events."""
    action, field = event.action, event.action.field
    if not action.enters_text or field is None:
        return None
    if action.locator is None or field.label:
        return field
    return msgspec.structs.replace(field, label=action.locator.name)


def filled(event: Event, value: str) -> Event:
    """The same event writing another value."""
    entering = event.with_detail(value=value)
    return msgspec.structs.replace(entering, what=entering.action.entry)


def _kind(field: Field) -> str:
    return (field.type or "text").lower()


# Values that fit.


def _valid(field: Field, chance: random.Random) -> str:
    suggestions = [each for each in field.suggestions if 0 < len(each) <= _LONG and accepts(field, each)]
    if suggestions and chance.random() < 0.8:
        return chance.choice(suggestions)
    if (told := account(field.hint)) is not None and (part := _part_of(field)) is not None:
        return told[part]
    if scale := Scale.of(field):
        return scale.pick(chance, _usual(field))
    kind = _kind(field)
    if kind == "color":
        return f"#{chance.randrange(0x1000000):06x}"
    shortest, longest = _lengths(field)
    sensible = [_sensible(field, chance) for _ in range(3)]
    candidates = [_fitted(text, shortest, longest, kind) for text in sensible] + _SHORT.get(kind, [])
    pattern = _pattern(field)
    if pattern is not None and not any(accepts(field, text) for text in candidates):
        candidates = [pattern.example(chance, least=shortest, most=longest) or "" for _ in range(5)] + candidates
    return next((text for text in candidates if text and accepts(field, text)), candidates[-1])


def _part_of(field: Field) -> int | None:
    """Of a name and a password, which one belongs into the field of a log-in."""
    if _kind(field) == "password":
        return 1
    return 0 if _kind(field) in ("text", "email", "search") else None


def _fitted(text: str, shortest: int, longest: int, kind: str) -> str:
    """The text made longer or shorter."""
    if kind == "email":
        name, _, host = text.partition("@")
        name += "x" * max(0, shortest - len(text))
        host = host if len(name) + 1 + len(host) <= longest else "b.io"
        return f"{name[: max(1, longest - len(host) - 1)]}@{host}"
    if kind == "url":
        text = text if len(text) <= longest else "http://b.io"
        return text + "a" * max(0, shortest - len(text))
    while text and len(text) < shortest:
        text += text if text.isdigit() else f" {text}"
    return text[:longest].rstrip() if len(text[:longest].rstrip()) >= shortest else text[:longest]


_SHORT = {"email": ["a@b.io", "a1@b2.io"], "url": ["http://b.io", "http://b2.io/1", "a:b"]}

_FIRST_NAMES = ("Ada", "Grace", "Alan", "Edsger", "Barbara", "Tony", "Frances", "Donald")
_LAST_NAMES = ("Miller", "Garcia", "Novak", "Schmidt", "Rossi", "Tanaka", "Silva", "Larsen")
_CITIES = ("Springfield", "Lyon", "Turin", "Oslo", "Porto", "Graz")
_WORDS = ("milk", "bread", "tea", "paper", "garden", "window", "summer", "river", "lemon", "copper")


def _person(chance: random.Random) -> str:
    return f"{chance.choice(_FIRST_NAMES)} {chance.choice(_LAST_NAMES)}"


def _email(chance: random.Random) -> str:
    return f"{chance.choice(_FIRST_NAMES).lower()}.{chance.choice(_LAST_NAMES).lower()}@example.com"


def _url(chance: random.Random) -> str:
    return f"https://example.com/{chance.choice(_WORDS)}"


def _phone(chance: random.Random) -> str:
    return f"55501{chance.randrange(100):02}"


def _password(chance: random.Random) -> str:
    return "Passw0rd!"  # the same every time: what is asked for twice must be equal


def _sentence(chance: random.Random) -> str:
    return f"{' '.join(chance.choice(_WORDS) for _ in range(5))}.".capitalize()


def _lines(chance: random.Random) -> str:
    return "\n".join(f"{chance.randint(1, 9)} {word}" for word in chance.sample(_WORDS, 3))


def _title(chance: random.Random) -> str:
    return f"{chance.choice(_WORDS)} {chance.choice(_WORDS)}".capitalize()


def _word(chance: random.Random) -> str:
    return chance.choice(_WORDS)


def _one_of(*texts: str) -> Callable[[random.Random], str]:
    return lambda chance: chance.choice(texts)


def _number(low: int, high: int) -> Callable[[random.Random], str]:
    return lambda chance: str(chance.randint(low, high))


def _birthday(chance: random.Random) -> str:
    return f"19{chance.randint(50, 99)}-07-{chance.randint(10, 28)}"


def _street(chance: random.Random) -> str:
    return f"{chance.randint(1, 99)} {chance.choice(_WORDS).capitalize()} Street"


def _day(chance: random.Random) -> str:
    return (_TODAY + timedelta(days=chance.randint(-30, 30))).isoformat()


Maker = Callable[[random.Random], str]

_BY_TYPE: dict[str, Maker] = {"email": _email, "url": _url, "tel": _phone, "password": _password}

_BY_WORDS: tuple[tuple[re.Pattern[str], Maker], ...] = tuple(
    (re.compile(words, re.IGNORECASE), maker)
    for words, maker in (
        (r"e-?mail", _email),
        (r"pass(word|phrase|code)|passwort|mot de passe|contraseña", _password),
        (r"last[ _-]?(log[ _-]?in|seen|visit)", _day),
        (r"user ?name|login|nick|handle|benutzername", lambda chance: chance.choice(_FIRST_NAMES).lower()),
        (r"(first|given|fore)[ _-]?name|vorname|prénom", lambda chance: chance.choice(_FIRST_NAMES)),
        (r"(last|family|sur)[ _-]?name|nachname", lambda chance: chance.choice(_LAST_NAMES)),
        (r"\b(zip|postal|postcode|post code|plz)", _number(10000, 99999)),
        (r"phone|\btel\b|mobile|\bfax\b|telefon", _phone),
        (r"\b(cvc|cvv)\b", _number(100, 999)),
        (r"card.?number|cc-number|credit card", _one_of("4242424242424242")),
        (r"web ?site|homepage|\burl\b|\blink\b", _url),
        (r"\b(birth|dob|geburt)|birthday|\bbday", _birthday),
        (r"\btime\b|uhrzeit", lambda chance: f"{chance.randint(8, 18):02}:30"),
        (r"\bdate\b|datum|\bday\b|deadline|due", _day),
        (r"\byear\b|jahr", _number(2000, 2030)),
        (r"\bage\b|alter\b", _number(18, 80)),
        (r"quantity|\bqty\b|amount|count|number of|servings|menge|anzahl|\bhow many", _number(1, 9)),
        (r"price|cost|total|preis|\bfee\b", lambda chance: f"{chance.randint(1, 99)}.{chance.randrange(100):02}"),
        (r"percent|%", _number(0, 100)),
        (r"street|address|strasse|straße", _street),
        (r"city|town|\bort\b|stadt|ville|ciudad", lambda chance: chance.choice(_CITIES)),
        (r"country|land\b|pays\b", _one_of("Norway", "France", "Italy", "Portugal")),
        (r"state|province|region|bundesland", _one_of("Oregon", "Tyrol", "Jura")),
        (r"company|organi[sz]ation|firma", _one_of("Example Ltd", "Sample & Sons")),
        (r"colou?r|farbe", _one_of("#336699", "#cc0000")),
        (r"comment|message|description|notes?\b|\btext\b|review|bio\b|feedback|instructions|kommentar", _sentence),
        (r"title|subject|headline|titel|betreff", _title),
        (r"search|query|\bfind\b|filter|suche", _word),
        (r"\bname\b|author", _person),
    )
)  # fmt: skip


_BY_LINE = re.compile(r"\b(one|each|1)( \w+)? (a|per|in a|on a|on its own)( new)? line|\bper line", re.IGNORECASE)
"""What an author writes beside a field for several things."""


def _sensible(field: Field, chance: random.Random) -> str:
    """By type, then by what the page's author calls the field; length and pattern are not looked at."""
    kind = _kind(field)
    if maker := _BY_TYPE.get(kind):
        return maker(chance)
    if kind == "textarea" and any(map(_BY_LINE.search, (field.label, field.placeholder))):
        return _lines(chance)
    for words in (field.autocomplete, field.name, field.label, field.placeholder):
        told = re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", words)
        for pattern, make in _BY_WORDS if told else ():
            if pattern.search(told) or pattern.search(words):
                return make(chance)
    if field.inputmode in ("numeric", "decimal"):
        return str(chance.randint(1, 99))
    if field.inputmode in _BY_TYPE:
        return _BY_TYPE[field.inputmode](chance)
    if kind == "textarea":
        return _sentence(chance)
    return _word(chance)


_USUAL_NUMBERS = (
    (r"\byear|jahr", ("2000", "2030")),
    (r"\bage\b", ("18", "80")),
    (r"price|cost|total|preis", ("1", "100")),
    (r"minute", ("1", "60")),
    (r"percent|%", ("0", "100")),
    (r"zip|postal|postcode|plz", ("10000", "99999")),
)


def _usual(field: Field) -> tuple[str, str] | None:
    """Between which values of its scale a person would choose, by what the field is called."""
    told = " ".join((field.autocomplete, field.name, field.label, field.placeholder)).lower()
    if _kind(field) in ("number", "range"):
        return next((bounds for words, bounds in _USUAL_NUMBERS if re.search(words, told)), None)
    if _kind(field) == "date" and re.search(r"birth|dob|bday|geburt", told):
        return ("1950-01-01", "2005-12-31")
    return None


# Values that do not fit.


def _wrong(field: Field, chance: random.Random) -> str:
    wrongs = [text for text in _wrongs(field, chance) if not accepts(field, text)]
    scale = Scale.of(field)
    if scale and not wrongs:
        return scale.extreme(chance)
    if wrongs and (scale or _kind(field) == "color" or chance.random() < 0.8):
        return chance.choice(wrongs)
    careless = (*_HOSTILE, "long " * (_LONG // 5))
    return chance.choice([text for text in careless if not wrongs or not accepts(field, text)] or wrongs)


def _wrongs(field: Field, chance: random.Random) -> list[str]:
    """Candidates, some of which may fit after all."""
    if scale := Scale.of(field):
        return ["", *scale.outside()]
    kind = _kind(field)
    shortest, longest = _lengths(field)
    wrongs = [""]
    if longest < _LONG:
        wrongs.append(_fitted(_sensible(field, chance), longest + 1, longest + 1, "text"))
    if shortest > 1:
        wrongs.append(_fitted(_sensible(field, chance), 1, shortest - 1, "text"))
    if kind == "email":
        wrongs += ["user@", "user example.com", "@example.com", "a@b@c"]
    if kind == "url":
        wrongs += ["example", "http://", "://"]
    if kind == "color":
        wrongs += ["blue", "#12345"]
    if _pattern(field) is not None:
        wrongs += [_sensible(field, chance), "?", "x" * max(shortest, 1), "0" * max(shortest, 1), _HOSTILE[1]]
    return wrongs


# Lengths and patterns.


def _lengths(field: Field) -> tuple[int, int]:
    """What nobody would type is not typed: of a field that asks for more than `_MOST`, so much."""
    shortest, longest = _whole(field.minlength), _whole(field.maxlength)
    return min(shortest or 0, _MOST), 10**9 if longest is None else longest


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def _units(text: str) -> int:
    """The length as JavaScript counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _pattern(field: Field) -> Pattern | None:
    return _compiled(field.pattern) if field.pattern and _kind(field) in _PATTERNED else None


@lru_cache(maxsize=256)
def _compiled(source: str) -> Pattern | None:
    try:
        return Pattern(source)
    except Unsupported:
        return None


_PATTERNED = frozenset({"text", "search", "url", "tel", "email", "password"})
_HOST_LABEL = r"[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?"
_EMAIL = re.compile(rf"[\w.!#$%&'*+/=?^`{{|}}~-]+@{_HOST_LABEL}(?:\.{_HOST_LABEL})*", re.ASCII | re.IGNORECASE)
_URL = re.compile(
    r"(?:https?|ftp|wss?):[/\\]*[^\s/\\?#:@<>^|%\[\]]\S*|(?!(?:https?|ftp|wss?):)[a-z][a-z\d+.-]*:\S*",
    re.ASCII | re.IGNORECASE,
)
