# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""In a notebook: docs/python.md cell by cell in IPython's kernel, the page below a cell, progress."""
import doctest
import html.parser
import pathlib
import re
import shutil
import sys
import time

import pytest

pytest.importorskip("ipykernel")
manager = pytest.importorskip("jupyter_client.manager")

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/cli"))
import browser  # noqa: E402

SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 120  # for a cell


class Notebook:
    """A kernel that executes cells; what a cell shows is a list of messages."""

    def __init__(self, folder):
        self.kernel, self.client = manager.start_new_kernel(cwd=str(folder))

    def end(self):
        self.client.stop_channels()
        self.kernel.shutdown_kernel(now=True)

    def cell(self, code):
        shown = []
        reply = self.client.execute_interactive(code, timeout=SECONDS, output_hook=shown.append)
        assert reply["content"]["status"] == "ok", reply["content"]
        return [(m["msg_type"], m["content"]) for m in shown if m["msg_type"] not in ("status", "execute_input")]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    made = Notebook(tmp_path_factory.mktemp("notebook"))
    made.cell("import scree")
    yield made
    made.end()


def text_of(shown):
    """What stands below a cell."""
    parts = [content["text"] if kind == "stream" else content["data"]["text/plain"] + "\n" for kind, content in shown
             if kind in ("stream", "execute_result")]
    return "".join(parts)


def test_tutorial_cell_by_cell(notebook):
    examples = [example for block in re.findall(r"```pycon\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
                for example in doctest.DocTestParser().get_examples(block)]
    assert len(examples) > 70
    for example in examples:
        shown = notebook.cell(example.source)
        assert doctest.OutputChecker().check_output(example.want, text_of(shown), SAME), (example.source, shown)
        # runs that are over at once show nothing of their progress
        assert not [kind for kind, _ in shown if kind in ("display_data", "update_display_data")], example.source


def test_progress_is_one_line_that_goes(notebook):
    shown = notebook.cell('scree.open("bouncing-ball", {"scheme.step": 1e-5}).run(progress=True)')
    first, *rest = [(kind, content["data"]["text/plain"]) for kind, content in shown]
    assert first[0] == "display_data" and re.fullmatch(r"run \[[#.]{24}\] +[\d.]+ %, \d+ s left", first[1])
    assert len(rest) > 0 and {kind for kind, _ in rest} == {"update_display_data"} and rest[-1][1] == ""


class Frames(html.parser.HTMLParser):
    """Pages in iframes."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "iframe":
            self.found.append(dict(attributes))


def test_a_run_below_its_cell_is_the_page_that_plays_it(notebook, tmp_path):
    shown = notebook.cell('scree.open("dominoes", {"scheme.duration": 0.1}).run("dominoes.h5", progress=False)')
    (kind, content), = shown
    assert kind == "execute_result" and content["data"]["text/plain"].startswith("Run('dominoes.h5'")
    text = content["data"]["text/html"]
    frame, = Frames(text).found
    assert frame["sandbox"] == "allow-scripts" and "<script" in frame["srcdoc"]
    if not shutil.which("chromium"):
        pytest.skip("the page below a cell in a browser: there is no chromium")
    page = tmp_path / "cell.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body style='margin: 0'>{text}")
    with browser.Browser(tmp_path, 900, 480) as view:
        view.open(page.as_uri())
        for _ in range(100):  # it unpacks, then draws
            _, _, rows = browser.pixels(view.picture())
            blue = sum(b > r + 25 for row in rows[60:420] for r, g, b in row[:580])  # the stones
            if blue > 500:
                break
            time.sleep(0.2)
        assert blue > 500 and not view.complaints() and not view.requests()
