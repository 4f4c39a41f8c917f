"""Clients generated from the OpenAPI documents by the tools of others, without a warning.

    python3 tests/foreign/generate_clients.py [FOLDER]

Installs openapi-python-client and openapi-generator from PyPI and openapi-typescript from npm into a
temporary folder, and generates clients from both documents in docs/openapi, or in another folder. It
exits with 1 if a tool fails or warns. Needs Python 3.10 with venv, Node 18 with npm, Java 11, and both
registries; nothing is left behind.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = HERE.parent.parent / "docs" / "openapi"
PYPI = ["openapi-python-client==0.29.1", "openapi-generator-cli==7.26.0", "ruff==0.14.5"]
NPM = ["openapi-typescript@7.13.0", "typescript@5.9.3"]
LANGUAGES = ["python", "typescript-fetch", "java"]

# What openapi-generator says of any document, or of a name that the API's contract gives.
EXPECTED = [
    (r"OpenAPI 3\.1 support is still in beta", "of every document of this version"),
    (r"Failed to get the schema name: null", "of every document with a schema"),
    (r"Ignoring complex example on request body", "of every body with an example, in Java"),
    (r"(From|Class) \(reserved word\) cannot be used as model name", "of the parameters from and class"),
    (r"Could not compute datatypeWithEnum", "of a list of files whose name ends in []"),
]


def run(command, **more):
    ran = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )
    if ran.returncode != 0:
        sys.exit(f"{command} ended with {ran.returncode}: {ran.stdout[-3000:]}")
    return ran.stdout


def install(folder):
    run([sys.executable, "-m", "venv", folder / "python"])
    run([folder / "python" / "bin" / "python", "-m", "pip", "install", "--quiet", *PYPI])
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *NPM])


def python_client(folder, document, out):
    """openapi-python-client knows no media types of files."""
    config = folder / "config.yml"
    kinds = ["application/pdf", "application/zip"]
    texts = ["application/statuslist+jwt", "application/rsl+xml", "text/csv"]
    lines = [f"  {it}: application/octet-stream" for it in kinds]
    lines += [f"  {it}: text/plain" for it in texts]
    config.write_text("\n".join(["content_type_overrides:", *lines, ""]))
    tools = folder / "python" / "bin"
    command = [tools / "openapi-python-client", "generate", "--path", document]
    command += ["--output-path", out, "--meta", "none", "--config", config]
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    said = run(command, env=os.environ | {"PATH": path})
    return [said] if "arning" in said else []


def typescript_types(folder, document, out):
    tools = folder / "node_modules" / ".bin"
    said = run([tools / "openapi-typescript", document, "-o", f"{out}.ts"])
    run([tools / "tsc", "--noEmit", "--strict", f"{out}.ts"])
    return [line for line in said.splitlines() if re.search(r"warn|error|⚠", line, re.IGNORECASE)]


def generator_client(folder, document, out, language):
    tool = folder / "python" / "bin" / "openapi-generator-cli"
    said = run([tool, "generate", "-i", document, "-g", language, "-o", out])
    loud = [line for line in said.splitlines() if re.search(r" (WARN|ERROR) ", line)]
    return [it for it in loud if not any(re.search(known, it) for known, _ in EXPECTED)]


def main():
    documents = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        install(folder)
        faults = []
        for name in ["external", "console"]:
            document = documents / f"{name}.json"
            found = {"openapi-python-client": python_client(folder, document, folder / f"{name}-1")}
            found["openapi-typescript"] = typescript_types(folder, document, folder / f"{name}-2")
            for language in LANGUAGES:
                out = folder / f"{name}-{language}"
                found[f"openapi-generator {language}"] = generator_client(folder, document, out, language)
            for tool, warnings in found.items():
                print(f"{name}, {tool}: {len(warnings)} warnings", flush=True)
                faults += [f"{name}, {tool}: {it}" for it in warnings]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
