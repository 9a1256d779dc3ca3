"""Which parts of a request change from run to run although it is the same request.

A parameter is volatile by its name or by its value. Names are compared in small letters without punctuation
(`X-CSRF-Token`, `csrf_token` and `csrfToken` are one name).

| rule            | names or values                                    | examples                      |
|-----------------|----------------------------------------------------|-------------------------------|
| cache buster    | `_`, `cb`, `nocache`, `ts`, `timestamp`, `rnd` ... | `_=1699999999999`, `cb=7`     |
| number where a  | `t`, `v`, `r`, `ver`, `time` ... with six or more  | `v=20231115`, `t=1234.5`; but |
| buster is usual | digits, or with a decimal fraction                 | `t=2`, `v=1.2.3` are ordinary |
| bare buster     | a name without value that is a time or random      | `style.css?1699999999`        |
| token           | `csrf`, `xsrf`, `token`, `nonce`, `signature` ...  | `authenticity_token=...`      |
| time            | seconds, ms or µs since 1970; ISO date with a time | `at=1699999999`               |
|                 | of day other than 00:00; also ms within a text     | `f=jQuery36_1699999999999`    |
| random number   | `0.` and six or more digits                        | `r=0.7271638`                 |
| UUID            | 8-4-4-4-12 hexadecimal digits                      |                               |
| hexadecimal id  | 16 or more hexadecimal digits, letters among them  | `id=9f86d081884c7d65`         |
| signed token    | `eyJ...` in three parts (JWT)                      |                               |
| random text     | 9 or more letters and digits wildly mixed          | `k3j9x0q2m1z`                 |

Tokens for paging (`pageToken`, `cursor` ...) are ordinary: they say what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_PUNCTUATION = re.compile(r"[^a-z0-9]+")
_BUSTERS = frozenset(
    [
        "cb",
        "cachebuster",
        "cachebust",
        "cachekey",
        "bust",
        "buster",
        "nocache",
        "dc",
        "ts",
        "timestamp",
        "rnd",
        "rand",
        "random",
        "rnum",
        "antifreeze",
        "cachebreaker",
        "requestid",
        "xrequestid",
        "reqid",
        "traceid",
        "traceparent",
        "correlationid",
        "clientmutationid",
    ]
)
_BUSTERS_WHEN_NUMBERS = frozenset(("t", "v", "r", "ver", "version", "rev", "time", "now", "tm"))
_TOKEN = re.compile(
    r"csrf|xsrf|token|nonce|sessionid|^session$|sessid|^sid$|signature|^sig$|hmac|viewstate|eventvalidation"
)
_PAGING = re.compile(
    r"(page|next|prev|previous|continuation|sync|cursor|resume)(page)?token|^tokens?(type|count|limit)$|maxtokens"
)

_TIME = re.compile(r"[12]\d{9}(?:\d{3}){0,2}(?:\.\d+)?")
_ISO_TIME = re.compile(r"\d{4}-?\d\d-?\d\d[T ]\d\d:?\d\d(?::?\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_MIDNIGHT = re.compile(r".{8,10}[T ]00:?00(?::?00(?:\.0+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_RANDOM_NUMBER = re.compile(r"0?\.\d{6,}")
_UUID = re.compile(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?")
_HEX = re.compile(r"(?=.*[0-9])(?=.*[a-fA-F])[0-9a-fA-F]{16,}")
_JWT = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]*")
_TIME_WITHIN = re.compile(r"\S*(?<!\d)[12]\d{12}(?!\d)\S*")
_MIXED = re.compile(r"[A-Za-z0-9]{9,}")
_OPAQUE = re.compile(r"[A-Za-z0-9_+/=-]{24,}")
_SWITCH = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])")
_WORD = re.compile(r"[a-z]{5,}|[A-Z]{5,}|[A-Z][a-z]{4,}")
_NUMBER = re.compile(r"\d{6,}|\d+\.\d+")


def plain_name(name: str) -> str:
    """A name of a parameter, field or header in small letters without punctuation."""
    return _PUNCTUATION.sub("", name.lower())


def volatile_value(value: str) -> str | None:
    """What the value looks like when it would differ in another run (`a time`, `a UUID` ...), or None."""
    if not 7 <= len(value) <= 4096:
        return None
    if _TIME.fullmatch(value) or (_ISO_TIME.fullmatch(value) and not _MIDNIGHT.fullmatch(value)):
        return "a time"
    if len(value) <= 80 and _TIME_WITHIN.fullmatch(value):
        return "a text with a time in it"
    if _RANDOM_NUMBER.fullmatch(value):
        return "a random number"
    if _UUID.fullmatch(value):
        return "a UUID"
    if _HEX.fullmatch(value):
        return "a hexadecimal id"
    if _JWT.fullmatch(value):
        return "a signed token"
    if _MIXED.fullmatch(value) and len(_SWITCH.findall(value)) >= 3 and not _WORD.search(value):
        return "random text"
    if _OPAQUE.fullmatch(value) and len(_SWITCH.findall(value)) >= 5:
        return "random text"
    return None


def is_buster(name: str, value: str, ignored: Collection[str] = ()) -> bool:
    """Is the parameter there only to defeat caches, or ignored by the user? Then even its presence means nothing."""
    plain = plain_name(name)
    if plain in _BUSTERS or not plain or (ignored and (name in ignored or plain in {plain_name(i) for i in ignored})):
        return True
    if plain in _BUSTERS_WHEN_NUMBERS and _NUMBER.fullmatch(value):
        return True
    return not value and volatile_value(name) is not None


def volatility(name: str, value: str, ignored: Collection[str] = ()) -> str | None:
    """Why the parameter may differ in another run of the same request, in words; None when it is ordinary."""
    if is_buster(name, value, ignored):
        return "a cache buster" if not ignored or is_buster(name, value) else "ignored by the configuration"
    plain = plain_name(name)
    if value and _TOKEN.search(plain) and not _PAGING.search(plain):
        return "a token"
    return volatile_value(value)
