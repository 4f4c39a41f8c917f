//! A TCP proxy that stands for the network between two programs, and can be cut.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// What happens to connections over a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// Everything passes.
    Open,
    /// Connections are closed, also new ones.
    Cut,
    /// Connections stay, also new ones, but nothing passes until the link is open again.
    Silent,
}

/// A link to a server. It ends when dropped.
#[derive(Debug)]
pub struct Link {
    address: SocketAddr,
    route: watch::Sender<Route>,
    task: JoinHandle<()>,
}

#[derive(Clone, Copy, Debug)]
struct Route {
    target: SocketAddr,
    state: LinkState,
}

impl Link {
    /// An open link from an address of its own to this one.
    pub async fn start(target: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (route, changes) = watch::channel(Route { target, state: LinkState::Open });
        let task = tokio::spawn(accept(listener, changes));
        Ok(Self { address, route, task })
    }

    /// The address that leads to the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes what happens to connections.
    pub fn set(&self, state: LinkState) {
        self.route.send_modify(|it| it.state = state);
    }

    /// Leads new connections to another address.
    pub fn lead_to(&self, target: SocketAddr) {
        self.route.send_modify(|it| it.target = target);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, route: watch::Receiver<Route>) {
    // Connections end with this task.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(carry(stream, route.clone()));
        while connections.try_join_next().is_some() {}
    }
}

async fn carry(near: TcpStream, mut route: watch::Receiver<Route>) {
    if !passable(&mut route).await {
        return;
    }
    let target = route.borrow().target;
    let Ok(far) = TcpStream::connect(target).await else { return };
    let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
    tokio::join!(pump(from_near, to_far, route.clone()), pump(from_far, to_near, route));
}

/// Copies bytes in one direction until it ends or the link is cut.
async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut route: watch::Receiver<Route>) {
    let mut buffer = vec![0; 16 << 10];
    loop {
        let count = tokio::select! {
            read = from.read(&mut buffer) => read.unwrap_or(0),
            () = cut(&mut route) => return,
        };
        if count == 0 {
            // The other direction may go on.
            let _ = to.shutdown().await;
            return;
        }
        if !passable(&mut route).await || to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}

/// Waits while the link is silent. Returns whether it is open.
async fn passable(route: &mut watch::Receiver<Route>) -> bool {
    let found = route.wait_for(|it| it.state != LinkState::Silent).await;
    found.is_ok_and(|it| it.state == LinkState::Open)
}

async fn cut(route: &mut watch::Receiver<Route>) {
    let _ = route.wait_for(|it| it.state == LinkState::Cut).await;
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    /// A server that sends back what it gets.
    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    let _ = tokio::io::copy(&mut from, &mut to).await;
                });
            }
        });
        address
    }

    async fn say(stream: &mut TcpStream, word: &[u8; 2]) -> io::Result<[u8; 2]> {
        stream.write_all(word).await?;
        let mut heard = [0; 2];
        stream.read_exact(&mut heard).await?;
        Ok(heard)
    }

    #[tokio::test]
    async fn a_link_carries_is_silent_and_is_cut() {
        let link = Link::start(echo().await).await.unwrap();
        let mut stream = TcpStream::connect(link.address()).await.unwrap();
        assert_eq!(&say(&mut stream, b"hi").await.unwrap(), b"hi");
        link.set(LinkState::Silent);
        let waiting = timeout(Duration::from_millis(100), say(&mut stream, b"ho")).await;
        assert!(waiting.is_err(), "nothing passes");
        link.set(LinkState::Open);
        let mut late = [0; 2];
        stream.read_exact(&mut late).await.unwrap();
        assert_eq!(&late, b"ho", "what was held up arrives");
        link.set(LinkState::Cut);
        assert!(say(&mut stream, b"no").await.is_err());
        let mut other = TcpStream::connect(link.address()).await.unwrap();
        assert!(say(&mut other, b"no").await.is_err(), "new connections are closed, too");
        link.set(LinkState::Open);
        let mut again = TcpStream::connect(link.address()).await.unwrap();
        assert_eq!(&say(&mut again, b"yo").await.unwrap(), b"yo");
    }
}
