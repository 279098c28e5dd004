"""
What must not be stored or shown of a text: secrets, and characters that a terminal would obey.

Secrets are known by their shape (keys of model providers, forges and clouds, private keys,
credentials in addresses and headers), or by the name that stands before them. Nothing here reads
anything: the same text always gives the same text.
"""

import re
import unicodedata
from collections.abc import Mapping

MARK = "…"
"""What stands in place of a secret."""

_SHAPES = re.compile(
    r"""
    (?: (?<![A-Za-z0-9]) | (?<=\\[nrt]) )(?:    # the latter: a line end, as JSON writes it
      (?P<kind> sk-ant- )[\w-]{8,}                                      # Anthropic
    | (?P<openai> sk-(?:proj-|svcacct-|admin-)? )(?=[\w-]{0,64}\d)[\w-]{16,} # OpenAI and its like
    | (?P<google> AIza )[\w-]{20,}                                      # Google
    | (?P<github> gh[pousr]_ )[A-Za-z0-9]{20,}                          # GitHub
    | (?P<grained> github_pat_ )\w{20,}
    | (?P<slack> xox[abprs]- )[\w-]{10,}                                # Slack
    | (?P<aws> A(?:KIA|SIA) )[A-Z0-9]{16}                               # Amazon
    | (?P<gitlab> glpat- )[\w-]{20,}                                    # GitLab
    | (?P<hub> hf_ | npm_ | gsk_ )[A-Za-z0-9]{30,}                      # Hugging Face, npm, Groq
    | (?P<pypi> pypi- )AgE[\w-]{20,}                                    # PyPI
    | (?P<stripe> [sr]k_live_ )[A-Za-z0-9]{16,}                         # Stripe
    | (?P<token> eyJ )[\w-]{8,500}\.eyJ[\w-]{8,}\.[\w-]*                   # JSON web tokens
    )
    """,
    re.VERBOSE | re.ASCII,
)
_PRIVATE = re.compile(
    r"(-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----)(?:(?!-----END )[\s\S])*?(-----END |\Z)"
)
_HEADER = re.compile(
    r"""
    \b( Bearer\ + | (?i:authorization)\\?['"]?\s*[:=]\s*\\?['"]?(?:[A-Za-z]+\ +)? )[^\s'"\\]{12,}
    | \b( Basic\ + )(?=[^\s'"\\]*[A-Z0-9=])[A-Za-z0-9+/]{12,}={0,2}
    """,
    re.VERBOSE | re.ASCII,
)
_ADDRESS = re.compile(
    r"([A-Za-z][A-Za-z0-9+.-]{1,15}://)(?:[^\s/@'\"\\:]*:[^\s/@'\"\\]+|[^\s/@'\"\\:]{16,})@"
)
_NAMED = re.compile(
    r"""
    ( (?: api[_-]?key | (?:access|private|secret)[_-](?:access[_-])?key
        | token | secret | password | passwd )
      \\?['"]?\ *[:=]\ *\\?['"]? ) [^\s'"\\…]{6,}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:^|[_-])(?:api[_-]?key|access[_-]?key|private[_-]?key|token|secret|password|passwd)$",
    re.IGNORECASE,
)
_LEAST_NAMED = 6

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_SPACE, _DELETE, _PICTURES = 0x20, 0x7F, 0x2400


def redact(text: str) -> str:
    """Returns a text with `…` in place of each secret, known by its shape or by its name."""
    return _NAMED.sub(rf"\1{MARK}", redact_keys(text))


def redact_keys(text: str) -> str:
    """
    Returns a text with `…` in place of each secret that is known by its own shape.

    For source code and logs in a format of their own: `token = parse(line)` stays as it is, and
    JSON stays JSON.
    """
    text = _PRIVATE.sub(rf"\1{MARK}\2", text)
    text = _SHAPES.sub(_kind, text)
    text = _HEADER.sub(lambda match: f"{match[1] or match[2]}{MARK}", text)
    return _ADDRESS.sub(rf"\1{MARK}@", text)


def shows_key(text: str) -> bool:
    """
    Tells whether a text holds a key that is known by its own shape.

    Headers and addresses are not looked at: in a config, what follows `Bearer` may be a variable.
    """
    return _SHAPES.search(text) is not None


def redact_within(value: object) -> object:
    """
    Returns JSON data with every text in it redacted, keys of objects too.

    A text that an object holds under the name of a secret (`password`, `api_key`, …) is one.
    """
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {_redacted_key(key): _under(key, each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [redact_within(each) for each in value]
    return value


def plain_text(text: str) -> str:
    """
    Returns text of several lines with nothing in it that a terminal would obey.

    Line ends and tabs stay; other control characters are shown as their pictures (`␛`), invisible
    ones, such as those that turn the writing direction, as U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(
        line if line.isprintable() else "".join(map(_in_line, line)) for line in lines
    )


def visible(character: str) -> str:
    """Returns a character that can be seen: itself, its picture, a space, or U+FFFD."""
    category = unicodedata.category(character)
    if category not in _HIDDEN:
        return " " if category == "Zs" else character
    code = ord(character)
    if code < _SPACE:
        return chr(_PICTURES + code)
    return "␡" if code == _DELETE else "\N{REPLACEMENT CHARACTER}"


def _in_line(character: str) -> str:
    return character if character == "\t" else visible(character)


def _kind(match: re.Match[str]) -> str:
    """Returns what tells the kind of a key, without the key."""
    return f"{match[match.lastgroup or 0]}{MARK}"


def _redacted_key(key: object) -> object:
    return redact(key) if isinstance(key, str) else key


def _under(key: object, value: object) -> object:
    secret = isinstance(key, str) and _NAME.search(key) is not None
    if secret and isinstance(value, str) and len(value) >= _LEAST_NAMED:
        return MARK
    return redact_within(value)
