# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A reader for the YAML that scenes use and a validator for the JSON Schema that scree prints.

    parse(text)                 maps, lists and scalars: block and flow style, comments, quotes
    violations(schema, value)   list of what the value breaks, empty if it is valid

Both know only what they need and refuse the rest, so that a schema with a keyword that is not
checked here is a failure and not a silent pass.
"""

import re

KEYWORDS = {"$schema", "$id", "title", "description", "default", "type", "enum", "const", "anyOf",
            "oneOf", "allOf", "not", "required", "properties", "additionalProperties", "items",
            "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
            "pattern", "minLength", "propertyNames", "examples", "$defs", "$ref", "minProperties"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


# ---- YAML ----


def scalar(text):
    """A plain or quoted scalar with YAML's types."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    if text in ("", "~", "null"):
        return None
    if re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text):
        return float(text)
    return text


def opens_quote(text, i):
    """Does a quote begin here? Inside a word it is a letter: the velocity x', Kane's."""
    return text[i] in "'\"" and (i == 0 or text[i - 1] in " \t[{,")


def strip_comment(line):
    """The line without its comment; # in quotes or inside a word stays."""
    quote = ""
    for i, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif opens_quote(line, i):
            quote = letter
        elif letter == "#" and (i == 0 or line[i - 1] in " \t"):
            return line[:i].rstrip()
    return line.rstrip()


def split_flow(text):
    """The parts between the commas of the outermost level."""
    parts, depth, quote, start = [], 0, "", 0
    for i, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif opens_quote(text, i):
            quote = letter
        elif letter in "[{(":
            depth += 1
        elif letter in "]})":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last or parts else []


def flow(text):
    """A value on one line: [list], {map} or scalar."""
    if text.startswith("["):
        return [flow(part) for part in split_flow(text[1:-1])]
    if text.startswith("{"):
        pairs = [part.split(":", 1) for part in split_flow(text[1:-1])]
        return {key.strip(): flow(value.strip()) for key, value in pairs}
    return scalar(text)


def block(lines, indent):
    """The value that begins with the first of `lines` [(indent, text)], which are used up."""
    if lines[0][1].startswith("- "):
        found = []
        while lines and lines[0][0] == indent and lines[0][1].startswith("- "):
            inner = lines[0][1][2:].lstrip()
            inside = indent + len(lines[0][1]) - len(inner)
            if re.match(r"[\w-]+:( |$)", inner):
                lines[0] = (inside, inner)
                found.append(block(lines, inside))
            else:
                lines.pop(0)
                found.append(flow(inner))
        return found
    found = {}
    while lines and lines[0][0] == indent and not lines[0][1].startswith("- "):
        key, value = re.fullmatch(r"([\w-]+):(?: +(.*))?", lines.pop(0)[1]).groups()
        if value:
            found[key] = flow(value)
        elif lines and (lines[0][0] > indent or lines[0][1].startswith("- ")):
            found[key] = block(lines, lines[0][0])
        else:
            found[key] = None
    return found


def parse(text):
    """A scene file."""
    lines = [strip_comment(line) for line in text.splitlines()]
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in lines if line.strip()]
    found = block(lines, 0)
    if lines:
        raise ValueError(f"this small reader does not understand {lines[0][1]!r}")
    return found


# ---- JSON Schema ----


def has_type(value, name):
    """JSON Schema's types; true is not a number, 1.0 is an integer."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "number":
        return number
    if name == "integer":
        return number and value == int(value)
    return isinstance(value, TYPES[name])


def unknown_keywords(schema):
    """Keywords of a schema and its parts that this validator does not check."""
    if not isinstance(schema, dict):
        return set()
    unknown = {key for key in schema if key not in KEYWORDS and not key.startswith("x-")}
    parts = list(schema.get("properties", {}).values()) + schema.get("anyOf", [])
    parts += [schema.get("items"), schema.get("additionalProperties")]
    return unknown.union(*map(unknown_keywords, parts))


def range_violations(schema, value, where):
    """The keywords about the size of a number."""
    tests = {"minimum": lambda a, b: a >= b, "maximum": lambda a, b: a <= b,
             "exclusiveMinimum": lambda a, b: a > b, "exclusiveMaximum": lambda a, b: a < b}
    return [f"{where}: {value} breaks {key} {schema[key]}" for key, holds in tests.items()
            if key in schema and not holds(value, schema[key])]


def object_violations(schema, value, where):
    """The keywords about maps."""
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    found = [f"{where}: no {key}" for key in schema.get("required", []) if key not in value]
    for key, entry in value.items():
        if key in known:
            found += violations(known[key], entry, f"{where}.{key}")
        elif others is False:
            found.append(f"{where}: {key} is not allowed")
        elif others is not True:
            found += violations(others, entry, f"{where}.{key}")
    return found


def array_violations(schema, value, where):
    """The keywords about lists."""
    found = []
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        found.append(f"{where}: {len(value)} entries")
    for i, entry in enumerate(value):
        found += violations(schema.get("items", {}), entry, f"{where}[{i}]")
    return found


def violations(schema, value, where="scene"):
    """What the value breaks."""
    found = []
    if "type" in schema and not has_type(value, schema["type"]):
        return [f"{where}: {value!r} is no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "anyOf" in schema and all(violations(part, value) for part in schema["anyOf"]):
        found.append(f"{where}: {value!r} fits no alternative")
    if isinstance(value, dict):
        found += object_violations(schema, value, where)
    elif isinstance(value, list):
        found += array_violations(schema, value, where)
    elif has_type(value, "number"):
        found += range_violations(schema, value, where)
    return found
