# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""validate.py SCHEMA FILE: is the JSON as its schema says? Knows the keywords that docs/report.schema.json uses,
and fails on any other."""

import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
SILENT = {"$schema", "title", "description"}


def check(value, schema, path):
    for key, rule in schema.items():
        if key in SILENT:
            continue
        good = {
            "type": lambda: isinstance(value, TYPES[rule]) and (rule == "boolean" or not isinstance(value, bool)),
            "const": lambda: value == rule,
            "enum": lambda: value in rule,
            "minimum": lambda: value >= rule,
            "minItems": lambda: len(value) >= rule,
            "maxItems": lambda: len(value) <= rule,
            "required": lambda: all(name in value for name in rule),
            "additionalProperties": lambda: rule or all(name in schema["properties"] for name in value),
            "properties": lambda: all(check(value[n], s, "%s.%s" % (path, n)) for n, s in rule.items() if n in value),
            "items": lambda: all(check(v, rule, "%s[%d]" % (path, k)) for k, v in enumerate(value)),
        }[key]()
        if not good:
            sys.exit("%s: not as `%s` says: %r" % (path, key, value))
    return True


schema, text = (json.load(open(name)) for name in sys.argv[1:])
check(text, schema, "$")
print("valid: %d regions" % len(text["regions"]))
