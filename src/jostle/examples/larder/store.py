"""What Larder remembers: an SQLite database in a file that goes away with the store."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import msgspec

TODAY = "1 June 2024"
"""The date of everything written while the application runs."""

_SCHEMA = """
CREATE TABLE users (
    name TEXT PRIMARY KEY, password TEXT NOT NULL, display TEXT NOT NULL, city TEXT NOT NULL, bio TEXT NOT NULL
);
CREATE TABLE sessions (number INTEGER PRIMARY KEY, token TEXT UNIQUE, user TEXT NOT NULL REFERENCES users);
CREATE TABLE recipes (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, category TEXT NOT NULL, minutes INTEGER NOT NULL,
    serves INTEGER NOT NULL, author TEXT NOT NULL REFERENCES users, likes INTEGER NOT NULL DEFAULT 0,
    summary TEXT NOT NULL, ingredients TEXT NOT NULL, steps TEXT NOT NULL
);
CREATE TABLE comments (
    id INTEGER PRIMARY KEY, recipe INTEGER NOT NULL REFERENCES recipes ON DELETE CASCADE,
    author TEXT NOT NULL, date TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE favourites (
    user TEXT NOT NULL REFERENCES users, recipe INTEGER NOT NULL REFERENCES recipes ON DELETE CASCADE,
    PRIMARY KEY (user, recipe)
);
"""

CATEGORIES = ("Breads", "Mains", "Salads", "Soups", "Sweets")
PER_PAGE = 8
_COMMENTS_PER_PAGE = 5
_HITS = 6

Row = dict[str, Any]


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A recipe as written in the form."""

    title: str
    category: str
    minutes: int
    serves: int
    summary: str
    ingredients: tuple[str, ...]
    steps: tuple[str, ...]


class Store:
    """The database. Each method is one short transaction; call them from one thread at a time."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="jostle-larder-")
        self._database = sqlite3.connect(
            Path(self._folder.name) / "larder.sqlite", check_same_thread=False, isolation_level=None
        )
        self._database.row_factory = sqlite3.Row
        self._database.execute("PRAGMA foreign_keys = ON")
        self._database.execute("PRAGMA synchronous = OFF")  # the file does not outlive the process anyway
        self.reset()

    def close(self) -> None:
        self._database.close()
        self._folder.cleanup()

    def reset(self) -> None:
        """Back to the seed: everything written since is gone, and everybody is logged out."""
        seed = msgspec.json.decode((Path(__file__).parent / "seed.json").read_bytes())
        tables = ("favourites", "comments", "recipes", "sessions", "users")
        self._database.executescript("".join(f"DROP TABLE IF EXISTS {table};" for table in tables) + _SCHEMA)
        self._database.execute("BEGIN")
        for table in reversed(tables):
            for entry in seed.get(table, []):
                row = {name: "\n".join(value) if isinstance(value, list) else value for name, value in entry.items()}
                marks = ", ".join(f":{name}" for name in row)
                self._database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", row)  # noqa: S608
        self._database.execute("COMMIT")

    def _rows(self, query: str, *values: object) -> list[Row]:
        return [dict(row) for row in self._database.execute(query, values)]

    def _row(self, query: str, *values: object) -> Row | None:
        return next(iter(self._rows(query, *values)), None)

    # People

    def log_in(self, name: str, password: str) -> str | None:
        """A new session for the user, or None if name and password do not match."""
        if not self._row("SELECT 1 FROM users WHERE name = ? AND password = ?", name, password):
            return None
        number = self._database.execute("INSERT INTO sessions (user) VALUES (?)", (name,)).lastrowid
        # A real application would draw this at random; here the same steps must give the same answers.
        token = hashlib.sha256(f"larder {number}".encode()).hexdigest()[:24]
        self._database.execute("UPDATE sessions SET token = ? WHERE number = ?", (token, number))
        return token

    def log_out(self, token: str) -> None:
        self._database.execute("UPDATE sessions SET token = NULL WHERE token = ?", (token,))

    def user(self, token: str) -> Row | None:
        return self._row(
            "SELECT name, display, city, bio FROM users JOIN sessions ON user = name WHERE token = ?", token
        )

    def change_profile(self, name: str, display: str, city: str, bio: str) -> None:
        self._database.execute(
            "UPDATE users SET display = ?, city = ?, bio = ? WHERE name = ?", (display, city, bio, name)
        )

    # Recipes

    def recipes(self, page: int = 1, category: str | None = None) -> tuple[list[Row], bool]:
        """One page of the list, newest first, and whether there are more."""
        found = self._rows(
            "SELECT id, title, category, minutes, summary, likes FROM recipes "
            "WHERE ?1 IS NULL OR category = ?1 ORDER BY id DESC LIMIT ?2 OFFSET ?3",
            category,
            PER_PAGE + 1,
            (page - 1) * PER_PAGE,
        )
        return found[:PER_PAGE], len(found) > PER_PAGE

    def search(self, query: str) -> list[Row]:
        """Recipes with the words in their title or ingredients; those with a matching title first."""
        pattern = "%" + query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        return self._rows(
            "SELECT id, title, category, minutes FROM recipes "
            "WHERE title LIKE ?1 ESCAPE '\\' OR ingredients LIKE ?1 ESCAPE '\\' "
            "ORDER BY title LIKE ?1 ESCAPE '\\' DESC, title LIMIT ?2",
            pattern,
            _HITS,
        )

    def recipe(self, number: int) -> Row | None:
        found = self._row("SELECT * FROM recipes WHERE id = ?", number)
        if found:
            for field in ("ingredients", "steps"):
                found[field] = found[field].splitlines()
        return found

    def add_recipe(self, draft: Draft, author: str) -> int:
        number = self._database.execute(
            "INSERT INTO recipes (title, category, minutes, serves, summary, ingredients, steps, author) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*_columns(draft), author),
        ).lastrowid
        assert number is not None
        return number

    def change_recipe(self, number: int, draft: Draft) -> None:
        self._database.execute(
            "UPDATE recipes SET title = ?, category = ?, minutes = ?, serves = ?, summary = ?, ingredients = ?, "
            "steps = ? WHERE id = ?",
            (*_columns(draft), number),
        )

    def delete_recipe(self, number: int) -> None:
        self._database.execute("DELETE FROM recipes WHERE id = ?", (number,))

    def like(self, number: int) -> int | None:
        """One more like; the new count, or None when there is no such recipe."""
        row = self._row("UPDATE recipes SET likes = likes + 1 WHERE id = ? RETURNING likes", number)
        return row["likes"] if row else None

    # Comments

    def comments(self, recipe: int, before: int | None = None) -> tuple[list[Row], bool]:
        """The newest comments (or the newest before the one numbered so), oldest first, and whether there are older."""
        found = self._rows(
            "SELECT * FROM (SELECT *, row_number() OVER (ORDER BY id) AS number FROM comments WHERE recipe = ?1) "
            "WHERE ?2 IS NULL OR number < ?2 ORDER BY number DESC LIMIT ?3",
            recipe,
            before,
            _COMMENTS_PER_PAGE + 1,
        )
        return found[:_COMMENTS_PER_PAGE][::-1], len(found) > _COMMENTS_PER_PAGE

    def add_comment(self, recipe: int, author: str, text: str) -> Row:
        self._database.execute(
            "INSERT INTO comments (recipe, author, date, text) VALUES (?, ?, ?, ?)", (recipe, author, TODAY, text)
        )
        return self.comments(recipe)[0][-1]

    # Favourites

    def favourites(self, user: str) -> list[Row]:
        return self._rows(
            "SELECT id, title, category, minutes, summary, likes FROM recipes JOIN favourites ON recipe = id "
            "WHERE user = ? ORDER BY title",
            user,
        )

    def favourite(self, user: str | None, recipe: int) -> tuple[bool, int]:
        """Whether it is a favourite of the user, and of how many people it is one."""
        rows = self._rows("SELECT user FROM favourites WHERE recipe = ?", recipe)
        return any(row["user"] == user for row in rows), len(rows)

    def set_favourite(self, user: str, recipe: int, wanted: bool) -> None:
        if wanted:
            self._database.execute("INSERT OR IGNORE INTO favourites VALUES (?, ?)", (user, recipe))
        else:
            self._database.execute("DELETE FROM favourites WHERE user = ? AND recipe = ?", (user, recipe))


def _columns(draft: Draft) -> tuple[object, ...]:
    lists = ("\n".join(draft.ingredients), "\n".join(draft.steps))
    return (draft.title, draft.category, draft.minutes, draft.serves, draft.summary, *lists)
