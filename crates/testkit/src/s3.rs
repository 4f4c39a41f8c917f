//! A real S3 service of the test's own, on a free loopback port: it checks every signature and
//! keeps objects in a folder that is gone with it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use grantor_storage::object::S3Settings;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

const BUCKET: &str = "pictures";
const ACCESS_KEY_ID: &str = "test-access-key";
const SECRET_ACCESS_KEY: &str = "test-secret-key";

/// A running service with one empty bucket; it ends when dropped.
pub struct S3Server {
    address: SocketAddr,
    task: JoinHandle<()>,
    // Dropped after the service: what it keeps.
    _folder: TempDir,
}

impl S3Server {
    /// Listens on 127.0.0.1.
    pub async fn start() -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join(BUCKET))?;
        let files = FileSystem::new(folder.path())
            .map_err(|error| io::Error::other(format!("{error:?}")))?;
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(accept(listener, service.build()));
        Ok(Self { address, task, _folder: folder })
    }

    /// What a client needs to use it.
    #[must_use]
    pub fn settings(&self) -> S3Settings {
        S3Settings {
            endpoint: format!("http://{}", self.address).parse().ok(),
            bucket: BUCKET.to_owned(),
            region: "us-east-1".to_owned(),
            access_key_id: ACCESS_KEY_ID.into(),
            secret_access_key: SECRET_ACCESS_KEY.into(),
        }
    }

    /// Stops answering: the port is closed when this returns.
    pub async fn stop(&mut self) {
        self.task.abort();
        // Its end is all that is waited for; that it was cut short is known.
        let _ = (&mut self.task).await;
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, service: S3Service) {
    // Dropped with this task, and with it every connection.
    let mut connections = JoinSet::new();
    let server = Builder::new(TokioExecutor::new());
    while let Ok((stream, _)) = listener.accept().await {
        let connection = server.serve_connection(TokioIo::new(stream), service.clone());
        connections.spawn(connection.into_owned());
    }
}
