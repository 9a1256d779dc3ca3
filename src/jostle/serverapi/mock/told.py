"""What a mock tells of its responses in headers, and what it can be told."""

from jostle.browser.http import UNKNOWN_TO_MOCK

OUTSIDE = "X-Jostle-Outside-Contract"
"""The response lies outside of the description; what is wrong with it."""
UNKNOWN = UNKNOWN_TO_MOCK
"""Nothing was known for the request."""
STANDS_IN = "X-Jostle-Stands-In"
"""The address of the file that was recorded, where it is that of a page like the one that was asked for."""
CHOICES = "/.jostle/choices"
"""A GET tells how many of the options that schemas leave were shown."""
HELD = "/.jostle/held"
"""A GET tells which responses wait to be released."""
RELEASE = "/.jostle/release"
"""A POST lets the response `?number=` go, or all of them."""
RESET = "/.jostle/reset"
"""A POST there forgets everything that was created and removed."""
