//! A real S3 service of one test on a free loopback port. It checks every signature and stores
//! objects in a temporary directory.

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
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

const BUCKET: &str = "pictures";
const ACCESS_KEY_ID: &str = "test-access-key";
const SECRET_ACCESS_KEY: &str = "test-secret-key";

/// A running service with one empty bucket; it stops when dropped.
pub struct S3Server {
    address: SocketAddr,
    task: JoinHandle<()>,
    // The service stops when it is dropped.
    running: Option<oneshot::Sender<()>>,
    // Dropped after the service that uses it.
    _folder: TempDir,
}

impl S3Server {
    /// Starts a service on 127.0.0.1.
    pub async fn start() -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join(BUCKET))?;
        let files = FileSystem::new(folder.path())
            .map_err(|error| io::Error::other(format!("{error:?}")))?;
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(ACCESS_KEY_ID, SECRET_ACCESS_KEY));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (running, stopped) = oneshot::channel();
        let task = tokio::spawn(accept(listener, service.build(), stopped));
        Ok(Self { address, task, running: Some(running), _folder: folder })
    }

    /// The settings for a client.
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

    /// Stops the service: the port and all connections are closed when this returns.
    pub async fn stop(&mut self) {
        drop(self.running.take());
        (&mut self.task).await.expect("the service stops");
    }
}

async fn accept(listener: TcpListener, service: S3Service, mut stopped: oneshot::Receiver<()>) {
    let mut connections = JoinSet::new();
    let server = Builder::new(TokioExecutor::new());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stopped => break,
        };
        let Ok((stream, _)) = accepted else { break };
        let connection = server.serve_connection(TokioIo::new(stream), service.clone());
        connections.spawn(connection.into_owned());
    }
    drop(listener);
    // Connections that were only told to end could still answer a request.
    connections.shutdown().await;
}
