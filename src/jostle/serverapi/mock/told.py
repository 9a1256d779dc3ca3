"""What a mock tells of its responses in headers, and what it can be told."""

from jostle.browser.http import UNKNOWN_TO_MOCK

OUTSIDE = "X-Jostle-Outside-Contract"
"""The response lies outside of the description; what is wrong with it."""
UNKNOWN = UNKNOWN_TO_MOCK
"""Nothing was known for the request."""
STANDS_IN = "X-Jostle-Stands-In"
"""The address of the file that was recorded, where it is that of a page like the one that was asked for."""
RESET = "/.jostle/reset"
"""A POST there forgets everything that was created and removed."""
