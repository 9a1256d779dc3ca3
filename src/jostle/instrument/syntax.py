"""Reading JavaScript: the adapter around the parser.

A parsed script is five flat lists, in the order in which the source begins its parts (parents before children). All of
the engine works on these lists; another parser only has to fill them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import tree_sitter
import tree_sitter_javascript

# Kinds of nodes. 0 is punctuation and comments: left out.
(
    OTHER, PROGRAM, IDENTIFIER, SHORTHAND, SHORTHAND_PATTERN, PROPERTY, PRIVATE, MEMBER, SUBSCRIPT, CALL, NEW,
    ARGUMENTS, ASSIGNMENT, AUGMENTED, UPDATE, UNARY, PARENTHESIZED, SEQUENCE, FUNCTION_DECLARATION,
    FUNCTION_EXPRESSION, ARROW, METHOD, CLASS_DECLARATION, CLASS, FIELD, STATIC_BLOCK, BLOCK, SWITCH_BODY, FOR,
    FOR_IN, CATCH, VAR_DECLARATION, LEXICAL_DECLARATION, DECLARATOR, OBJECT_PATTERN, ARRAY_PATTERN,
    ASSIGNMENT_PATTERN, OBJECT_ASSIGNMENT_PATTERN, PAIR_PATTERN, REST_PATTERN, PARAMETERS, IMPORT_CLAUSE,
    NAMESPACE_IMPORT, IMPORT_SPECIFIER, EXPORT_SPECIFIER, EXPRESSION_STATEMENT, STRING, NUMBER, TEMPLATE, REGEX,
    ARRAY, OBJECT, THIS, SUPER, META, OPTIONAL, WITH, AWAIT, LITERAL, HASHBANG, VAR_TOKEN, CONST_TOKEN, ASYNC_TOKEN,
    STAR_TOKEN, DELETE_TOKEN, TYPEOF_TOKEN, LOGICAL_TOKEN, SPREAD, LET_TOKEN,
) = range(1, 70)  # fmt: skip

KINDS: Final = 70

_NAMED = {
    "program": PROGRAM, "identifier": IDENTIFIER, "shorthand_property_identifier": SHORTHAND,
    "shorthand_property_identifier_pattern": SHORTHAND_PATTERN, "property_identifier": PROPERTY,
    "private_property_identifier": PRIVATE, "member_expression": MEMBER, "subscript_expression": SUBSCRIPT,
    "call_expression": CALL, "new_expression": NEW, "arguments": ARGUMENTS, "assignment_expression": ASSIGNMENT,
    "augmented_assignment_expression": AUGMENTED, "update_expression": UPDATE, "unary_expression": UNARY,
    "parenthesized_expression": PARENTHESIZED, "sequence_expression": SEQUENCE,
    "function_declaration": FUNCTION_DECLARATION, "generator_function_declaration": FUNCTION_DECLARATION,
    "function_expression": FUNCTION_EXPRESSION, "generator_function": FUNCTION_EXPRESSION, "arrow_function": ARROW,
    "method_definition": METHOD, "class_declaration": CLASS_DECLARATION, "class": CLASS, "field_definition": FIELD,
    "class_static_block": STATIC_BLOCK, "statement_block": BLOCK, "switch_body": SWITCH_BODY, "for_statement": FOR,
    "for_in_statement": FOR_IN, "catch_clause": CATCH, "variable_declaration": VAR_DECLARATION,
    "lexical_declaration": LEXICAL_DECLARATION, "using_declaration": LEXICAL_DECLARATION,
    "variable_declarator": DECLARATOR, "object_pattern": OBJECT_PATTERN, "array_pattern": ARRAY_PATTERN,
    "assignment_pattern": ASSIGNMENT_PATTERN, "object_assignment_pattern": OBJECT_ASSIGNMENT_PATTERN,
    "pair_pattern": PAIR_PATTERN, "rest_pattern": REST_PATTERN, "formal_parameters": PARAMETERS,
    "import_clause": IMPORT_CLAUSE, "namespace_import": NAMESPACE_IMPORT, "import_specifier": IMPORT_SPECIFIER,
    "export_specifier": EXPORT_SPECIFIER, "namespace_export": EXPORT_SPECIFIER,
    "expression_statement": EXPRESSION_STATEMENT, "string": STRING, "number": NUMBER, "template_string": TEMPLATE,
    "regex": REGEX, "array": ARRAY, "object": OBJECT, "this": THIS, "super": SUPER, "meta_property": META,
    "optional_chain": OPTIONAL, "with_statement": WITH, "await_expression": AWAIT, "true": LITERAL, "false": LITERAL,
    "null": LITERAL, "undefined": LITERAL, "hash_bang_line": HASHBANG, "spread_element": SPREAD,
    "comment": 0, "html_comment": 0,
}  # fmt: skip

_TOKENS = {
    "var": VAR_TOKEN, "let": LET_TOKEN, "const": CONST_TOKEN, "using": CONST_TOKEN, "async": ASYNC_TOKEN,
    "*": STAR_TOKEN, "delete": DELETE_TOKEN, "typeof": TYPEOF_TOKEN, "||=": LOGICAL_TOKEN, "&&=": LOGICAL_TOKEN,
    "??=": LOGICAL_TOKEN, "await": AWAIT, "?.": OPTIONAL,
}  # fmt: skip

_LEAVES = {
    IDENTIFIER, SHORTHAND, SHORTHAND_PATTERN, PROPERTY, PRIVATE, STRING, NUMBER, REGEX, THIS, SUPER, META, OPTIONAL,
    LITERAL, HASHBANG, VAR_TOKEN, LET_TOKEN, CONST_TOKEN, ASYNC_TOKEN, STAR_TOKEN, DELETE_TOKEN, TYPEOF_TOKEN,
    LOGICAL_TOKEN,
}  # fmt: skip

# What a child is to its parent, where that matters. 0: anything else.
NAME, VALUE, LEFT, RIGHT, FUNCTION, OBJECT_OF, BODY, PARAMETER, KEY, ALIAS, CONSTRUCTOR = range(1, 12)

_FIELDS = {
    "name": NAME, "value": VALUE, "left": LEFT, "right": RIGHT, "function": FUNCTION, "object": OBJECT_OF,
    "body": BODY, "parameter": PARAMETER, "key": KEY, "alias": ALIAS, "constructor": CONSTRUCTOR,
}  # fmt: skip


class NotParsed(Exception):
    """The source is not JavaScript as the parser knows it: where, and what stands there."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class Syntax:
    """A parsed script.

    `first(i)` is always `i + 1`. Offsets count characters of the source as Python does.
    """

    __slots__ = ("ends", "fields", "kinds", "last", "optional", "parents", "source", "starts")

    def __init__(self, source: str) -> None:
        """Raises NotParsed."""
        self.source = source
        self.kinds: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.parents: list[int] = []
        self.fields: list[int] = []
        self.last: list[int] = []
        """The last child of a node; the node itself when it has none."""
        self.optional: set[int] = set()
        """Members, subscripts and calls with `?.` of their own."""
        self._fill()

    def _fill(self) -> None:
        language, kind_of, enters, field_of = _grammar()
        parser = tree_sitter.Parser(language)
        plain, awaits = _plain(self.source)
        tree = parser.parse(plain)
        if tree.root_node.has_error:
            trouble = _trouble(tree.root_node)
            tree = parser.parse(_forgiven(plain))
            if tree.root_node.has_error:
                raise NotParsed(trouble)
        kinds, starts, ends, parents, fields, last = (
            self.kinds, self.starts, self.ends, self.parents, self.fields, self.last,
        )  # fmt: skip
        cursor = tree.walk()
        down, along, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        above: list[int] = []
        parent = index = -1
        while True:
            node = cursor.node
            assert node is not None
            kind = kind_of[node.kind_id]
            if kind:
                if kind == UNARY and node.start_byte in awaits:
                    kind = AWAIT
                index += 1
                kinds.append(kind)
                starts.append(node.start_byte)
                ends.append(node.end_byte)
                parents.append(parent)
                fields.append(field_of[cursor.field_id or 0])
                last.append(index)
                if parent >= 0:
                    last[parent] = index
                if enters[kind] and down():
                    above.append(parent)
                    parent = index
                    continue
                if kind == OPTIONAL:
                    self.optional.add(parent)
            while not along():
                if not up():
                    return
                parent = above.pop()
                if not above:
                    # The program begins with its first token; what stands before belongs to it too.
                    starts[0], ends[0] = 0, len(self.source)
                    return

    def text(self, node: int) -> str:
        return self.source[self.starts[node] : self.ends[node]]

    def bare(self, node: int) -> int:
        """The node inside its parentheses."""
        kinds = self.kinds
        while kinds[node] == PARENTHESIZED:
            node += 1
        return node

    def place(self, node: int) -> tuple[int, int]:
        """Its parent, and what it is to it; parentheses do not count."""
        parents, kinds = self.parents, self.kinds
        parent = parents[node]
        while kinds[parent] == PARENTHESIZED:
            node, parent = parent, parents[parent]
        return parent, self.fields[node]


@cache
def _grammar() -> tuple[tree_sitter.Language, list[int], list[bool], list[int]]:
    language = tree_sitter.Language(tree_sitter_javascript.language())
    kinds = []
    for number in range(language.node_kind_count):
        name = language.node_kind_for_id(number) or ""
        named = language.node_kind_is_named(number)
        kinds.append(_NAMED.get(name, OTHER) if named else _TOKENS.get(name, 0))
    fields = [0] + [
        _FIELDS.get(language.field_name_for_id(number) or "", 0) for number in range(1, language.field_count + 1)
    ]
    return language, kinds, [kind not in _LEAVES for kind in range(KINDS)], fields


# Lines of their own that browsers take for comments and the parser does not.
_HTML_COMMENT = re.compile(rb"^[ \t]*(?:<!--|-->).*$", re.MULTILINE)
# A declaration without a name needs no semicolon behind it, whatever the parser thinks.
_DEFAULT = re.compile(rb"\bexport\s+default\s+((?:async\s+)?function\s*\*?|class)(?=\s*(?:[({]|extends\b))")
# A template with a tag may hold what is no escape elsewhere.
_NO_ESCAPE = re.compile(rb"\\(?:u(?![0-9a-fA-F]{4}|\{[0-9a-fA-F]+\})|x(?![0-9a-fA-F]{2}))")
# Any word can be the name of an export.
_CLAUSE = re.compile(rb"\b(?:export|import)\s*\{[^{}]*\}")
_RESERVED = re.compile(
    rb"(?<![\w$])(?:break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally"
    rb"|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|undefined|var|void"
    rb"|while|with)(?=\s*[,}]|\s+as\b)"
)
_AWAIT = re.compile(rb"(\bfor\s+)?(?<![\w$.#])await(?=\s*[(\[`])")
_TOP_LEVEL_AWAIT = re.compile(rb"\b(?:import|export)\b")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_SPACES = frozenset("\u00a0\ufeff\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))


def _plain(source: str) -> tuple[bytes, set[int]]:
    """The same syntax in as many bytes as the source has characters: offsets in one are offsets in the other.

    And where `await` became `void`: the parser takes `await(a).b` for a call, and `void` binds as `await` does.
    """
    if not source.isascii():
        source = _FOREIGN.sub(lambda found: " " if found[0] in _SPACES else "_", source)
    plain = source.encode("ascii")
    awaits: set[int] = set()

    def void(found: re.Match[bytes]) -> bytes:
        if found[1]:
            return found[0]  # `for await (`
        awaits.add(found.start())
        return b"void "

    if b"async" in plain or _TOP_LEVEL_AWAIT.search(plain):
        plain = _AWAIT.sub(void, plain)
    # `a?.5:1` is a condition and a number; the parser takes `?.` for an optional chain.
    return re.sub(rb"\?\.(?=[0-9])", b"?0", plain), awaits


def _forgiven(plain: bytes) -> bytes:
    """The same without what browsers understand and the parser does not."""
    plain = _HTML_COMMENT.sub(lambda found: b" " * len(found[0]), plain)
    plain = _NO_ESCAPE.sub(b"__", plain)
    plain = _CLAUSE.sub(lambda found: _RESERVED.sub(lambda word: b"_" * len(word[0]), found[0]), plain)
    return _DEFAULT.sub(lambda found: (found[1] + b" ").ljust(len(found[0]), b"_"), plain)


def _trouble(root: tree_sitter.Node) -> int:
    """Where the first error begins, going down only where there is one."""
    node = root
    while True:
        if node.is_error or node.is_missing:
            return node.start_byte
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            return node.start_byte
        node = inner
