"""Deliveries of the real program, verified by the Standard Webhooks libraries of others.

    python3 tests/foreign/verify.py target/debug/grantor

Installs standardwebhooks and svix from PyPI and from npm into a temporary folder, starts the
program beside a receiver of each world, and has every delivery verified by all of them. Newer svix
hands the work to standardwebhooks, so an older one that does it by itself is asked too. For every
delivery, a body with a bit turned and another secret must be refused. Needs Python 3.9 with venv,
Node 18 with npm, and both registries; nothing is left behind.
"""

import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
# A svix with a verifier of its own, in both registries.
OLDER_SVIX = "1.40.0"
# By the API, with texts of every length it takes.
PLAIN = 900
# Bodies of 100 KB and more, longer than the API's own limits let a license become.
LARGE = 100
# While two secrets sign.
ROTATED = 100
PATIENCE = 300
TEXTS = [
    "Plain words.",
    "Zoë Müller, São Paulo: crème brûlée, e\u0301 as two",
    "東京の夜、서울의 밤, 北京的夜",
    "🎬🎤👩‍👩‍👧‍👦🏳️‍🌈 and so on",
    "a line\u2028and a paragraph\u2029apart, \u00a0\u200b\ufeff hidden",
    'quotes " and \\ and / and <b>&amp;</b>',
    "عربي and עברית from right to left",
]


def call(method, url, body=None, token=None):
    """Sends JSON and gives the JSON that comes back."""
    data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
    request = urllib.request.Request(url, data, method=method)
    request.add_header("content-type", "application/json")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            content = answer.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {url}: {error.code} {error.read().decode()}")
    return json.loads(content) if content else None


@contextlib.contextmanager
def running(command, **more):
    process = subprocess.Popen(command, text=True, **more)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=60)


class Grantor:
    """The program in a folder of its own."""

    def __init__(self, program, folder):
        self.program = str(pathlib.Path(program).resolve())
        self.database = folder / "data" / "grantor.sqlite"
        self.log = folder / "log"
        self.settings = {
            "folder": folder,
            "environment": {
                "PATH": os.environ["PATH"],
                "GRANTOR_LISTEN": "127.0.0.1:0",
                "GRANTOR_METRICS_LISTEN": "off",
                "GRANTOR_DATA_DIR": str(folder / "data"),
                "GRANTOR_OUTBOUND_ALLOW": "127.0.0.0/8",
                "GRANTOR_LIMITS": "off",
            },
        }

    def options(self):
        return {"cwd": self.settings["folder"], "env": self.settings["environment"]}

    def sample(self):
        made = subprocess.run(
            [self.program, "demo", "--json"], check=True, stdout=subprocess.PIPE, **self.options()
        )
        return json.loads(made.stdout)

    @contextlib.contextmanager
    def serving(self, *words):
        """Gives the server's address once it answers."""
        with open(self.log, "w") as log:
            command = [self.program, "serve", *words]
            with running(command, stderr=log, stdout=subprocess.DEVNULL, **self.options()):
                yield f"http://{wait_for(self.address, 'the server')}"

    def address(self):
        for line in self.log.read_text().splitlines():
            if '"ready"' in line:
                return json.loads(line)["listen"]
        return None


class Owner:
    """Whoever makes events: an API client of the sample's agency."""

    def __init__(self, sample):
        self.pair = {"api_key": sample["api"]["key"], "api_secret": sample["api"]["secret"]}
        self.license = sample["licenses"][0]["licenseId"]
        self.number = 0

    def arrive(self, url):
        self.url = url
        tokens = call("POST", f"{url}/auth/token", self.pair)
        self.token = tokens["data"]["access_token"]

    def ask(self, method, path, body=None):
        return call(method, self.url + path, body, self.token)

    def change(self, times):
        for _ in range(times):
            self.number += 1
            text = TEXTS[self.number % len(TEXTS)]
            # Every length up to the 5,000 characters that a description may have.
            length = (self.number * 37) % 4_900
            description = f"{self.number} {text * (length // len(text) + 1)}"[:4_990]
            # Only terms may hold what ends a line in JavaScript.
            description = description.replace("\u2028", " ").replace("\u2029", " ")
            terms = {"number": self.number, "share": 0.1, "words": text * (self.number % 100)}
            change = {"description": description, "terms": terms}
            self.ask("PATCH", f"/licenses/{self.license}", change)


def wait_for(look, what):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    sys.exit(f"{what} did not come within {PATIENCE} s")


def install(folder):
    """Gives the commands that start the two receivers."""
    python = folder / "python" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder / "python"], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "standardwebhooks", "svix"]
    subprocess.run(pip, check=True)
    older = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder / "older"]
    subprocess.run([*older, f"svix=={OLDER_SVIX}"], check=True)
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder / "node"]
    packages = ["standardwebhooks", "svix", f"svix-older@npm:svix@{OLDER_SVIX}"]
    subprocess.run([*npm, *packages], check=True)
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format", "json"], check=True, stdout=subprocess.PIPE
    )
    for package in json.loads(listed.stdout):
        if package["name"] in ("standardwebhooks", "svix"):
            print(f"PyPI {package['name']} {package['version']}")
    for name in ("standardwebhooks", "svix"):
        about = folder / "node" / "node_modules" / name / "package.json"
        print(f"npm  {name} {json.loads(about.read_text())['version']}")
    print(f"both svix {OLDER_SVIX}")
    # Beside the packages, where Node looks for them.
    script = folder / "node" / "receiver.cjs"
    script.write_text((HERE / "receiver.cjs").read_text())
    older = folder / "older" / "svix" / "webhooks.py"
    return [[python, HERE / "receiver.py", older], ["node", script]]


def enlarge(database, count):
    """Makes the events of the newest deliveries large, as larger records would."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        newest = "SELECT event_id, data FROM events ORDER BY created_at DESC, event_id DESC LIMIT ?"
        for number, (event, data) in enumerate(connection.execute(newest, [count]).fetchall()):
            data = json.loads(data)
            text = TEXTS[number % len(TEXTS)]
            data["license"]["description"] = text * (100_000 // len(text.encode()) + 1)
            row = [json.dumps(data, ensure_ascii=False), event]
            connection.execute("UPDATE events SET data = ? WHERE event_id = ?", row)


def arrived(receivers, count):
    """Waits until every receiver has so many; ends at the first fault."""

    def look():
        reports = [call("GET", f"{it}/report") for it in receivers]
        faults = [fault for it in reports for fault in it["faults"]]
        if faults:
            sys.exit(f"{len(faults)} faults, the first: {faults[0]}")
        return reports if all(len(it["seen"]) >= count for it in reports) else None

    return wait_for(look, f"delivery {count}")


def carry_out(grantor, receivers):
    owner = Owner(grantor.sample())
    with grantor.serving() as url:
        owner.arrive(url)
        hooks = []
        for receiver in receivers:
            asked = {"url": f"{receiver}/hook", "events": ["license.updated"]}
            hook = owner.ask("POST", "/webhooks", asked)
            call("PUT", f"{receiver}/secrets", [hook["secret"]])
            hooks.append(hook)
        owner.change(PLAIN)
        arrived(receivers, PLAIN)
    with grantor.serving("--no-workers") as url:
        owner.arrive(url)
        owner.change(LARGE)
    enlarge(grantor.database, LARGE)
    with grantor.serving() as url:
        owner.arrive(url)
        arrived(receivers, PLAIN + LARGE)
        for receiver, hook in zip(receivers, hooks):
            rotated = owner.ask("POST", f"/webhooks/{hook['id']}/rotate-secret")
            call("PUT", f"{receiver}/secrets", [rotated["secret"], hook["secret"]])
        owner.change(ROTATED)
        return arrived(receivers, PLAIN + LARGE + ROTATED)


def tell(reports):
    print(f"{'library':26}{'verified':>10}{'unicode':>10}{'>=100 KB':>10}{'2 secrets':>10}{'largest':>10}")
    enough = True
    for report in reports:
        seen = report["seen"].values()
        large = sum(it["bytes"] >= 100_000 for it in seen)
        rotated = sum(it["signatures"] == 2 for it in seen)
        unicode = sum(it["unicode"] for it in seen)
        largest = max(it["bytes"] for it in seen)
        enough &= len(seen) >= 1_000 and large >= LARGE and rotated >= ROTATED
        for library in report["libraries"]:
            print(f"{library:26}{len(seen):10}{unicode:10}{large:10}{rotated:10}{largest:10}")
    if not enough:
        sys.exit("that is less than was to be shown")
    print("Every delivery passed; with a bit turned, and with another secret, every one was refused.")


def main(program):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = pathlib.Path(folder)
        receivers = []
        for command in install(folder):
            process = stack.enter_context(running(command, stdout=subprocess.PIPE))
            receivers.append(f"http://127.0.0.1:{int(process.stdout.readline())}")
        tell(carry_out(Grantor(program, folder), receivers))


if __name__ == "__main__":
    main(sys.argv[1])
