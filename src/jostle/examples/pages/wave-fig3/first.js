// Whatever the page needs first; the parser waits for it.
