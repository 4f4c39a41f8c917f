"""Archives that are the same byte by byte whoever makes them, and their checksums."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

# A name, the content or where it is, and whether the file is executable.
Entry = tuple[str, bytes | Path, bool]


def write(path: Path, folder: str, entries: Iterable[Entry], time: int) -> None:
    """Writes the files into an archive, below a folder."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, time) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, source, is_executable in sorted(entries, key=lambda it: it[0]):
                content = source.read_bytes() if isinstance(source, Path) else source
                about = tarfile.TarInfo(f"{folder}/{name}")
                about.size, about.mtime = len(content), time
                about.mode = 0o755 if is_executable else 0o644
                archive.addfile(about, io.BytesIO(content))


def files(root: Path, names: Iterable[str], prefix: str = "") -> Iterable[Entry]:
    """Files below a folder."""
    for name in names:
        path = root / name
        if path.is_file():
            yield prefix + name, path, path.stat().st_mode & 0o100 != 0


def below(root: Path, prefix: str = "") -> Iterable[Entry]:
    """Every file below a folder."""
    names = (str(it.relative_to(root)) for it in root.rglob("*") if it.is_file())
    return files(root, names, prefix)


def sums(folder: Path) -> str:
    """The checksums of all files of a folder, as `sha256sum --check` reads them."""
    names = sorted(str(it.relative_to(folder)) for it in folder.rglob("*") if it.is_file())
    named = [(hashlib.sha256((folder / it).read_bytes()).hexdigest(), it) for it in names]
    return "".join(f"{digest}  {name}\n" for digest, name in named)
