"""What public licenses of the real program offer, read by libraries of others.

    python3 tests/foreign/verify_rights.py target/debug/grantor

Installs rdflib and pySHACL from PyPI into a temporary folder, starts the program with the sample
data, and runs rights.py: the ODRL policy of every public license must follow the shapes in odrl.ttl,
which are the rules of the ODRL Information Model, and altered ones must not; the RSL documents must
have only elements and attributes of RSL 1.0. Needs Python 3.9 with venv, and the registry; nothing is
left behind.
"""

import pathlib
import subprocess
import sys
import tempfile

# Without it, Python would leave a copy of verify.py behind.
sys.dont_write_bytecode = True
from verify import HERE, Grantor  # noqa: E402

PYPI = ["rdflib==7.6.0", "pyshacl==0.40.1"]


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        python = folder / "python" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", folder / "python"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PYPI], check=True)
        grantor = Grantor(program, folder)
        grantor.sample()
        with grantor.serving() as url:
            subprocess.run([python, HERE / "rights.py", url], check=True)


if __name__ == "__main__":
    main(sys.argv[1])
