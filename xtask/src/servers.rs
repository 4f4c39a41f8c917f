//! PostgreSQL, PgBouncer, Redis, libfaketime and a browser for the tests, installed if missing.
//! PostgreSQL is started on a free port and stopped at the end; tests start the others themselves.
//! A missing program is an error: no test may be skipped silently.

use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use crate::browser;
use crate::packages::{install, output, program};
use crate::report;

/// Runs the command with the servers in `GRANTOR_TEST_` variables. Returns its exit code.
pub(crate) fn run(command: &[&str]) -> Result<ExitCode, String> {
    let tools = postgres_tools()?;
    program("redis-server", "redis-server")?;
    program("pgbouncer", "pgbouncer")?;
    program("curl", "curl")?;
    // The guides have examples in this language.
    program("python3", "python3")?;
    let faketime = clock_library()?;
    let browser = browser::prepare()?;
    if output("node", &["--version"]).is_err() {
        report("node is not installed: the examples and the SDK in JavaScript are not tested");
    }
    let folder = scratch_folder()?;
    let files = folder.join("files");
    std::fs::create_dir_all(&files).map_err(|error| format!("{}: {error}", files.display()))?;
    let server = Postgres::start(&tools, &folder);
    let status = server.and_then(|server| {
        let guard = Guard::of(server.process.id(), &folder)?;
        let status = Command::new(command[0])
            .args(&command[1..])
            .env("GRANTOR_TEST_POSTGRES_URL", server.url())
            .env("GRANTOR_TEST_POSTGRES_BIN", &tools)
            .env("GRANTOR_TEST_AXE", &browser.axe)
            .env(browser::VARIABLE, browser.program)
            .env("GRANTOR_TEST_FAKETIME", &faketime)
            // Databases, mails and browser profiles of the tests.
            .env("TMPDIR", &files)
            .status()
            .map_err(|error| format!("{}: {error}", command[0]));
        guard.dismiss();
        drop(server);
        status
    });
    let _ = std::fs::remove_dir_all(&folder);
    Ok(if status?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// In memory if there is enough space: each test creates and deletes hundreds of small files.
fn scratch_folder() -> Result<PathBuf, String> {
    let memory = Path::new("/dev/shm");
    let parent = if has_space(memory) { memory.to_owned() } else { std::env::temp_dir() };
    let folder = parent.join(format!("grantor-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn has_space(path: &Path) -> bool {
    let free = output("df", &["--output=avail", "--block-size=1G", &path.to_string_lossy()]);
    let free = free.ok().and_then(|it| it.lines().last()?.trim().parse::<u64>().ok());
    free.is_some_and(|gigabytes| gigabytes >= 4)
}

struct Postgres {
    process: Child,
    port: u16,
}

impl Postgres {
    fn start(tools: &Path, folder: &Path) -> Result<Self, String> {
        let user = Account::for_postgres()?;
        user.own(folder)?;
        let data = folder.join("postgres");
        let made = user
            .command(&tools.join("initdb"))
            .args(["--no-sync", "--auth=trust", "--username=grantor", "--encoding=UTF8"])
            .args(["--locale=C", "-D"])
            .arg(&data)
            .stdout(Stdio::null())
            .status();
        if !made.is_ok_and(|status| status.success()) {
            return Err("initdb failed: see its message above".to_owned());
        }
        let port = free_port()?;
        let process = user
            .command(&tools.join("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-p", &port.to_string(), "-h", "127.0.0.1", "-k", ""])
            .args(["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=400"])
            .args(["-c", "synchronous_commit=off", "-c", "shared_buffers=256MB"])
            .args(["-c", "log_min_messages=panic", "-c", "autovacuum=off"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("postgres did not start: {error}"))?;
        let mut server = Self { process, port };
        server.wait(tools)?;
        Ok(server)
    }

    fn url(&self) -> String {
        format!("postgres://grantor@127.0.0.1:{}", self.port)
    }

    fn wait(&mut self, tools: &Path) -> Result<(), String> {
        for _ in 0..200 {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Err(format!("postgres exited at once: {status}"));
            }
            let ready = Command::new(tools.join("pg_isready"))
                .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()])
                .status();
            if ready.is_ok_and(|status| status.success()) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err("postgres did not answer within 10 seconds".to_owned())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // SIGQUIT is an immediate shutdown, which also ends the child processes.
        let _ = Command::new("kill").args(["-QUIT", &self.process.id().to_string()]).status();
        let _ = self.process.wait();
    }
}

/// Waits until it reads the end of its input, then stops the server at once and deletes its folder. A
/// server that was started in the background of a script may ignore SIGQUIT.
const STOP: &str = "cat > /dev/null; kill -QUIT \"$1\"
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 \"$1\" || break; sleep 0.5; done
kill -0 \"$1\" && kill -KILL \"$1\"
rm -rf \"$2\"";

/// A process that stops a server when this one was killed: no signal ends both. It notices because a
/// pipe that only this process holds is closed.
struct Guard(Child);

impl Guard {
    fn of(server: u32, folder: &Path) -> Result<Self, String> {
        let process = Command::new("sh")
            .args(["-c", STOP, "sh", &server.to_string()])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C, which goes to the whole group, would end it first.
            .process_group(0)
            .spawn();
        process.map(Self).map_err(|error| format!("sh: {error}"))
    }

    /// The server is stopped by this process.
    fn dismiss(mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The user that runs PostgreSQL. It refuses to run as root, so root uses its package's user.
struct Account(Option<(u32, u32)>);

impl Account {
    fn for_postgres() -> Result<Self, String> {
        if output("id", &["-u"])? != "0" {
            return Ok(Self(None));
        }
        let number = |flag| {
            output("id", &[flag, "postgres"])?.parse().map_err(|_| "no user postgres".to_owned())
        };
        Ok(Self(Some((number("-u")?, number("-g")?))))
    }

    fn own(&self, folder: &Path) -> Result<(), String> {
        match self.0 {
            Some((user, group)) => std::os::unix::fs::chown(folder, Some(user), Some(group))
                .map_err(|error| format!("{}: {error}", folder.display())),
            None => Ok(()),
        }
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir("/");
        if let Some((user, group)) = self.0 {
            command.uid(user).gid(group);
        }
        command
    }
}

/// The library that sets the clock of a single program.
fn clock_library() -> Result<PathBuf, String> {
    let find = || {
        let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
        let mut known: Vec<PathBuf> = folders.map(|it| it.path().join("faketime")).collect();
        known.extend(["/usr/lib/faketime", "/usr/local/lib/faketime"].map(PathBuf::from));
        known.into_iter().map(|it| it.join("libfaketimeMT.so.1")).find(|it| it.exists())
    };
    if let Some(found) = find() {
        return Ok(found);
    }
    install("libfaketime")?;
    find().ok_or_else(|| "libfaketime was installed, but has no libfaketimeMT.so.1".to_owned())
}

fn postgres_tools() -> Result<PathBuf, String> {
    if let Some(found) = find_postgres() {
        return Ok(found);
    }
    install("postgresql")?;
    find_postgres().ok_or_else(|| "PostgreSQL was installed, but has no initdb".to_owned())
}

fn find_postgres() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut known: Vec<PathBuf> = folders.map(|it| it.path().join("bin")).collect();
    known.sort();
    known.reverse();
    known.extend(["/usr/bin", "/usr/local/bin", "/usr/local/pgsql/bin"].map(PathBuf::from));
    known.into_iter().find(|folder| {
        ["initdb", "postgres", "pg_isready"].iter().all(|it| folder.join(it).exists())
    })
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    drop(listener);
    debug_assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    Ok(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that stands for a server, and a folder of it.
    fn started(name: &str) -> (Child, PathBuf) {
        let server = Command::new("sleep").arg("600").spawn().unwrap();
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("files")).unwrap();
        (server, folder)
    }

    #[test]
    fn a_server_ends_with_the_process_that_started_it() {
        let (mut server, folder) = started("grantor-guard-closed");
        let mut guard = Guard::of(server.id(), &folder).unwrap();
        // As when this process is killed.
        drop(guard.0.stdin.take());
        assert!(!server.wait().unwrap().success(), "it was ended by a signal");
        guard.0.wait().unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn a_server_that_is_stopped_in_order_is_left_alone() {
        let (mut server, folder) = started("grantor-guard-dismissed");
        Guard::of(server.id(), &folder).unwrap().dismiss();
        assert_eq!((server.try_wait().unwrap(), folder.exists()), (None, true));
        server.kill().unwrap();
        server.wait().unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }
}
