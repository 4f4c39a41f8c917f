"""OAuth 2.0 of the real program, used by the library of others.

    python3 tests/foreign/verify_oauth.py target/debug/grantor

Installs Authlib and the MCP SDK from PyPI into a temporary folder, starts the program with the
sample data, and runs oauth.py: it finds the endpoints, then gets, uses, introspects and revokes
tokens with every way to authenticate. Wrong secrets, scopes and resources must be refused, and the
tokens of another organization are neither told of nor revoked. Needs Python 3.10 with venv, and the
registry; nothing is left behind.
"""

import pathlib
import subprocess
import sys
import tempfile

# Without it, Python would leave a copy of verify.py behind.
sys.dont_write_bytecode = True
from verify import HERE, Grantor  # noqa: E402

PYPI = ["authlib==1.9.5", "requests==2.34.2", "mcp==2.3.0"]


def install(folder):
    """Returns the Python that has the libraries."""
    python = folder / "python" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder / "python"], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *PYPI], check=True)
    return python


def stranger(sample):
    """The API client of another organization."""
    others = (it for it in sample["accounts"] if it["apiKey"] != sample["api"]["key"])
    account = next(others)
    return account["apiKey"], account["apiSecret"]


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        python = install(folder)
        grantor = Grantor(program, folder)
        sample = grantor.sample()
        with grantor.serving() as url:
            credentials = [sample["api"]["key"], sample["api"]["secret"], *stranger(sample)]
            subprocess.run([python, HERE / "oauth.py", url, *credentials], check=True)


if __name__ == "__main__":
    main(sys.argv[1])
