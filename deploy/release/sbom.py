"""Writes the software bill of materials: a CycloneDX document of every crate in the program."""

from __future__ import annotations

import json
import re
import subprocess
import uuid
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "grantor-server"
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"
Package = dict[str, Any]


def document(target: str, time: str) -> dict[str, Any]:
    """The document for a program that was built for a target."""
    metadata = json.loads(_cargo("metadata", "--format-version=1", f"--filter-platform={target}"))
    sums = _checksums()
    used = _used(target)
    linked = {it["id"]: it for it in metadata["packages"] if _key(it) in used}
    root = next(it for it in linked.values() if it["name"] == PACKAGE)
    others = sorted((it for it in linked.values() if it is not root), key=_key)
    nodes = {it["id"]: it for it in metadata["resolve"]["nodes"]}
    body = {
        "metadata": {
            "timestamp": time,
            "component": _component(root, "application", sums),
            "properties": [{"name": "target", "value": target}],
        },
        "components": [_component(it, "library", sums) for it in others],
        "dependencies": [_dependencies(nodes[it["id"]], linked) for it in [root, *others]],
    }
    # The same content has the same number, so that a build can be repeated byte by byte.
    name = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{name}"}
    return {**head, "version": 1, **body}


def version() -> str:
    """The version of the workspace."""
    found = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    if found is None:
        raise SystemExit("release: Cargo.toml has no version")
    return found[1]


def _component(package: Package, kind: str, sums: dict[tuple[str, str], str]) -> dict[str, Any]:
    name, number = _key(package)
    component = {"type": kind, "bom-ref": _reference(package), "name": name, "version": number}
    if package["license"]:
        # Older crates separate their licenses with a slash.
        component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package["source"] == REGISTRY:
        component["hashes"] = [{"alg": "SHA-256", "content": sums[name, number]}]
        component["purl"] = f"pkg:cargo/{name}@{number}"
    return component


def _dependencies(node: Package, linked: dict[str, Package]) -> dict[str, Any]:
    def is_used(dependency: Package) -> bool:
        kinds = {it["kind"] for it in dependency["dep_kinds"]}
        return dependency["pkg"] in linked and kinds != {"dev"}

    used = [linked[it["pkg"]] for it in node["deps"] if is_used(it)]
    return {"ref": _reference(linked[node["id"]]), "dependsOn": sorted(map(_reference, used))}


def _used(target: str) -> set[tuple[str, str]]:
    """The crates that the program contains or is built with, with the features of its build."""
    tree = ["tree", f"--package={PACKAGE}", "--edges=normal,build", f"--target={target}"]
    lines = _cargo(*tree, "--prefix=none", "--format={p}").splitlines()
    words = (it.split() for it in lines if it)
    return {(it[0], it[1].removeprefix("v")) for it in words}


def _checksums() -> dict[tuple[str, str], str]:
    """The SHA-256 of the archive of each crate, which cargo compared when it downloaded it."""
    pattern = r'name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"'
    found = re.findall(pattern, (ROOT / "Cargo.lock").read_text())
    return {(name, number): digest for name, number, digest in found}


def _key(package: Package) -> tuple[str, str]:
    return package["name"], package["version"]


def _reference(package: Package) -> str:
    return f"{package['name']}@{package['version']}"


def _cargo(*arguments: str) -> str:
    command = ["cargo", *arguments, "--locked", "--offline"]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"release: `{' '.join(command)}` failed")
    return run.stdout
