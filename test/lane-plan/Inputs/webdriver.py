"""Controls a browser through the W3C WebDriver protocol, with the standard library only."""

import json
import re
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Right": "\ue014", "Left": "\ue012", "End": "\ue010", "Home": "\ue011", "Tab": "\ue004"}


class Browser:
    """A headless Chromium, as a context manager."""

    def __init__(self, width=1280, height=900, dark=False):
        self.profile = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True
        )
        for line in self.driver.stdout:
            started = re.search(r"started successfully on port (\d+)", line)
            if started:
                break
        else:
            raise SystemExit("chromedriver did not start")
        self.url = f"http://127.0.0.1:{started[1]}"
        arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            f"--user-data-dir={self.profile.name}",
            f"--window-size={width},{height}",
        ]
        options = {
            "args": arguments,
            # A window cannot be as narrow as a phone. The mouse stays a mouse.
            "mobileEmulation": {
                "deviceMetrics": {
                    "width": width,
                    "height": height,
                    "pixelRatio": 1,
                    "touch": False,
                }
            },
        }
        capabilities = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.url += f"/session/{session['sessionId']}"
        if dark:
            scheme = {"name": "prefers-color-scheme", "value": "dark"}
            self.cdp("Emulation.setEmulatedMedia", {"features": [scheme]})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            self.profile.cleanup()

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(
            self.url + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{method} {path}: {json.load(error)['value']['message']}")

    def cdp(self, command, params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def open(self, path):
        self.call("POST", "/url", {"url": f"file://{path}"})

    def run(self, script, *args):
        return self.call("POST", "/execute/sync", {"script": script, "args": args})

    def find(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def text(self, selector):
        return self.call("GET", f"/element/{self.find(selector)}/text")

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def move_to(self, selector, x, y):
        """Moves the mouse to `x`, `y` pixels from the middle of the element."""
        origin = {ELEMENT: self.find(selector)}
        move = {"type": "pointerMove", "duration": 0, "origin": origin, "x": x, "y": y}
        self.call(
            "POST",
            "/actions",
            {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]},
        )

    def picture(self, path):
        import base64

        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def get_log(self):
        """Messages in the console of the page, such as errors."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def requests(self, page):
        """The address of every request of the page, including its own."""
        entries = self.call("POST", "/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
            and message["params"]["documentURL"] == page
        ]
