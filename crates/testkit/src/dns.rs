//! A DNS server on loopback that serves TXT records over UDP.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use hickory_proto::op::{Message, ResponseCode};
use hickory_proto::rr::rdata::TXT;
use hickory_proto::rr::{RData, Record, RecordType};
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;

/// A running DNS server; it stops when dropped.
pub struct NameServer {
    address: SocketAddr,
    zone: Arc<Mutex<Zone>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Zone {
    texts: HashMap<String, Vec<Vec<String>>>,
    broken: bool,
    queries: Vec<String>,
}

impl NameServer {
    /// Starts a server without records on 127.0.0.1.
    pub async fn start() -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = socket.local_addr()?;
        let zone = Arc::new(Mutex::new(Zone::default()));
        let task = tokio::spawn(serve(socket, Arc::clone(&zone)));
        Ok(Self { address, zone, task })
    }

    /// The server's address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds a TXT record, in one or several strings.
    pub fn add(&self, name: &str, pieces: &[&str]) {
        let pieces = pieces.iter().map(|it| (*it).to_owned()).collect();
        lock(&self.zone).texts.entry(name.to_owned()).or_default().push(pieces);
    }

    /// Answers every further query with SERVFAIL.
    pub fn break_down(&self) {
        lock(&self.zone).broken = true;
    }

    /// The queried names, in order.
    #[must_use]
    pub fn queries(&self) -> Vec<String> {
        lock(&self.zone).queries.clone()
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(zone: &Mutex<Zone>) -> std::sync::MutexGuard<'_, Zone> {
    zone.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(socket: UdpSocket, zone: Arc<Mutex<Zone>>) {
    let mut bytes = [0; 1024];
    while let Ok((length, from)) = socket.recv_from(&mut bytes).await {
        let Ok(question) = Message::from_vec(&bytes[..length]) else { continue };
        let answer = answer(&question, &mut lock(&zone)).to_vec();
        let _ = socket.send_to(&answer.expect("an answer that fits"), from).await;
    }
}

fn answer(question: &Message, zone: &mut Zone) -> Message {
    let mut answer = Message::response(question.metadata.id, question.metadata.op_code);
    answer.metadata.authoritative = true;
    answer.metadata.recursion_desired = question.metadata.recursion_desired;
    answer.metadata.recursion_available = true;
    let Some(query) = question.queries.first() else { return answer };
    answer.add_query(query.clone());
    let name = query.name().to_ascii().trim_end_matches('.').to_lowercase();
    zone.queries.push(name.clone());
    let texts = zone.texts.get(&name).filter(|_| query.query_type() == RecordType::TXT);
    for pieces in texts.into_iter().flatten() {
        let text = RData::TXT(TXT::new(pieces.clone()));
        answer.add_answer(Record::from_rdata(query.name().clone(), 300, text));
    }
    answer.metadata.response_code = match texts {
        _ if zone.broken => ResponseCode::ServFail,
        None => ResponseCode::NXDomain,
        Some(_) => ResponseCode::NoError,
    };
    answer
}
