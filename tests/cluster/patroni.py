"""Failovers of a PostgreSQL cluster that Patroni and etcd run, with two Grantor nodes under load.

usage: patroni.py GRANTOR [ROUNDS]

Three PostgreSQL servers under Patroni, two nodes that know all three by one URL, and clients that
begin registrations on both. Each round hands the primary over, crashes it, and kills it together
with its Patroni. Every acknowledged registration must be in the database once. Prints a line for
each event with the time until both nodes accepted a write again, and exits with 1 if a write was
lost, an error had no Retry-After, or a node was ready for more than five seconds while it refused
every write.

Needs the packages patroni, etcd-server, python3-etcd and postgresql. If they are not installed, it
says so and exits with 0.
"""

import glob
import http.client
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SERVERS = ("one", "two", "three")
PACKAGES = "patroni etcd-server python3-etcd postgresql"
PASSWORD = "Engine-No-1843!"


def programs():
    """The folder of PostgreSQL's programs, or None if something is not installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))
    missing = [name for name in ("patroni", "etcd") if not shutil.which(name)]
    return os.path.dirname(found[-1]) if found and not missing else None


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [it.getsockname()[1] for it in sockets]
    for it in sockets:
        it.close()
    return ports


def request(port, method, path, body=None, timeout=40):
    """Status, headers and body; status 0 if the connection failed."""
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"content-type": "application/json"})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode()
    except (OSError, http.client.HTTPException):
        return 0, {}, ""


def wait_for(what, check, seconds=90):
    """Polls until the check returns something."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = check()
        if found:
            return found
        time.sleep(0.2)
    raise SystemExit(f"patroni: timed out waiting for {what}")


class Cluster:
    """etcd, and three servers with their Patroni."""

    def __init__(self, folder, tools):
        self.folder, self.tools = folder, tools
        ports = free_ports(8)
        self.etcd_ports = ports[:2]
        self.database_ports = dict(zip(SERVERS, ports[2:5]))
        self.api_ports = dict(zip(SERVERS, ports[5:8]))
        self.processes = {}
        account = pwd.getpwnam("postgres") if os.getuid() == 0 else None
        self.account = account and {"user": account.pw_uid, "group": account.pw_gid}
        if account:
            os.chown(folder, account.pw_uid, account.pw_gid)

    def spawn(self, name, command):
        log = open(f"{self.folder}/{name}.log", "ab")
        environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}", "LC_ALL": "C"}
        self.processes[name] = subprocess.Popen(
            command, stdout=log, stderr=log, cwd=self.folder, env=environment,
            start_new_session=True, **(self.account or {}),
        )

    def start(self):
        client, peer = (f"http://127.0.0.1:{port}" for port in self.etcd_ports)
        self.spawn("etcd", [
            "etcd", "--name", "e", "--data-dir", f"{self.folder}/etcd", "--unsafe-no-fsync",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
            "--initial-cluster", f"e={peer}",
        ])
        wait_for("etcd", lambda: request(self.etcd_ports[0], "GET", "/health")[0] == 200)
        for name in SERVERS:
            self.start_server(name)
        wait_for("three members", lambda: len(self.members("running", "streaming")) == 3)

    def start_server(self, name):
        path = f"{self.folder}/{name}.json"
        with open(path, "w") as file:
            json.dump(self.settings(name), file)
        if self.account:
            os.chown(path, self.account["user"], self.account["group"])
        self.spawn(name, ["patroni", path])

    def settings(self, name):
        # Patroni reads YAML, and JSON is YAML.
        here = f"127.0.0.1:{self.database_ports[name]}"
        api = f"127.0.0.1:{self.api_ports[name]}"
        hba = ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust",
               "local all all trust"]
        return {
            "scope": "grantor", "name": name,
            "restapi": {"listen": api, "connect_address": api},
            "etcd3": {"host": f"127.0.0.1:{self.etcd_ports[0]}"},
            "bootstrap": {
                "dcs": {
                    "ttl": 20, "loop_wait": 1, "retry_timeout": 3, "master_start_timeout": 0,
                    # An acknowledged write is on two servers.
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {
                        "fsync": "off", "max_connections": 200, "wal_log_hints": "on",
                    }},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}],
            },
            "postgresql": {
                "listen": here, "connect_address": here, "bin_dir": self.tools,
                "data_dir": f"{self.folder}/{name}", "pgpass": f"{self.folder}/{name}.pgpass",
                "authentication": {
                    "superuser": {"username": "postgres", "password": "p"},
                    "replication": {"username": "copier", "password": "p"},
                    "rewind": {"username": "rewinder", "password": "p"},
                },
                "parameters": {"unix_socket_directories": self.folder},
                "pg_hba": hba,
            },
        }

    def members(self, *states):
        for port in self.api_ports.values():
            status, _, body = request(port, "GET", "/cluster", timeout=3)
            if status == 200:
                members = json.loads(body)["members"]
                return [it for it in members if not states or it["state"] in states]
        return []

    def leader(self):
        """The name of the primary that accepts writes."""
        for name, port in self.api_ports.items():
            if request(port, "GET", "/primary", timeout=3)[0] == 200:
                return name
        return None

    def query(self, name, text):
        url = f"postgres://postgres@127.0.0.1:{self.database_ports[name]}/postgres"
        command = [f"{self.tools}/psql", url, "-Atc", text]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def url(self):
        places = ",".join(f"127.0.0.1:{self.database_ports[name]}" for name in SERVERS)
        return f"postgres://postgres@{places}/postgres"

    def switch_over(self):
        leader = self.leader()
        body = {"leader": leader}
        status, _, text = request(self.api_ports[leader], "POST", "/switchover", body)
        if status != 200:
            raise SystemExit(f"patroni: the switchover failed: {text}")

    def crash(self):
        """Kills the primary's processes; Patroni stays."""
        leader = self.leader()
        with open(f"{self.folder}/{leader}/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGKILL)

    def kill_node(self):
        """Kills the primary and its Patroni, as if the machine had lost its power."""
        leader = self.leader()
        self.processes[leader].kill()
        self.processes[leader].wait()
        with open(f"{self.folder}/{leader}/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGKILL)
        return leader

    def stop(self):
        for process in self.processes.values():
            # Patroni ends its server when it is told to end.
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


class Node:
    """A Grantor node and a client that begins one registration after the other on it."""

    def __init__(self, binary, folder, number, url):
        self.number, self.folder = number, f"{folder}/node{number}"
        os.makedirs(self.folder, exist_ok=True)
        self.port, = free_ports(1)
        self.environment = {
            "PATH": os.environ["PATH"], "GRANTOR_DATA_DIR": self.folder,
            "GRANTOR_LISTEN": f"127.0.0.1:{self.port}", "GRANTOR_METRICS_LISTEN": "off",
            "GRANTOR_DATABASE_URL": url, "GRANTOR_DATABASE_REPLICA_URL": url,
            "GRANTOR_LIMITS": "off",
        }
        self.binary, self.process = binary, None
        self.acknowledged, self.refused, self.no_retry = [], 0, []
        self.compared, self.lost, self.doubled = 0, [], []
        self.last_write = self.ready_but_refusing = 0.0
        self.longest_lie = 0.0
        self.stopping = threading.Event()

    def start(self):
        log = open(f"{self.folder}/log", "ab")
        self.process = subprocess.Popen(
            [self.binary, "serve"], env=self.environment, stdout=log, stderr=log,
        )
        wait_for(f"node {self.number}", lambda: self.is_ready())

    def is_ready(self):
        return request(self.port, "GET", "/readyz", timeout=5)[0] == 200

    def work(self):
        count = 0
        while not self.stopping.is_set():
            count += 1
            email = f"n{self.number}-{count}@example.com"
            body = {"fullname": "Ada Lovelace", "email": email, "password": PASSWORD}
            status, headers, _ = request(self.port, "POST", "/v1.0.1/auth/m/register", body)
            if status == 201:
                self.acknowledged.append(email)
                self.last_write, self.ready_but_refusing = time.monotonic(), 0.0
            else:
                self.refused += 1
                if status >= 500 and "retry-after" not in {it.lower() for it in headers}:
                    self.no_retry.append((email, status))
                self.note_refusal()
                time.sleep(0.2)

    def note_refusal(self):
        """Measures how long the node says that it is ready while it refuses writes."""
        now = time.monotonic()
        if not self.is_ready():
            self.ready_but_refusing = 0.0
        elif not self.ready_but_refusing:
            self.ready_but_refusing = now
        else:
            self.longest_lie = max(self.longest_lie, now - self.ready_but_refusing)

    def compare(self, rows, count):
        """Looks for what was acknowledged since the last call. Rows last for five minutes."""
        written = self.acknowledged[self.compared:count]
        self.compared = count
        self.lost += [email for email in written if rows.count(email) == 0]
        self.doubled += [email for email in written if rows.count(email) > 1]

    def stop(self):
        self.stopping.set()
        if self.process:
            self.process.terminate()
            self.process.wait(40)


def disturb(cluster, nodes, name, act):
    """Does something to the cluster and waits until both nodes write again. Returns the seconds."""
    before = cluster.leader()
    begun = time.monotonic()
    killed = act()
    wait_for("another primary", lambda: (it := cluster.leader()) and it != before and it)
    elected = time.monotonic() - begun
    wait_for("writes on both nodes", lambda: all(
        it.last_write > begun + elected for it in nodes))
    # Of the node that took longer, its first write after the election.
    taken = max(it.last_write for it in nodes) - begun
    print(f"{name}: another primary after {elected:.1f} s, writes on both nodes after {taken:.1f} s",
          flush=True)
    if killed:
        cluster.start_server(killed)
    wait_for("three members", lambda: len(cluster.members("running", "streaming")) == 3, 180)
    wait_for("a synchronous standby", lambda: any(
        it["role"] == "sync_standby" for it in cluster.members()), 180)
    compare(cluster, nodes)


def compare(cluster, nodes):
    """Compares what was acknowledged with what is there."""
    counts = [len(node.acknowledged) for node in nodes]
    rows = cluster.query(cluster.leader(), "SELECT email_key FROM challenges").split()
    for node, count in zip(nodes, counts):
        node.compare(rows, count)


def problems_of(nodes):
    """Prints the sums. Returns the problems."""
    acknowledged = sum(len(node.acknowledged) for node in nodes)
    lost = [email for node in nodes for email in node.lost]
    doubled = [email for node in nodes for email in node.doubled]
    no_retry = [it for node in nodes for it in node.no_retry]
    lie = max(node.longest_lie for node in nodes)
    refused = sum(node.refused for node in nodes)
    print(f"{acknowledged} writes acknowledged, {refused} refused, {len(lost)} lost, "
          f"{len(doubled)} doubled; ready while refusing for at most {lie:.1f} s")
    problems = []
    if lost or doubled:
        problems.append(f"lost: {lost[:5]}, doubled: {doubled[:5]}")
    if no_retry:
        problems.append(f"errors without Retry-After: {no_retry[:5]}")
    if lie > 5:
        problems.append("a node was ready for more than 5 s while it refused every write")
    return problems


def run(binary, rounds, tools, folder):
    cluster = Cluster(folder, tools)
    nodes = []
    try:
        cluster.start()
        os.makedirs(f"{folder}/nodes")
        nodes = [Node(binary, f"{folder}/nodes", number, cluster.url()) for number in (1, 2)]
        nodes[0].start()
        # Both nodes have the same keys.
        keys = f"{nodes[0].folder}/keys.json"
        if os.path.exists(keys):
            shutil.copy(keys, f"{nodes[1].folder}/keys.json")
        nodes[1].start()
        workers = [threading.Thread(target=node.work, daemon=True) for node in nodes]
        for worker in workers:
            worker.start()
        wait_for("the first writes", lambda: all(node.acknowledged for node in nodes))
        acts = [("switchover", cluster.switch_over), ("crash of the primary", cluster.crash),
                ("death of the primary's machine", cluster.kill_node)]
        for number in range(rounds):
            for name, act in acts:
                disturb(cluster, nodes, f"round {number + 1}, {name}", act)
        for node in nodes:
            node.stopping.set()
        for worker in workers:
            worker.join(60)
        compare(cluster, nodes)
        return problems_of(nodes)
    finally:
        for node in nodes:
            node.stop()
        cluster.stop()


def main(arguments):
    if len(arguments) not in (1, 2):
        raise SystemExit(__doc__)
    tools = programs()
    if not tools:
        print(f"patroni: not run, because it needs: apt-get install {PACKAGES}")
        return 0
    rounds = int(arguments[1]) if len(arguments) == 2 else 1
    folder = tempfile.mkdtemp(prefix="grantor-patroni-")
    os.chmod(folder, 0o755)
    problems = run(os.path.abspath(arguments[0]), rounds, tools, folder)
    for problem in problems:
        print(f"patroni: {problem} (logs in {folder})")
    if not problems:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
