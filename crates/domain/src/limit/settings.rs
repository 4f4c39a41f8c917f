//! The names of the limits, their default values, and the setting that changes them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::Window;
use crate::plan::Plans;

/// The name of a rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LimitName {
    /// The public catalog, per IP address.
    Metadata,
    /// Pictures of the catalog, per IP address. A page of the catalog shows many.
    CatalogPictures,
    /// Token introspection, per IP address.
    TokenInfo,
    /// Verifications of receipts, per IP address.
    ReceiptVerify,
    /// Checks by people who are not signed in, per IP address (contract-2 section 24).
    PublicCheck,
    /// Token exchange in the external API, per key.
    ExternalToken,
    /// Token exchange of the console document, per client.
    LegacyToken,
    /// Sign-in attempts, per IP address.
    Login,
    /// Failed sign-ins per username, from any address. When exceeded, only devices the user has
    /// signed in on before are accepted. Not in the documents: prevents distributed password
    /// guessing.
    LoginFailures,
    /// Mails that warn users of failed sign-ins, per account.
    LoginWarning,
    /// The three registration endpoints together, per IP address.
    Register,
    /// Refused token exchanges, per IP address over all keys. Bounds callers that try made-up keys.
    TokenRefused,
    /// API key checks, per key; for unknown keys, per IP address.
    KeyCheck,
    /// Token refreshes in the console, per user; invalid refresh tokens of both APIs, per IP
    /// address.
    Refresh,
    /// Unused magic links, per email address.
    MagicLink,
    /// Password reset codes, per email address. Not in the documents: prevents flooding a mailbox.
    PasswordReset,
    /// Wrong codes, per IP address. When exceeded, all codes are refused as wrong (contract-2
    /// section 27).
    Codes,
    /// Wrong codes, per account, from any address.
    AccountCodes,
    /// Wrong codes of authenticator apps after a correct first factor, per account; known devices
    /// and others count separately.
    SecondFactor,
    /// Mails requested without an account, per IP address of the caller. Not in the documents: the
    /// limits per email address alone would let one caller mail everyone.
    MailRequest,
    /// Mails one sender causes to one email address (contract-2 section 27).
    MailSender,
    /// Mails all senders together cause to one email address (contract-2 section 27).
    MailRecipient,
    /// Invitations per tenant. The value is set by the plan.
    Invitations,
    /// Letters about mentions per tenant. The value is set by the plan.
    Letters,
    /// The external API on the Free plan, per client.
    ExternalFree,
    /// The external API on the Starter plan, per client.
    ExternalStarter,
    /// The external API on the Pro plan, per client.
    ExternalPro,
    /// The external API on the Enterprise plan, per client.
    ExternalEnterprise,
    /// The console API, per user.
    Console,
    /// The admin API, per staff member.
    Admin,
    /// Checks of a platform's domain, per user. Not in the documents: prevents scanning other
    /// people's hosts.
    Verification,
    /// Searches for parties by name, per user (contract-2 section 27).
    Parties,
    /// Confirmations and pushes of WebSub hubs, per IP address. One hub pushes many feeds.
    Hub,
    /// Public endpoints without a documented limit, per IP address.
    Open,
    /// Unknown paths, wrong methods and refused credentials, per IP address. Not in the documents:
    /// gives these responses the required rate-limit headers.
    Anonymous,
}

const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;
const LONGEST: u64 = 31 * DAY;
/// The key of the monthly quota in the setting.
const QUOTA: &str = "quota";
const NO_LIMIT: &str = "is not a limit";
const OF_THE_PLANS: &str = "can only be off: the plans set its value";

/// The limits given in the "Limits" sections of both documents and in the plans.
const TABLE: [(LimitName, &str, &[Window]); 35] = [
    (LimitName::Metadata, "metadata", &[per(60, MINUTE)]),
    (LimitName::CatalogPictures, "catalog_pictures", &[per(1_200, MINUTE)]),
    (LimitName::TokenInfo, "token_info", &[per(60, MINUTE)]),
    (LimitName::ReceiptVerify, "receipt_verify", &[per(60, MINUTE)]),
    (LimitName::PublicCheck, "public_check", &[per(10, MINUTE)]),
    (LimitName::ExternalToken, "external_token", &[per(10, HOUR)]),
    (LimitName::LegacyToken, "legacy_token", &[per(10, MINUTE), per(20, 5 * MINUTE)]),
    (LimitName::Login, "login", &[per(5, MINUTE)]),
    (
        LimitName::LoginFailures,
        "login_failures",
        &[per(10, 15 * MINUTE), per(20, HOUR), per(50, 24 * HOUR)],
    ),
    (LimitName::LoginWarning, "login_warning", &[per(1, 24 * HOUR)]),
    (LimitName::Register, "register", &[per(3, MINUTE)]),
    (LimitName::TokenRefused, "token_refused", &[per(30, MINUTE)]),
    (LimitName::KeyCheck, "key_check", &[per(100, MINUTE)]),
    (LimitName::Refresh, "refresh", &[per(10, MINUTE)]),
    (LimitName::MagicLink, "magic_link", &[per(3, HOUR)]),
    (LimitName::PasswordReset, "password_reset", &[per(5, HOUR)]),
    (LimitName::Codes, "codes", &[per(20, HOUR)]),
    (LimitName::AccountCodes, "account_codes", &[per(10, 24 * HOUR)]),
    (LimitName::SecondFactor, "second_factor", &[per(10, 24 * HOUR)]),
    (LimitName::MailRequest, "mail_request", &[per(30, MINUTE)]),
    (LimitName::MailSender, "mail_sender", &[per(3, HOUR)]),
    (LimitName::MailRecipient, "mail_recipient", &[per(10, HOUR)]),
    (LimitName::Invitations, "invitations", &[per(100, DAY)]),
    (LimitName::Letters, "letters", &[per(10, DAY)]),
    (LimitName::ExternalFree, "external_free", &[per(100, MINUTE)]),
    (LimitName::ExternalStarter, "external_starter", &[per(300, MINUTE)]),
    (LimitName::ExternalPro, "external_pro", &[per(1_000, MINUTE)]),
    (LimitName::ExternalEnterprise, "external_enterprise", &[per(5_000, MINUTE)]),
    (LimitName::Console, "console", &[per(200, MINUTE)]),
    (LimitName::Admin, "admin", &[per(500, MINUTE)]),
    (LimitName::Verification, "verification", &[per(10, MINUTE)]),
    (LimitName::Parties, "parties", &[per(30, MINUTE)]),
    (LimitName::Hub, "hub", &[per(600, MINUTE)]),
    (LimitName::Open, "open", &[per(100, MINUTE)]),
    (LimitName::Anonymous, "anonymous", &[per(100, MINUTE)]),
];

impl LimitName {
    /// All variants, in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(name, ..)| *name)
    }

    /// The name used in settings, counters and metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        TABLE.iter().find(|(name, ..)| *name == self).map_or("", |(_, text, _)| text)
    }
}

/// The windows of each active limit. Disabled limits are absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    windows: BTreeMap<LimitName, Vec<Window>>,
    /// Whether the monthly quota is enforced. Its value is set by the plan, so it can only be
    /// disabled.
    quota: bool,
}

impl Default for Limits {
    /// The documented limits.
    fn default() -> Self {
        let windows = TABLE.iter().map(|(name, _, windows)| (*name, windows.to_vec())).collect();
        Self { windows, quota: true }
    }
}

impl Limits {
    /// Disables all limits.
    #[must_use]
    pub fn off() -> Self {
        Self { windows: BTreeMap::new(), quota: false }
    }

    /// The windows of a limit, never empty; `None` if the limit is disabled.
    #[must_use]
    pub fn windows(&self, name: LimitName) -> Option<&[Window]> {
        self.windows.get(&name).map(Vec::as_slice)
    }

    /// Whether the monthly quota of the plan is enforced.
    #[must_use]
    pub fn has_quota(&self) -> bool {
        self.quota
    }

    /// The disabled limits, to be logged at startup.
    pub fn disabled(&self) -> impl Iterator<Item = LimitName> {
        LimitName::all().filter(|name| !self.windows.contains_key(name))
    }

    /// The documented limits with the general limits of the given plans.
    #[must_use]
    pub fn of(plans: &Plans) -> Self {
        let mut limits = Self::default();
        for (plan, terms) in plans.all() {
            let window = per(terms.requests_per_minute, MINUTE);
            limits.windows.insert(plan.limit(), vec![window]);
        }
        limits
    }

    /// Parses `GRANTOR_LIMITS` on top of the documented limits.
    pub fn parse(text: &str) -> Result<Self, InvalidLimits> {
        Self::default().changed(text)
    }

    /// Parses `GRANTOR_LIMITS`: `off`, or entries such as `legacy_token=10/60s+20/5m,login=off`
    /// that override these limits from left to right.
    pub fn changed(self, text: &str) -> Result<Self, InvalidLimits> {
        if text.trim() == "off" {
            return Ok(Self::off());
        }
        let (mut limits, mut seen) = (self, BTreeSet::new());
        let entries = text.split(',').map(str::trim);
        let mut faults: Vec<_> = entries.filter_map(|it| limits.set(it, &mut seen).err()).collect();
        if faults.iter().any(|fault| fault.ends_with(NO_LIMIT)) {
            let names = TABLE.map(|row| row.1).join(", ");
            faults.push(format!("the limits are quota, external, {names}"));
        }
        limits.windows.retain(|_, windows| !windows.is_empty());
        if faults.is_empty() { Ok(limits) } else { Err(InvalidLimits(faults.join("; "))) }
    }

    fn set<'a>(&mut self, entry: &'a str, seen: &mut BTreeSet<&'a str>) -> Result<(), String> {
        let (word, value) = match entry.split_once('=') {
            Some((word, value)) => (word.trim(), value.trim()),
            None if entry == "off" => return invalid(entry, "must be the only entry"),
            None => return invalid(entry, "must be an entry such as login=5/60s"),
        };
        let names = if word == QUOTA { vec![] } else { names(word)? };
        if !seen.insert(word) {
            return invalid(word, "is set twice");
        }
        if word == QUOTA {
            self.quota = false;
            return if value == "off" { Ok(()) } else { invalid(word, OF_THE_PLANS) };
        }
        let of_the_plans = [LimitName::Invitations, LimitName::Letters];
        if names.iter().any(|it| of_the_plans.contains(it)) && value != "off" {
            return invalid(word, OF_THE_PLANS);
        }
        let windows = value.split('+').map(str::trim).filter(|_| value != "off").map(window);
        let windows = windows.collect::<Result<Vec<_>, _>>()?;
        self.windows.extend(names.into_iter().map(|name| (name, windows.clone())));
        Ok(())
    }
}

/// The error of an invalid setting. Names every invalid entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidLimits(String);

fn invalid<T>(part: &str, rule: &str) -> Result<T, String> {
    Err(format!("{part:?} {rule}"))
}

pub(super) const fn per(limit: u32, seconds: u64) -> Window {
    Window { limit, length: Duration::from_secs(seconds) }
}

/// The limits a key of the setting stands for: one limit, or those of all four plans.
fn names(word: &str) -> Result<Vec<LimitName>, String> {
    let plans = LimitName::ExternalFree..=LimitName::ExternalEnterprise;
    let is_meant = |it: &LimitName| it.as_str() == word || word == "external" && plans.contains(it);
    let names: Vec<_> = LimitName::all().filter(is_meant).collect();
    if names.is_empty() { invalid(word, NO_LIMIT) } else { Ok(names) }
}

fn window(text: &str) -> Result<Window, String> {
    let (limit, length) = text.split_once('/').unwrap_or_default();
    let (figure, unit) = length.split_at(length.bytes().take_while(u8::is_ascii_digit).count());
    if [limit, figure, unit].contains(&"") || !limit.bytes().all(|byte| byte.is_ascii_digit()) {
        return invalid(text, "must be requests and a duration, such as 10/60s, 10/5m, 10/1h");
    }
    let unit = [("s", 1), ("m", MINUTE), ("h", HOUR)].into_iter().find(|it| it.0 == unit);
    let Some((_, unit)) = unit else {
        return invalid(text, "has an unknown unit; use s, m or h");
    };
    let seconds = figure.parse::<u64>().map_or(u64::MAX, |figure| figure.saturating_mul(unit));
    match (limit.parse::<u32>(), seconds) {
        (Err(_), _) => invalid(text, "allows too many requests; the maximum is 4294967295"),
        (Ok(0), _) => invalid(text, "allows no requests; use \"off\" to disable the limit"),
        (Ok(limit), 1..=LONGEST) => Ok(per(limit, seconds)),
        (Ok(_), _) => invalid(text, "must last from one second to 31 days"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::organization::Plan;

    #[test]
    fn every_name_has_its_own_row() {
        let words: BTreeSet<_> = LimitName::all().map(LimitName::as_str).collect();
        assert_eq!((words.len(), words.contains("")), (TABLE.len(), false));
        assert!(LimitName::all().enumerate().all(|(row, name)| row == name as usize));
        assert_eq!(LimitName::Anonymous as usize + 1, TABLE.len());
    }

    #[test]
    fn the_setting_replaces_what_it_names() {
        let text = "legacy_token=1/2s+3/4m, login = off ,external=9/1h,external_pro=8/31m";
        let limits = Limits::parse(text).unwrap();
        let windows = |name| limits.windows(name);
        assert_eq!(windows(LimitName::LegacyToken), Some(&[per(1, 2), per(3, 240)][..]));
        assert_eq!(windows(LimitName::ExternalFree), Some(&[per(9, 3_600)][..]));
        assert_eq!(windows(LimitName::ExternalPro), Some(&[per(8, 1_860)][..]));
        assert_eq!(windows(LimitName::Admin), Limits::default().windows(LimitName::Admin));
        assert_eq!(limits.disabled().collect::<Vec<_>>(), [LimitName::Login]);
        assert_eq!(Limits::parse(" off "), Ok(Limits::off()));
        assert!(limits.has_quota() && !Limits::off().has_quota());
        assert!(!Limits::parse("quota=off,login=off").unwrap().has_quota());
    }

    #[test]
    fn plans_give_their_general_limits_and_the_setting_beats_them() {
        let mut plans = Plans::default();
        assert_eq!(Limits::of(&plans), Limits::default());
        for plan in [Plan::Starter, Plan::Pro] {
            plans.of_mut(plan).requests_per_minute = 7;
        }
        let limits = Limits::of(&plans).changed("external_pro=8/60s").unwrap();
        assert_eq!(limits.windows(LimitName::ExternalStarter), Some(&[per(7, 60)][..]));
        assert_eq!(limits.windows(LimitName::ExternalPro), Some(&[per(8, 60)][..]));
    }

    #[test]
    fn a_bad_setting_is_named_in_a_sentence() {
        for (text, part) in [
            ("", "\"\" must be an entry"),
            ("login=5/60s,off", "\"off\" must be the only entry"),
            ("signin=5/60s", "\"signin\" is not a limit; the limits are quota, external, "),
            ("quota=5/60s", "\"quota\" can only be off: the plans set its value"),
            ("invitations=5/60s", "\"invitations\" can only be off: the plans set its"),
            ("letters=5/60s", "\"letters\" can only be off: the plans set its value"),
            ("login=5/60s,login=off", "\"login\" is set twice"),
            ("login=5/1é", "\"5/1é\" has an unknown unit; use s, m or h"),
            ("login=0/60s", "\"0/60s\" allows no requests"),
            ("login=5/0s", "\"5/0s\" must last"),
            ("login=5/745h", "\"5/745h\" must last"),
            ("login=5/99999999999999999999h", "must last from one second to 31 days"),
            ("login=4294967296/1s", "\"4294967296/1s\" allows too many requests"),
            ("a=1/1s,login=1/1s,b=off", "\"a\" is not a limit; \"b\" is not a limit; the limits "),
        ] {
            let error = Limits::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
        let error = Limits::parse("login=5/60,admin=-5/60s,refresh=5/60s+").unwrap_err().0;
        assert_eq!(error.matches("must be requests").count(), 3, "{error}");
    }
}
