"""A receipt of the real program, verified by the SD-JWT libraries of others.

    python3 tests/foreign/verify_receipt.py target/debug/grantor

Installs sd-jwt from PyPI and @sd-jwt/core from npm into a temporary folder, starts the program with
the sample data, and verifies the receipt of a grant as docs/verifying.md shows: every block of
commands, Python and JavaScript there is run. Then both libraries must refuse altered receipts (see
receipt.py and receipt.mjs). Needs Python 3.9 with venv, Node 18 with npm, curl, and both registries;
nothing is left behind.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Without it, Python would leave a copy of verify.py behind.
sys.dont_write_bytecode = True
from verify import HERE, Grantor, Owner  # noqa: E402

DOCUMENT = HERE.parent.parent / "docs" / "verifying.md"
# The server's address in the document.
ADDRESS = "https://grantor.example"
PYPI = ["sd-jwt==0.10.4"]
NPM = ["@sd-jwt/core@0.9.2", "@sd-jwt/crypto-nodejs@0.9.2"]


def install(folder):
    """Returns the Python that has the library; Node finds its own beside the scripts."""
    python = folder / "python" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder / "python"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PYPI], check=True)
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder]
    subprocess.run([*npm, *NPM], check=True)
    return python


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)


def run(command, folder, **more):
    ran = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )
    if ran.returncode != 0:
        sys.exit(f"{command} ended with {ran.returncode}: {ran.stdout}")
    return ran.stdout


def fetch(owner, folder):
    """Writes the receipt of an active grant as the document names it; returns the grant's number."""
    grants = owner.ask("GET", "/grants?status=active&per_page=1")["data"]
    if not grants:
        sys.exit("the sample has no active grant")
    receipt = owner.ask("GET", f"/grants/{grants[0]['id']}/receipt")["receipt"]
    (folder / "receipt.sd-jwt").write_text(receipt)
    return grants[0]["number"]


def follow_document(program, python, folder, url, number):
    """Runs every block of the document; each must show the grant's number."""
    path = f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}"
    for commands in blocks("sh"):
        script = "set -euo pipefail\n" + commands.replace(ADDRESS, url)
        shown = run(["bash", "-c", script], folder, env={**os.environ, "PATH": path})
        if number not in shown:
            sys.exit(f"{commands} does not show {number}: {shown}")
    for name, command, language in [
        ("snippet.py", [python], "python"),
        ("snippet.mjs", ["node"], "js"),
    ]:
        (snippet,) = blocks(language)
        (folder / name).write_text(snippet)
        shown = run([*command, name], folder)
        if number not in shown:
            sys.exit(f"{name} does not show {number}: {shown}")
    print(f"docs/verifying.md: every block verifies {number}")


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        python = install(folder)
        grantor = Grantor(program, folder)
        owner = Owner(grantor.sample())
        with grantor.serving() as url:
            owner.arrive(url)
            number = fetch(owner, folder)
            follow_document(program, python, folder, url, number)
        for command in [[python, HERE / "receipt.py"], ["node", HERE / "receipt.mjs"]]:
            print(run([*command, "receipt.sd-jwt", "jwks.json"], folder), end="")


if __name__ == "__main__":
    main(sys.argv[1])
