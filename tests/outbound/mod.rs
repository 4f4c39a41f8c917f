//! The outbound client against hostile URLs, names, redirects and receivers.
//!
//! Nothing here can connect to anything but loopback, even if every check were broken: names
//! resolve through a fake, and a URL that leads elsewhere is only checked, which never opens a
//! connection.

pub(crate) mod corpus;
mod own_site;
mod rebinding;
mod receiver;
mod redirect;
mod refusal;

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_outbound::{Dns, Lookup, Outbound, TimeLimits, TxtLookup};

/// Answers from a table; each lookup of a name takes its next answer, and the last one stays. A
/// name that is not in the table resolves to 127.0.0.1.
#[derive(Default)]
pub(crate) struct FakeDns {
    answers: Mutex<HashMap<&'static str, Vec<&'static str>>>,
    lookups: AtomicUsize,
}

impl FakeDns {
    /// Each answer is a list of addresses, `fails` or `hangs`.
    pub(crate) fn with(self, name: &'static str, answers: &[&'static str]) -> Self {
        let reversed = answers.iter().rev().copied().collect();
        self.answers.lock().unwrap().insert(name, reversed);
        self
    }

    fn lookups(&self) -> usize {
        self.lookups.load(Ordering::SeqCst)
    }

    fn next(&self, host: &str) -> &'static str {
        self.lookups.fetch_add(1, Ordering::SeqCst);
        match self.answers.lock().unwrap().get_mut(host) {
            None => "127.0.0.1",
            Some(answers) if answers.len() > 1 => answers.pop().unwrap(),
            Some(answers) => answers[0],
        }
    }
}

impl Dns for FakeDns {
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a> {
        let answer = self.next(host);
        Box::pin(async move {
            match answer {
                "fails" => Err(io::Error::other("no such name")),
                "hangs" => std::future::pending().await,
                "panics" => panic!("as asked"),
                list => {
                    Ok(list.split_whitespace().map(|ip| ip.parse::<IpAddr>().unwrap()).collect())
                }
            }
        })
    }

    fn txt_records<'a>(&'a self, _: &'a str) -> TxtLookup<'a> {
        Box::pin(async { Ok(vec![]) })
    }
}

const PATIENT: TimeLimits =
    TimeLimits { connect: Duration::from_secs(5), total: Duration::from_secs(15) };
/// Only for requests that must time out: a busy machine may exceed these limits where a response is
/// expected.
pub(crate) const HASTY: TimeLimits =
    TimeLimits { connect: Duration::from_millis(150), total: Duration::from_millis(300) };

fn outbound(dns: &Arc<FakeDns>, allowed: &str, limits: TimeLimits) -> Outbound {
    // Fails if a provider is already installed, which is fine.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let dns: Arc<dyn Dns> = dns.clone();
    Outbound::new(dns, allowed.parse().unwrap(), limits).unwrap()
}

/// A client that may reach loopback, with a resolver without a table.
fn on_loopback(limits: TimeLimits) -> Outbound {
    outbound(&Arc::default(), "127.0.0.0/8", limits)
}
