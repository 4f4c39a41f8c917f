//! The program itself, as a process: what it says when it cannot start, what it answers on the
//! wire, and how it ends.

mod backup;
mod commands;
mod demo;
mod listen;
mod log;
mod nodes;
mod proxy;
mod refusal;
mod staff;
mod start;
mod stop;
mod tls;
mod trouble;
mod wire;

use std::path::{Path, PathBuf};

use grantor_testkit::server::Installation;
use grantor_testkit::smtp::SelfSigned;

/// Writes a certificate and its key into a folder; gives their paths.
fn write_identity(folder: &Path, identity: &SelfSigned) -> [PathBuf; 2] {
    let paths = ["cert.pem", "key.pem"].map(|name| folder.join(name));
    std::fs::write(&paths[0], &identity.certificate).unwrap();
    std::fs::write(&paths[1], &identity.key).unwrap();
    paths
}

/// The same installation, told to use these files for TLS.
fn with_tls(room: Installation, [cert, key]: &[PathBuf; 2]) -> Installation {
    room.with("GRANTOR_TLS_CERT", cert.to_str().unwrap())
        .with("GRANTOR_TLS_KEY", key.to_str().unwrap())
}
