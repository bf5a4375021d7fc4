# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""A real browser without a window, spoken to through a pipe: pages from files, clicks, pixels."""

import base64
import json
import os
import select
import signal
import struct
import subprocess
import time
import zlib

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
             "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--remote-debugging-pipe"]


class Browser:
    """One page. Use it in a with statement."""

    def __init__(self, folder, width=900, height=600, dark=False):
        """folder: where its profile may be."""
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def fix():  # it reads from descriptor 3 and writes to 4
            os.dup2(to_read, 30)
            os.dup2(to_write, 31)
            os.dup2(30, 3)
            os.dup2(31, 4)

        self.process = subprocess.Popen(
            ["chromium", *ARGUMENTS, f"--user-data-dir={folder}/profile", "about:blank"], preexec_fn=fix,
            close_fds=False, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.look(width, height, dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # all of its processes, which write to its profile for a while
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)

    def look(self, width, height, dark):
        """Size of the window, and whether its user likes it dark."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def receive(self, seconds):
        """The next message, or None."""
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                return None
            more = os.read(self.from_browser, 1 << 20)
            if not more:
                raise RuntimeError("the browser has gone")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, seconds=120, **parameters):
        """The answer to one request; events that come before it are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            found = self.receive(seconds)
            if found is None:
                raise RuntimeError(f"the browser does not answer {method}")
            if found.get("id") == self.number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']['message']}")
                return found["result"]
            self.events.append(found)

    def open(self, address):
        """Go to a page and wait until its script is ready; the seconds that took."""
        began = time.monotonic()
        self.call("Page.navigate", url=address)
        ready = "location.href !== 'about:blank' && document.readyState === 'complete' && Boolean(window.scree || !document.getElementById('problem') || " \
                "!document.getElementById('problem').hidden)"
        while not self.ask(ready):
            if time.monotonic() - began > 120:
                raise RuntimeError(f"{address} is not ready")
            time.sleep(0.02)
        return time.monotonic() - began

    def ask(self, expression):
        """The value of an expression in the page; promises are waited for."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression[:80]}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def click(self, x, y):
        """Press and release the left button at a place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def key(self, name):
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def picture(self):
        """The window as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def told(self, method):
        """Parameters of all events of a kind so far."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def complaints(self):
        """Errors and exceptions that the page has logged."""
        logged = [entry["entry"]["text"] for entry in self.told("Log.entryAdded") if entry["entry"]["level"] == "error"]
        said = [str(entry["args"]) for entry in self.told("Runtime.consoleAPICalled") if entry["type"] == "error"]
        return logged + said + [str(entry["exceptionDetails"]) for entry in self.told("Runtime.exceptionThrown")]

    def requests(self):
        """Addresses that the page has asked for, itself left out."""
        asked = [entry for entry in self.told("Network.requestWillBeSent") if entry.get("type") != "Document"]
        return [entry["request"]["url"] for entry in asked if not entry["request"]["url"].startswith(("data:", "blob:"))]


def pixels(png):
    """Width, height and rows of (red, green, blue) of a PNG with eight bits a channel."""
    at, packed, width, height, kind = 8, b"", 0, 0, 2
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", body[:10])
            if depth != 8 or kind not in (2, 6) or body[12]:
                raise ValueError("a PNG of another kind")
        if name == b"IDAT":
            packed += body
        at += 12 + size
    step = 3 if kind == 2 else 4
    stride, data, rows = width * step, zlib.decompress(packed), []
    before = bytearray(stride)
    for y in range(height):
        mode, line = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if mode == 1:
            for i in range(step, stride):
                line[i] = (line[i] + line[i - step]) & 255
        elif mode == 2:
            for i in range(stride):
                line[i] = (line[i] + before[i]) & 255
        elif mode == 3:
            for i in range(stride):
                line[i] = (line[i] + ((line[i - step] if i >= step else 0) + before[i]) // 2) & 255
        elif mode == 4:
            for i in range(stride):
                a, b, c = (line[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
                p, q, r = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                line[i] = (line[i] + (a if p <= q and p <= r else b if q <= r else c)) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, stride, step)])
        before = line
    return width, height, rows
