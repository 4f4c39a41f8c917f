//! The variables of mail templates.

/// A variable of a mail template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the template.
    pub name: &'static str,
    /// A sample value.
    pub sample: &'static str,
    /// Whether the template must contain it.
    pub needed: bool,
}

pub(super) const fn may(name: &'static str, sample: &'static str) -> Variable {
    Variable { name, sample, needed: false }
}

pub(super) const fn must(name: &'static str, sample: &'static str) -> Variable {
    Variable { name, sample, needed: true }
}

pub(super) const GREETING: Variable = may("greeting", "Hello Ada Lovelace,");
pub(super) const CODE: Variable = must("code", "012345");
pub(super) const MINUTES: Variable = may("minutes", "5");
pub(super) const DAYS: Variable = may("days", "7");
pub(super) const TOKEN: Variable = must("token", "gat_0123456789abcdefghijklmnopqrstuvwxyz");
/// The token of an invitation, for programs. People have the link.
pub(super) const ACCEPT_TOKEN: Variable = may("token", "gin_0123456789abcdefghijklmnopqrstuvwxyz");
pub(super) const ACCEPT: Variable =
    may("link", "https://grantor.example/app/invitation?token=gin_0123456789");
pub(super) const INVITER: Variable = may("inviter", "Grace Hopper");
pub(super) const ORGANIZATION: Variable = may("organization", "Babbage Talent");
pub(super) const BILL: Variable = may("bill", "49.99 USD (Starter, January 2026)");
