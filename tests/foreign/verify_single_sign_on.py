"""Single sign-on of the real program with the OpenID Connect provider of others.

    python3 tests/foreign/verify_single_sign_on.py target/debug/grantor

Installs oidc-provider from npm into a temporary folder, starts the program with the sample data, and
signs in at a provider of each kind: every signature algorithm, and the email address in the ID token
or apart. Then sign-ins that must fail: an address in another domain, a wrong client secret, and the
way back a second time. Needs Python 3.9, Node 18 with npm, and its registry; nothing is left behind.
"""

import contextlib
import html
import http.cookiejar
import pathlib
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

# Without it, Python would leave a copy of verify.py behind.
sys.dont_write_bytecode = True
from verify import HERE, Grantor, running  # noqa: E402

NPM = ["oidc-provider@8.8.1"]
SETTINGS = "/app/organization/single-sign-on"
CLIENT_SECRET = "secret: of + the/provider"
KINDS = [("RS256", "userinfo"), ("PS256", "token"), ("ES256", "token"), ("EdDSA", "userinfo")]


class Page:
    def __init__(self, answer):
        self.status = answer.status
        self.url = answer.geturl()
        self.text = answer.read().decode()

    def says(self, status, text):
        if self.status != status or text not in html.unescape(self.text):
            sys.exit(f"{self.url}: not {status} and {text!r} but {self.status}: {self.text}")
        return self


class Browser:
    """Keeps cookies, follows redirects, and remembers where they led."""

    def __init__(self, site):
        self.site = site
        self.visited = []
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(jar), self.recorder()
        )

    def recorder(self):
        visited = self.visited

        class Recorder(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, request, answer, code, message, headers, url):
                visited.append(url)
                return super().redirect_request(request, answer, code, message, headers, url)

        return Recorder()

    def open(self, url, form=None):
        data = None if form is None else urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(urllib.parse.urljoin(self.site, url), data)
        if data is not None:
            request.add_header("sec-fetch-site", "same-origin")
        try:
            with self.opener.open(request, timeout=60) as answer:
                return Page(answer)
        except urllib.error.HTTPError as error:
            return Page(error)

    def sign_in(self, hint, account):
        """Starts with one address and signs in at the provider as the other."""
        page = self.open("/app/sign-in/sso", {"email": hint, "next": "/app/profile"})
        page.says(200, "Continue to the sign-in page of")
        link = re.search(r'href="(http://127\.0\.0\.1:\d+/auth\?[^"]+)"', page.text)
        page = self.open(html.unescape(link[1]))
        for _ in range(5):
            if "/interaction/" not in page.url:
                return page
            prompt = re.search(r'name="prompt" value="(\w+)"', page.text)[1]
            page = self.open(page.url, {"prompt": prompt, "login": account, "password": "any"})
        sys.exit(f"the provider asks on and on: {page.text}")

    def way_back(self):
        return next(it for it in reversed(self.visited) if "/app/sign-in/sso/callback" in it)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def install(folder):
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder]
    subprocess.run([*npm, *NPM], check=True)
    # Beside the package, where Node looks for it.
    script = folder / "provider.mjs"
    script.write_text((HERE / "provider.mjs").read_text())
    return script


@contextlib.contextmanager
def provider(script, site, algorithm, place):
    """Gives the issuer of a running provider."""
    port = str(free_port())
    command = ["node", script, port, f"{site}/app/sign-in/sso/callback", algorithm, place]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with running(command, **quiet) as process:
        for line in process.stdout:
            if line.startswith("listening"):
                break
        else:
            sys.exit("the provider did not start")
        yield f"http://127.0.0.1:{port}"


def prove(database):
    """Marks the domain as verified, as a TXT record would."""
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE single_sign_on_domains SET proved_at = created_at")


def connect(admin, issuer, secret):
    form = {
        "issuer": issuer,
        "clientId": "grantor",
        "clientSecret": secret,
        "newMemberRole": "Team_Member",
    }
    admin.open(SETTINGS, form).says(200, "Single sign-on saved")


def check(script, admin, email):
    site, domain = admin.site, email.split("@")[1]
    for number, (algorithm, place) in enumerate(KINDS):
        with provider(script, site, algorithm, place) as issuer:
            connect(admin, issuer, CLIENT_SECRET)
            for person in (email, f"new{number}@{domain}"):
                Browser(site).sign_in(email, person).says(200, person)
            print(f"{algorithm} with the address in {place}: a member and a newcomer signed in")
            other = Browser(site).sign_in(email, "eve@other.example")
            other.says(403, "has not verified the domain other.example")
            browser = Browser(site)
            browser.sign_in(email, email).says(200, email)
            browser.open(browser.way_back()).says(422, "was started in another browser")
            connect(admin, issuer, "another secret")
            Browser(site).sign_in(email, email).says(403, "the provider refused the code")
    print("An address in another domain, a second way back, and a wrong secret were refused.")


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        script = install(folder)
        grantor = Grantor(program, folder)
        grantor.settings["environment"]["GRANTOR_LISTEN"] = f"127.0.0.1:{free_port()}"
        account = grantor.sample()["console"]
        with grantor.serving() as url:
            admin = Browser(url)
            form = {"username": account["email"], "password": account["password"]}
            admin.open("/app/sign-in", form).says(200, "Sign out")
            domain = {"domain": account["email"].split("@")[1]}
            admin.open(f"{SETTINGS}/domains", domain).says(200, "Domain added")
        prove(grantor.database)
        with grantor.serving():
            check(script, admin, account["email"])


if __name__ == "__main__":
    main(sys.argv[1])
