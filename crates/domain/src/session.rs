//! Refresh tokens: when one is accepted, and when its reuse indicates theft (contract sections 4
//! and 5). Storage keeps the states and applies each change with one conditional update.
//!
//! A console or admin session is a family of tokens, each replaced by the next. A used token that
//! is presented again shortly after means a lost response or two tabs; later, it means that two
//! parties have the same token, so the family is revoked.

use std::time::Duration;

use crate::Timestamp;
use crate::error::{Error, ErrorKind};

/// The lifetime of an access token, in all APIs.
pub const ACCESS_LIFE: Duration = Duration::from_hours(1);

/// The lifetime of a refresh token, in all APIs.
pub const REFRESH_LIFE: Duration = Duration::from_hours(30 * 24);

/// How long after its first use a token can be used again.
pub const REUSE_GRACE: Duration = Duration::from_secs(10);

/// The stored state of a refresh token in a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenState {
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was first used. Later uses do not change it, or each would extend the grace period.
    pub used_at: Option<Timestamp>,
}

impl TokenState {
    /// The state of a newly issued token.
    #[must_use]
    pub fn issued(now: Timestamp) -> Self {
        Self { expires_at: now.plus(REFRESH_LIFE), used_at: None }
    }
}

/// The stored state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyState {
    /// The tokens are valid.
    Live,
    /// Ended by sign-out, by a reused token, with the user, or together with all sessions of the
    /// user.
    Revoked,
}

/// What to do with a presented refresh token of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum RefreshOutcome {
    /// Mark it as used and issue a new pair.
    Rotate,
    /// Issue another pair and leave the token unchanged.
    GraceReissue,
    /// Revoke the whole family, including its access tokens.
    RevokeFamily,
    /// Refuse: the token has expired.
    Expired,
    /// Refuse: the token or its family does not exist or is revoked.
    Unknown,
}

impl RefreshOutcome {
    /// The error for the caller if the token is refused. It does not reveal that a reuse was
    /// detected.
    #[must_use]
    pub fn refusal(self) -> Option<Error> {
        match self {
            Self::Rotate | Self::GraceReissue => None,
            Self::Expired => Some(expired()),
            Self::RevokeFamily | Self::Unknown => Some(unknown()),
        }
    }
}

/// Decides how to handle a refresh token of the console or admin API.
///
/// Reuse is checked before expiry: a reused token indicates theft regardless of its age. Only an
/// unused or just used token can be reported as expired.
pub fn present(token: Option<TokenState>, family: FamilyState, now: Timestamp) -> RefreshOutcome {
    let (Some(token), FamilyState::Live) = (token, family) else { return RefreshOutcome::Unknown };
    match token.used_at {
        Some(used_at) if now.since(used_at) > REUSE_GRACE => RefreshOutcome::RevokeFamily,
        _ if now >= token.expires_at => RefreshOutcome::Expired,
        Some(_) => RefreshOutcome::GraceReissue,
        None => RefreshOutcome::Rotate,
    }
}

/// The stored state of a refresh token of the external API. It is not replaced on use and belongs
/// to the API client it was issued to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalTokenState {
    /// When it expires.
    pub expires_at: Timestamp,
    /// Whether it is revoked.
    pub revoked: bool,
    /// Whether its client is usable.
    pub client_usable: bool,
}

/// What to do with a presented refresh token of the external API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum ExternalRefreshOutcome {
    /// Issue a new access token; the refresh token stays valid.
    Issue,
    /// Refuse: the token has expired.
    Expired,
    /// Refuse: the token does not exist, or its client is not usable.
    Unknown,
}

impl ExternalRefreshOutcome {
    /// The error for the caller if the token is refused.
    #[must_use]
    pub fn refusal(self) -> Option<Error> {
        match self {
            Self::Issue => None,
            Self::Expired => Some(expired()),
            Self::Unknown => Some(unknown()),
        }
    }
}

/// Decides how to handle a refresh token of the external API. If the client is not usable, the
/// token is reported as invalid regardless of its age.
pub fn present_external(
    token: Option<ExternalTokenState>,
    now: Timestamp,
) -> ExternalRefreshOutcome {
    match token {
        Some(token) if token.revoked || !token.client_usable => ExternalRefreshOutcome::Unknown,
        Some(token) if now >= token.expires_at => ExternalRefreshOutcome::Expired,
        Some(_) => ExternalRefreshOutcome::Issue,
        None => ExternalRefreshOutcome::Unknown,
    }
}

fn expired() -> Error {
    Error::new(ErrorKind::TokenExpired, "The refresh token has expired")
}

fn unknown() -> Error {
    Error::new(ErrorKind::Unauthorized, "The refresh token is not valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = fn(Option<TokenState>, FamilyState, Timestamp) -> RefreshOutcome;

    const LIFE: i64 = 30 * 24 * 3_600;

    /// An event in the life of a session.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        /// The token with this number is presented; it may not exist.
        Present(usize),
        /// This many seconds pass.
        Wait(i64),
        /// The family is revoked from outside.
        Logout,
    }

    /// The boundaries of both periods can be reached and exceeded by one second.
    const STEPS: [Step; 9] = [
        Step::Present(0),
        Step::Present(1),
        Step::Present(2),
        Step::Present(3),
        Step::Wait(1),
        Step::Wait(10),
        Step::Wait(LIFE - 10),
        Step::Wait(LIFE),
        Step::Logout,
    ];

    /// A store that applies the outcome of a rule, as storage does.
    #[derive(Clone)]
    struct Store {
        now: i64,
        family: FamilyState,
        tokens: Vec<TokenState>,
    }

    impl Store {
        fn take(&mut self, step: Step, rule: Rule) -> Option<RefreshOutcome> {
            let now = Timestamp::from_secs(self.now);
            let number = match step {
                Step::Present(number) => number,
                Step::Wait(seconds) => {
                    self.now += seconds;
                    return None;
                }
                Step::Logout => {
                    self.family = FamilyState::Revoked;
                    return None;
                }
            };
            let decision = rule(self.tokens.get(number).copied(), self.family, now);
            match decision {
                RefreshOutcome::Rotate => self.tokens[number].used_at = Some(now),
                RefreshOutcome::RevokeFamily => self.family = FamilyState::Revoked,
                RefreshOutcome::GraceReissue
                | RefreshOutcome::Expired
                | RefreshOutcome::Unknown => {}
            }
            if decision.refusal().is_none() {
                self.tokens.push(TokenState::issued(now));
            }
            Some(decision)
        }
    }

    /// The model has no states: it derives each outcome from the full history, as the contract
    /// describes.
    #[derive(Clone, Default)]
    struct Model {
        now: i64,
        ended: bool,
        /// When each token was issued.
        issued: Vec<i64>,
        /// Which token was exchanged for a pair, and when.
        pairs: Vec<(usize, i64)>,
    }

    impl Model {
        fn take(&mut self, step: Step) -> Option<RefreshOutcome> {
            let number = match step {
                Step::Present(number) => number,
                Step::Wait(seconds) => {
                    self.now += seconds;
                    return None;
                }
                Step::Logout => {
                    self.ended = true;
                    return None;
                }
            };
            if self.ended || number >= self.issued.len() {
                return Some(RefreshOutcome::Unknown);
            }
            let uses = self.pairs.iter().filter(|(token, _)| *token == number);
            let first = uses.map(|(_, at)| *at).min();
            if first.is_some_and(|first| self.now > first + 10) {
                self.ended = true;
                return Some(RefreshOutcome::RevokeFamily);
            }
            if self.now >= self.issued[number] + LIFE {
                return Some(RefreshOutcome::Expired);
            }
            self.pairs.push((number, self.now));
            self.issued.push(self.now);
            Some(if first.is_none() {
                RefreshOutcome::Rotate
            } else {
                RefreshOutcome::GraceReissue
            })
        }
    }

    /// Tries every sequence of the given number of steps. Returns their count, or the first one for
    /// which rule and model differ.
    fn walk(depth: usize, rule: Rule) -> Result<usize, Vec<Step>> {
        fn further(
            depth: usize,
            rule: Rule,
            store: &Store,
            model: &Model,
        ) -> Result<usize, Vec<Step>> {
            if depth == 0 {
                return Ok(1);
            }
            let mut walked = 0;
            for step in STEPS {
                let (mut store, mut model) = (store.clone(), model.clone());
                if store.take(step, rule) != model.take(step) {
                    return Err(vec![step]);
                }
                let rest = further(depth - 1, rule, &store, &model);
                walked += rest.map_err(|rest| [vec![step], rest].concat())?;
            }
            Ok(walked)
        }
        let first = vec![TokenState::issued(Timestamp::from_secs(0))];
        let store = Store { now: 0, family: FamilyState::Live, tokens: first };
        let model = Model { issued: vec![0], ..Model::default() };
        further(depth, rule, &store, &model)
    }

    #[test]
    fn the_rule_and_the_model_agree_on_every_short_history() {
        assert_eq!(walk(6, present).unwrap(), 9_usize.pow(6));
    }

    /// Negative control: every broken variant of the rule is detected.
    #[test]
    fn the_walk_finds_every_broken_rule() {
        let broken: [(&str, Rule); 7] = [
            ("the grace ends a second late", |token, family, now| {
                let used_at = |it: Timestamp| it.plus(Duration::from_secs(1));
                let late = |it: TokenState| TokenState { used_at: it.used_at.map(used_at), ..it };
                present(token.map(late), family, now)
            }),
            ("the grace excludes its last second", |token, family, now| {
                let used_at = |it: Timestamp| it.minus(Duration::from_micros(1));
                let early = |it: TokenState| TokenState { used_at: it.used_at.map(used_at), ..it };
                present(token.map(early), family, now)
            }),
            ("a token lives a moment too long", |token, family, now| {
                let long = |it: TokenState| TokenState {
                    expires_at: it.expires_at.plus(Duration::from_micros(1)),
                    ..it
                };
                present(token.map(long), family, now)
            }),
            ("an ended family goes on", |token, _, now| present(token, FamilyState::Live, now)),
            ("reuse is refused and forgotten", |token, family, now| {
                match present(token, family, now) {
                    RefreshOutcome::RevokeFamily => RefreshOutcome::Unknown,
                    other => other,
                }
            }),
            ("a use in the grace begins another grace", |token, family, now| {
                match present(token, family, now) {
                    RefreshOutcome::GraceReissue => RefreshOutcome::Rotate,
                    other => other,
                }
            }),
            ("expiry hides a reuse", |token, family, now| match token {
                Some(it) if now >= it.expires_at && family == FamilyState::Live => {
                    RefreshOutcome::Expired
                }
                _ => present(token, family, now),
            }),
        ];
        for (name, rule) in broken {
            assert!(walk(4, rule).is_err(), "not found: {name}");
        }
    }

    #[test]
    fn spans_are_those_of_the_documents() {
        assert_eq!(ACCESS_LIFE.as_secs(), 3_600);
        assert_eq!(REFRESH_LIFE.as_secs(), 2_592_000);
        assert_eq!(REUSE_GRACE.as_secs(), 10);
    }

    #[test]
    fn a_clock_set_back_is_no_theft() {
        let now = Timestamp::from_secs(1_000);
        let used_at = Some(now.plus(Duration::from_hours(1)));
        let token = TokenState { used_at, ..TokenState::issued(now) };
        assert_eq!(present(Some(token), FamilyState::Live, now), RefreshOutcome::GraceReissue);
    }

    #[test]
    fn a_refusal_tells_only_expiry_apart() {
        let kinds =
            [RefreshOutcome::Expired, RefreshOutcome::RevokeFamily, RefreshOutcome::Unknown]
                .map(|it| it.refusal().unwrap().kind().clone());
        let (expired, unauthorized) = (ErrorKind::TokenExpired, ErrorKind::Unauthorized);
        assert_eq!(kinds, [expired, unauthorized.clone(), unauthorized]);
        assert_eq!(RefreshOutcome::RevokeFamily.refusal(), RefreshOutcome::Unknown.refusal());
        assert_eq!(RefreshOutcome::Rotate.refusal(), None);
        assert_eq!(RefreshOutcome::GraceReissue.refusal(), None);
    }

    #[test]
    fn an_external_token_dies_with_its_client() {
        use ExternalRefreshOutcome::{Expired, Issue, Unknown};
        let end = Timestamp::from_secs(LIFE);
        let table = [
            // revoked, client usable, just before the expiry, at the expiry
            (false, true, Issue, Expired),
            (false, false, Unknown, Unknown),
            (true, true, Unknown, Unknown),
            (true, false, Unknown, Unknown),
        ];
        for (revoked, client_usable, before, after) in table {
            let token = Some(ExternalTokenState { expires_at: end, revoked, client_usable });
            let moment = end.minus(Duration::from_micros(1));
            assert_eq!(present_external(token, moment), before, "{token:?}");
            assert_eq!(present_external(token, end), after, "{token:?}");
        }
        assert_eq!(present_external(None, end), Unknown);
        assert_eq!(Issue.refusal(), None);
        assert_eq!(Expired.refusal(), RefreshOutcome::Expired.refusal());
        assert_eq!(Unknown.refusal(), RefreshOutcome::Unknown.refusal());
    }
}
