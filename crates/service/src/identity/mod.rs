//! Identity: accounts, sessions, second factors, single sign-on, API clients, tokens, invitations and
//! one-time codes.

pub mod access;
pub mod ceremony;
pub mod client;
pub mod code;
pub mod hasher;
pub mod invitation;
pub mod magic_link;
pub mod passkey;
pub mod profile;
pub mod registration;
pub mod reset;
pub mod sample;
pub mod second_factor;
pub mod session;
pub mod single_sign_on;
pub mod token;
