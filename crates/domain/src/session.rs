//! Refresh tokens: when one is good for new tokens, and when it proves a theft (contract sections
//! 4 and 5). Storage keeps the states and makes each change by one conditional update.
//!
//! A console or admin session is a family of tokens that replace each other. A used one that comes
//! again soon is a lost answer or two tabs; later, two hold the same token, so the family ends.

use std::time::Duration;

use crate::Timestamp;
use crate::error::{Error, ErrorKind};

/// How long an access token works, on every API.
pub const ACCESS_LIFE: Duration = Duration::from_hours(1);

/// How long a refresh token works, on every API.
pub const REFRESH_LIFE: Duration = Duration::from_hours(30 * 24);

/// How long after its use a token of a family is still good for another pair.
pub const REUSE_GRACE: Duration = Duration::from_secs(10);

/// A refresh token of a family, as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenState {
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was first used. Later uses leave this alone, or each would prolong the grace.
    pub used_at: Option<Timestamp>,
}

impl TokenState {
    /// A token as it is issued.
    #[must_use]
    pub fn issued(now: Timestamp) -> Self {
        Self { expires_at: now.plus(REFRESH_LIFE), used_at: None }
    }
}

/// A session as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyState {
    /// Its tokens work.
    Live,
    /// Ended: by logout, by a reused token, with its user, or with all sessions of that user.
    Revoked,
}

/// What is to be done with a refresh token of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decision {
    /// Mark it used and issue a new pair.
    Rotate,
    /// Issue another pair and leave the token as it is.
    GraceReissue,
    /// End the whole family, its access tokens too.
    RevokeFamily,
    /// Issue nothing: its time is over.
    Expired,
    /// Issue nothing: there is no such token, or no longer such a family.
    Unknown,
}

impl Decision {
    /// What the caller hears when nothing is issued. A thief does not hear that he was noticed.
    #[must_use]
    pub fn refusal(self) -> Option<Error> {
        match self {
            Self::Rotate | Self::GraceReissue => None,
            Self::Expired => Some(expired()),
            Self::RevokeFamily | Self::Unknown => Some(unknown()),
        }
    }
}

/// Decides on a refresh token of the console or admin API.
///
/// Reuse is judged before expiry: a used token proves a theft however old it is. Only one that
/// nobody has used, or that was used just now, can be too old.
pub fn present(token: Option<TokenState>, family: FamilyState, now: Timestamp) -> Decision {
    let (Some(token), FamilyState::Live) = (token, family) else { return Decision::Unknown };
    match token.used_at {
        Some(used_at) if now.since(used_at) > REUSE_GRACE => Decision::RevokeFamily,
        _ if now >= token.expires_at => Decision::Expired,
        Some(_) => Decision::GraceReissue,
        None => Decision::Rotate,
    }
}

/// A refresh token of the external API, as it is kept: it is not replaced when it is used, and
/// belongs to the API client whose credentials it was got with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalTokenState {
    /// When it ends.
    pub expires_at: Timestamp,
    /// Whether it was revoked.
    pub revoked: bool,
    /// Whether its client may still be used.
    pub client_usable: bool,
}

/// What is to be done with a refresh token of the external API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum ExternalDecision {
    /// Issue a new access token; the refresh token stays.
    Issue,
    /// Issue nothing: its time is over.
    Expired,
    /// Issue nothing: there is no such token, or its client is no longer good.
    Unknown,
}

impl ExternalDecision {
    /// What the caller hears when nothing is issued.
    #[must_use]
    pub fn refusal(self) -> Option<Error> {
        match self {
            Self::Issue => None,
            Self::Expired => Some(expired()),
            Self::Unknown => Some(unknown()),
        }
    }
}

/// Decides on a refresh token of the external API. It dies with its client, and then says nothing
/// of its age.
pub fn present_external(token: Option<ExternalTokenState>, now: Timestamp) -> ExternalDecision {
    match token {
        Some(token) if token.revoked || !token.client_usable => ExternalDecision::Unknown,
        Some(token) if now >= token.expires_at => ExternalDecision::Expired,
        Some(_) => ExternalDecision::Issue,
        None => ExternalDecision::Unknown,
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

    type Rule = fn(Option<TokenState>, FamilyState, Timestamp) -> Decision;

    const LIFE: i64 = 30 * 24 * 3_600;

    /// What can happen to a session.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        /// The token with this number is presented; there may be none.
        Present(usize),
        /// So many seconds pass.
        Wait(i64),
        /// The family is ended from outside.
        Logout,
    }

    /// The boundaries of both spans can be reached and passed by one second.
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

    /// A store that does what a rule decides, as storage does.
    #[derive(Clone)]
    struct Store {
        now: i64,
        family: FamilyState,
        tokens: Vec<TokenState>,
    }

    impl Store {
        fn take(&mut self, step: Step, rule: Rule) -> Option<Decision> {
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
                Decision::Rotate => self.tokens[number].used_at = Some(now),
                Decision::RevokeFamily => self.family = FamilyState::Revoked,
                Decision::GraceReissue | Decision::Expired | Decision::Unknown => {}
            }
            if decision.refusal().is_none() {
                self.tokens.push(TokenState::issued(now));
            }
            Some(decision)
        }
    }

    /// The model knows no states: it reads the contract's sentences off all that has happened.
    #[derive(Clone, Default)]
    struct Model {
        now: i64,
        ended: bool,
        /// When each token was issued.
        issued: Vec<i64>,
        /// Which token was good for a pair, and when.
        pairs: Vec<(usize, i64)>,
    }

    impl Model {
        fn take(&mut self, step: Step) -> Option<Decision> {
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
                return Some(Decision::Unknown);
            }
            let uses = self.pairs.iter().filter(|(token, _)| *token == number);
            let first = uses.map(|(_, at)| *at).min();
            if first.is_some_and(|first| self.now > first + 10) {
                self.ended = true;
                return Some(Decision::RevokeFamily);
            }
            if self.now >= self.issued[number] + LIFE {
                return Some(Decision::Expired);
            }
            self.pairs.push((number, self.now));
            self.issued.push(self.now);
            Some(if first.is_none() { Decision::Rotate } else { Decision::GraceReissue })
        }
    }

    /// Walks every sequence of so many steps; gives how many, or the first that tells the rule
    /// from the model.
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

    /// The negative control: each way to get the rule wrong is found, and none by chance.
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
                    Decision::RevokeFamily => Decision::Unknown,
                    other => other,
                }
            }),
            ("a use in the grace begins another grace", |token, family, now| {
                match present(token, family, now) {
                    Decision::GraceReissue => Decision::Rotate,
                    other => other,
                }
            }),
            ("expiry hides a reuse", |token, family, now| match token {
                Some(it) if now >= it.expires_at && family == FamilyState::Live => {
                    Decision::Expired
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
        assert_eq!(present(Some(token), FamilyState::Live, now), Decision::GraceReissue);
    }

    #[test]
    fn a_refusal_tells_only_expiry_apart() {
        let kinds = [Decision::Expired, Decision::RevokeFamily, Decision::Unknown]
            .map(|it| it.refusal().unwrap().kind().clone());
        let (expired, unauthorized) = (ErrorKind::TokenExpired, ErrorKind::Unauthorized);
        assert_eq!(kinds, [expired, unauthorized.clone(), unauthorized]);
        assert_eq!(Decision::RevokeFamily.refusal(), Decision::Unknown.refusal());
        assert_eq!(Decision::Rotate.refusal(), None);
        assert_eq!(Decision::GraceReissue.refusal(), None);
    }

    #[test]
    fn an_external_token_dies_with_its_client() {
        use ExternalDecision::{Expired, Issue, Unknown};
        let end = Timestamp::from_secs(LIFE);
        let table = [
            // revoked, client usable, a moment before the end, at the end
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
        assert_eq!(Expired.refusal(), Decision::Expired.refusal());
        assert_eq!(Unknown.refusal(), Decision::Unknown.refusal());
    }
}
