# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""links.py ROOT: do all links of the pages lead somewhere, is no page over 300 lines, does the index name every page,
do the files that docs/ARCHITECTURE.md names exist?

Links to headings are followed, too. Pages: README.md, the other .md files at the root, docs/.
"""

import glob
import os
import re
import sys

MOST_LINES = 300


def anchor(heading):
    """As GitHub makes it of a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def without_code(text):
    return re.sub(r"^```.*?^```|^ {4}.*?$", "", text, flags=re.M | re.S)


def anchors(path):
    return {anchor(m) for m in re.findall(r"^#+ (.*)$", without_code(open(path).read()), re.M)}


def faults_of(root, page):
    text = open(page).read()
    if text.count("\n") > MOST_LINES:
        yield "%d lines; at most %d" % (text.count("\n"), MOST_LINES)
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
        if re.match(r"\w+:", link):
            continue
        path, _, part = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(target):
            yield "no such file: " + link
        elif not os.path.abspath(target).startswith(os.path.abspath(root)):
            yield "leads out of the project: " + link
        elif part and part not in anchors(target):
            yield "no such heading: " + link


def unlisted(root, pages):
    index = os.path.join(root, "docs", "README.md")
    text = open(index).read()
    for page in pages:
        name = os.path.relpath(page, os.path.dirname(index))
        if not name.startswith("..") and name != "README.md" and "(%s)" % name not in text:
            yield "docs/README.md: does not name " + name


def unknown_files(root):
    """A name is a path, or the end of one in lib, passes or include."""
    page = os.path.join(root, "docs", "ARCHITECTURE.md")
    for name in sorted(set(re.findall(r"[\w/*]+\.(?:cpp|c|h|def)\b", open(page).read()))):
        paths = [name] + [folder + "/**/" + name for folder in ("lib", "passes", "include")]
        if not any(glob.glob(os.path.join(root, path), recursive=True) for path in paths) and name != "driver_NAME.c":
            yield "docs/ARCHITECTURE.md: no such file: " + name


def main(root):
    docs = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(root, "docs")) for name in names]
    pages = sorted(glob.glob(os.path.join(root, "*.md")) + [p for p in docs if p.endswith(".md")])
    faults = ["%s: %s" % (os.path.relpath(p, root), f) for p in pages for f in faults_of(root, p)]
    faults += [*unlisted(root, pages), *unknown_files(root)]
    print("\n".join(faults + ["%d pages, %d faults" % (len(pages), len(faults))]))
    return len(faults) > 0 or len(pages) < 10


sys.exit(main(sys.argv[1]))
