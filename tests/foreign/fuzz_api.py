"""Both OpenAPI documents held against the running program by Schemathesis, as everybody.

    python3 tests/foreign/fuzz_api.py target/debug/grantor [sqlite|postgres] [--only ROLE] [--examples N]

Installs Schemathesis 4 from PyPI into a temporary folder, and for each role starts the program on a
fresh store with the sample, without rate limits, and runs all checks of all phases over both
documents. What a document allows must be taken, what it forbids refused, and every answer must be as
it tells. Ends with a table, and with exit code 1 where anything failed. On PostgreSQL it wants
GRANTOR_TEST_POSTGRES_URL, which `cargo xtask servers --` sets.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).parent
PREFIX = "/v1.0.1"
DOCUMENTS = {"external": "", "console": PREFIX}
PATIENCE = 120


def call(method, url, body=None, token=None):
    """Sends JSON and gives the JSON that comes back."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, method=method)
    request.add_header("content-type", "application/json")
    request.add_header("x-source", "console")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            content = answer.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {url}: {error.code} {error.read().decode()}")
    return json.loads(content) if content else None


class Server:
    """The program with its own store and the sample data."""

    def __init__(self, program, folder, engine, name):
        self.program, self.folder = program, folder
        self.environment = {
            "PATH": os.environ["PATH"],
            "GRANTOR_LISTEN": "127.0.0.1:0",
            "GRANTOR_METRICS_LISTEN": "off",
            "GRANTOR_DATA_DIR": str(folder / "data"),
            "GRANTOR_LIMITS": "off",
        }
        if engine == "postgres":
            self.environment["GRANTOR_DATABASE_URL"] = make_database(name)
        self.sample = self.run("demo", "--json")
        self.url, self.session = None, {}

    def run(self, *words):
        done = subprocess.run(
            [self.program, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=self.folder, env=self.environment,
        )
        return json.loads(done.stdout)

    @contextlib.contextmanager
    def serving(self):
        log = self.folder / "log"
        with open(log, "w") as file:
            command = [self.program, "serve"]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file, cwd=self.folder, env=self.environment)
        try:
            self.url = f"http://{wait_for_address(log, process)}"
            yield self
        finally:
            process.terminate()
            process.wait(timeout=60)

    def login(self, account):
        body = {"username": account["email"], "password": account["password"]}
        self.session = dict(body, login=f"{self.url}{PREFIX}/auth/login")
        return call("POST", self.session["login"], body)["data"]["accessToken"]

    def account(self, kind):
        return next(it for it in self.sample["accounts"] if it["type"] == kind)

    def mate(self, role):
        return next(it for it in self.sample["team"]["members"] if it["role"] == role)

    def staff(self, role):
        name = role.lower().replace("_", "-")
        made = self.run("admin", "create", "--email", f"{name}@grantor.example", "--fullname", "Sample Staff", "--role", role, "--json")
        return call("POST", f"{self.url}{PREFIX}/auth/authenticateAdmin", {"token": made["token"]})["data"]["accessToken"]

    def exchange(self, key, secret):
        body = {"api_key": key, "api_secret": secret}
        return call("POST", f"{self.url}/auth/token", body)["data"]["access_token"]

    def client(self, kind):
        account = self.account(kind)
        return self.exchange(account["apiKey"], account["apiSecret"])

    def narrow_client(self):
        token = self.login(self.account("Agency"))
        body = {"name": "Narrow", "environment": "development", "permissions": ["license:read"]}
        made = call("POST", f"{self.url}{PREFIX}/org/create/client", body, token)["data"]["credentials"]
        self.session = {}
        return self.exchange(made["clientId"], made["secretKey"])

    def organization_user(self):
        """The sample has none: one of its people is given the role."""
        token, mate = self.login(self.account("Agency")), self.mate("Team_Member")
        path = f"{self.url}{PREFIX}/org/team/{self.sample['team']['teamId']}/member/{mate['userId']}"
        call("PATCH", path, {"role": "Organization_User"}, token)
        return self.login(mate)


# Each with how it comes in; nobody in particular has no token.
ROLES = {
    "anonymous": lambda server: None,
    "client, all scopes": lambda server: server.client("Agency"),
    "client, license:read": lambda server: server.narrow_client(),
    "client of a brand": lambda server: server.client("Brand"),
    "Organization_Admin": lambda server: server.login(server.account("Agency")),
    "Organization_User": lambda server: server.organization_user(),
    "Team_Lead": lambda server: server.login(server.mate("Team_Lead")),
    "Team_Member": lambda server: server.login(server.mate("Team_Member")),
    "Individual": lambda server: server.login(server.account("Individual")),
    "brand": lambda server: server.login(server.account("Brand")),
    "platform": lambda server: server.login(server.account("Platform")),
    "Super_Admin": lambda server: server.staff("Super_Admin"),
    "Admin": lambda server: server.staff("Admin"),
    "Support_Admin": lambda server: server.staff("Support_Admin"),
}


def wait_for_address(log, process):
    for _ in range(PATIENCE * 10):
        for line in log.read_text().splitlines():
            if '"ready"' in line:
                return json.loads(line)["listen"]
        if process.poll() is not None:
            sys.exit(f"the server ended: {log.read_text()}")
        time.sleep(0.1)
    sys.exit("the server did not start in time")


def make_database(name):
    parts = urllib.parse.urlsplit(os.environ["GRANTOR_TEST_POSTGRES_URL"])
    psql = pathlib.Path(os.environ.get("GRANTOR_TEST_POSTGRES_BIN", "")) / "psql"
    base = urllib.parse.urlunsplit(parts._replace(path="/postgres"))
    subprocess.run([str(psql), base, "-q", "-c", f'CREATE DATABASE "{name}"'], check=True)
    return urllib.parse.urlunsplit(parts._replace(path=f"/{name}"))


def install(folder):
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    pip = [str(folder / "venv/bin/pip"), "install", "--quiet", "schemathesis>=4.32,<5"]
    subprocess.run(pip, check=True)
    return str(folder / "venv/bin/schemathesis")


# State decides on these, whatever the body: an entity tag that is old, a key used before.
CONFIG = """
[generation]
allow-x00 = false

[checks.positive_data_acceptance]
expected-statuses = ["2xx", "304", "401", "403", "404", "409", "412", "422"]

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "412", "413", "415", "422"]
"""


def known(sample):
    """The ids of the sample, by the names that members have for them."""
    found = collections.defaultdict(list)
    for list_name, names in {
        "talents": ["talentId"], "licenses": ["licenseId"], "platforms": ["platformId"],
        "mentions": ["mentionId"], "bookmarks": ["bookmarkId"], "webhooks": ["webhookId"],
    }.items():
        for record in sample[list_name]:
            for name in names:
                found[name].append(record[name])
    found["target_id"] = found["licenseId"][:3]
    found["teamId"] = [sample["team"]["teamId"]]
    found["memberId"] = [it["userId"] for it in sample["team"]["members"][1:]]
    found["organizationId"] = [it["tenantId"] for it in sample["accounts"][1:]]
    for console, external in [("mentionId", "mention_id"), ("bookmarkId", "bookmark_id"), ("webhookId", "webhook_id")]:
        found[external] = found[console]
    return found


def fuzz(tool, server, document, token, asked):
    """Runs all checks over one document; gives figures and the tool's own report."""
    stats, config = server.folder / f"{document}.json", server.folder / "schemathesis.toml"
    config.write_text(CONFIG + (f'[auth.openapi.bearer]\nbearer = "{token}"\n' if token else ""))
    command = [
        tool, "--config-file", str(config), "run", f"{server.url}/openapi/{document}.json",
        "--url", server.url + DOCUMENTS[document], "--checks", "all", "--phases", "examples,coverage,fuzzing,stateful",
        "--max-examples", str(asked.examples), "--suppress-health-check", "too_slow",
        "--seed", str(asked.seed), "--workers", "1",
        "--continue-on-failure", "--warnings", "off", "--output-truncate", "false",
    ]
    if asked.operation:
        command += ["--include-path-regex", asked.operation]
    environment = dict(
        os.environ, SCHEMATHESIS_HOOKS="fuzz_hooks", PYTHONPATH=str(HERE), PYTHONDONTWRITEBYTECODE="1", NO_COLOR="1",
        FUZZ_STATS=str(stats), FUZZ_KNOWN=json.dumps(known(server.sample)),
        FUZZ_SESSION=json.dumps(dict(server.session, first=token, token=token)),
    )
    done = subprocess.run(command, cwd=server.folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = json.loads(stats.read_text()) if stats.exists() else {"cases": 0, "beyond": {}, "statuses": {}}
    failed = re.search(r"(\d+) unique failures?|Failures: (\d+)", done.stdout)
    failures = int(next(filter(None, failed.groups()))) if failed else (0 if done.returncode == 0 else 1)
    good = sum(any(it.startswith("2") for it in seen) for seen in found["statuses"].values())
    figures = (len(found["statuses"]), good, found["cases"], sum(found["beyond"].values()), failures)
    return figures, done.stdout, found


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("program")
    words.add_argument("engine", nargs="?", default="sqlite", choices=["sqlite", "postgres"])
    words.add_argument("--only", action="append", choices=list(ROLES), help="this role alone")
    words.add_argument("--document", choices=list(DOCUMENTS), help="this document alone")
    words.add_argument("--operation", help="only paths that match")
    words.add_argument("--examples", type=int, default=20, help="cases of each operation in each phase")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--tool", help="a schemathesis that is there already")
    words.add_argument("--reports", help="a folder for the tool's own reports")
    asked = words.parse_args()
    program, rows = str(pathlib.Path(asked.program).resolve()), []
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        tool = asked.tool or install(temporary)
        for number, role in enumerate(asked.only or ROLES):
            folder = temporary / str(number)
            folder.mkdir()
            server = Server(program, folder, asked.engine, f"fuzz_{os.getpid()}_{number}")
            with server.serving():
                token = ROLES[role](server)
                for document in [asked.document] if asked.document else DOCUMENTS:
                    figures, report, found = fuzz(tool, server, document, token, asked)
                    rows.append((role, document, *figures))
                    print(f"{asked.engine} {role} {document}: {figures}", flush=True)
                    if asked.reports:
                        path = pathlib.Path(asked.reports)
                        path.mkdir(exist_ok=True)
                        name = re.sub(r"\W+", "_", f"{asked.engine}_{role}_{document}")
                        (path / f"{name}.txt").write_text(report)
                        (path / f"{name}.json").write_text(json.dumps(found, indent=1))
                    elif figures[-1]:
                        print(report)
    print(f"\n{'role':<22} {'document':<9} operations  with 2xx   cases  beyond  failures")
    for role, document, operations, good, cases, beyond, failures in rows:
        print(f"{role:<22} {document:<9} {operations:>10} {good:>9} {cases:>7} {beyond:>7} {failures:>9}")
    failures = sum(row[-1] for row in rows)
    print(f"\n{sum(row[4] for row in rows)} cases on {asked.engine}, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
