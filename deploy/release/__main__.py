"""Packs a release.

    python3 deploy/release PROGRAM DIR   packs everything for a release build of the program
    python3 deploy/release --sbom        prints the software bill of materials

DIR gets the program with its manual pages and service files, the sources with every dependency for
a build without a network, the Helm chart, and the software bill of materials. SHA256SUMS lists what
is in DIR, also what was there before. The time in archives is that of the commit.
"""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import archive
import sbom
from sbom import ROOT

# What an operator needs beside the program.
BESIDE = (
    "LICENSE", "README.md", "CHANGELOG.md", "docs/configuration.md", "docs/installing.md",
    "docs/operations.md", "docs/plans.example.toml", "docs/runbooks.md", "docs/scaling.md",
    "docs/sizing.md",
)
SHELLS = ("bash", "zsh", "fish")


def program(binary: Path) -> Iterable[archive.Entry]:
    """The program with its manual pages, completions and service files."""
    yield "bin/grantor", binary, True
    yield from archive.files(ROOT, BESIDE)
    for folder in ("systemd", "prometheus", "grafana"):
        yield from tracked(f"deploy/{folder}", f"deploy/{folder}/")
    for shell in SHELLS:
        script = output([str(binary), "completions", shell])
        yield f"completions/grantor.{shell}", script.encode(), False
    with tempfile.TemporaryDirectory() as folder:
        output([str(binary), "man", folder])
        for page in sorted(Path(folder).iterdir()):
            yield f"man/man1/{page.name}", page.read_bytes(), False


def sources() -> Iterable[archive.Entry]:
    """The sources, with those of all dependencies that `make vendor` copied."""
    vendor = ROOT / "target/vendor"
    if not (vendor / "config.toml").is_file():
        raise SystemExit("release: run `make vendor` first")
    yield from tracked(".")
    yield from archive.below(vendor, "target/vendor/")


def pack(binary: Path, folder: Path) -> None:
    """Writes all files of a release."""
    folder.mkdir(parents=True, exist_ok=True)
    number, target, time = sbom.version(), host(), commit_time()
    name = f"grantor-{number}"
    archive.write(folder / f"{name}-{target}.tar.gz", f"{name}-{target}", program(binary), time)
    archive.write(folder / f"{name}-source.tar.gz", name, sources(), time)
    chart = tracked("deploy/helm/grantor")
    archive.write(folder / f"{name}-chart.tgz", "grantor", chart, time)
    (folder / f"{name}.cdx.json").write_text(bill(target, time))
    (folder / "SHA256SUMS").unlink(missing_ok=True)
    (folder / "SHA256SUMS").write_text(archive.sums(folder))


def bill(target: str, time: int) -> str:
    """The software bill of materials as text."""
    moment = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    text = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    return json.dumps(sbom.document(target, text), indent=2) + "\n"


def tracked(folder: str, prefix: str = "") -> Iterable[archive.Entry]:
    """The files that git knows below a folder."""
    listed = output(["git", "ls-files", "-z", "."], ROOT / folder)
    return archive.files(ROOT / folder, (it for it in listed.split("\0") if it), prefix)


def host() -> str:
    """The target that cargo builds for."""
    lines = output(["rustc", "-vV"]).splitlines()
    return next(it.removeprefix("host: ") for it in lines if it.startswith("host: "))


def commit_time() -> int:
    """When the commit was made."""
    return int(output(["git", "log", "-1", "--format=%ct"]))


def output(command: list[str], folder: Path = ROOT) -> str:
    """What a program prints; it must succeed."""
    run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"release: `{' '.join(command)}` failed")
    return run.stdout


def main(arguments: list[str]) -> None:
    match arguments:
        case ["--sbom"]:
            sys.stdout.write(bill(host(), commit_time()))
        case [binary, folder] if not binary.startswith("-"):
            pack(Path(binary).resolve(), Path(folder).resolve())
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
