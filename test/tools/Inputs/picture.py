# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""picture.py FILE...: the texts of an SVG and how many shapes it has; of a trace, its kinds of events, in the order of
their times. Fails if a shape or a text begins outside the picture, or if an event begins before the one before ends."""
import json
import sys
import xml.dom.minidom

SHAPES = "polyline", "circle", "rect"


def picture(path):
    page = xml.dom.minidom.parse(path)
    width, height = (float(page.documentElement.getAttribute(a)) for a in ("width", "height"))
    for text in page.getElementsByTagName("text"):
        x, y = float(text.getAttribute("x")), float(text.getAttribute("y"))
        assert 0 <= x <= width and 0 <= y <= height, text.toxml()
        print(text.firstChild.data)
    for circle in page.getElementsByTagName("circle"):
        assert 0 <= float(circle.getAttribute("cx")) <= width, circle.toxml()
    print(", ".join("%d %s" % (len(page.getElementsByTagName(s)), s) for s in SHAPES if page.getElementsByTagName(s)))


def trace(path):
    with open(path) as file:
        events = [e for e in json.load(file)["traceEvents"] if e["ph"] != "M"]
    end = 0
    for e in events:
        assert e["ts"] >= end - 0.002, e
        end = e["ts"] + e.get("dur", 0)
    print(", ".join(dict.fromkeys(e["cat"] for e in events)))


for name in sys.argv[1:]:
    trace(name) if name.endswith(".json") else picture(name)
