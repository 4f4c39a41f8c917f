//! Identity: accounts, sessions, API clients, tokens, invitations and one-time codes.

pub mod access;
pub mod client;
pub mod code;
pub mod hasher;
pub mod invitation;
pub mod magic_link;
pub mod profile;
pub mod registration;
pub mod reset;
pub mod session;
pub mod token;
