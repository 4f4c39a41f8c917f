//! What each cell of the matrix must answer, by the rule of the documents, and whether it did.

use grantor_api::Api;
use grantor_api::frame::route::Access;
use grantor_domain::ErrorKind;
use grantor_domain::role::{self, Reach, Right, Role, TenantType};
use grantor_domain::{Error, admin};
use grantor_testkit::app::Answer;
use http::Method;
use serde_json::Value;

use super::callers::{Caller, Home, Who};
use super::records::{Operation, Records};
use super::world::{FOREIGN, OWN, World};

/// Which record the request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Own,
    /// Another tenant's, with a right to see it.
    Granted,
    /// The same, but a draft.
    Drafted,
    Foreign,
    /// A foreign license by the name its owner gave it.
    Named,
    /// One's own tenant's, but somebody else's there; or everything, to who is not in the tenant.
    Others,
    /// One's own but for the record at this place of the address, which is foreign.
    Mixed(usize),
    Deleted,
    Missing,
    Malformed,
}

impl Sort {
    /// Whether all that the address names is of this sort, and could be.
    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Self::Mixed(_) | Self::Malformed | Self::Own)
    }
}

/// What is to come of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All is well, or the record's state forbids it.
    Fine,
    /// Nobody is kept from asking; what comes of it is not this matrix's matter.
    Open,
    /// One of these, with one of these codes where any is named.
    Refused(&'static [u16], &'static [&'static str]),
}

use Outcome::{Fine, Open, Refused};

const STRANGER: Outcome = Refused(&[401], &[]);
const FORBIDDEN: Outcome = Refused(&[403], &["FORBIDDEN"]);
const DENIED: Outcome = Refused(&[403], &["ACCESS_DENIED"]);
const UNABLE: Outcome = Refused(&[403], &["INSUFFICIENT_PERMISSIONS"]);
const UNKNOWN: Outcome = Refused(&[404], &["NOT_FOUND"]);
/// A body that names what is not there may be unknown or not valid.
const UNNAMED: Outcome = Refused(&[400, 404], &[]);

/// Kinds that belong to a team, so that a lead of another may not change them.
const OF_TEAMS: [&str; 10] = [
    "talent",
    "license",
    "image",
    "permission",
    "platform",
    "pax",
    "source",
    "mention",
    "request",
    "grant",
];
/// Kinds that are one person's.
pub(super) const PERSONAL: [&str; 2] = ["session", "bookmark"];

/// One cell.
pub(super) struct Cell<'a> {
    pub(super) operation: &'a Operation,
    pub(super) caller: &'a Caller,
    pub(super) sort: Sort,
}

impl Cell<'_> {
    pub(super) fn outcome(&self, world: &World) -> Outcome {
        match admitted(self.operation.row.access, self.caller) {
            Err(refused) => refused,
            Ok(_) if self.operation.is_public() => Open,
            Ok(reach) => self.reached(world, reach),
        }
    }

    fn names(&self, kinds: &[&str]) -> bool {
        self.operation.kinds.iter().any(|kind| kinds.contains(&kind.as_str()))
    }

    /// What comes of it for who may do such a thing at all.
    fn reached(&self, world: &World, reach: Reach) -> Outcome {
        let operation = self.operation;
        let named = !operation.kinds.is_empty();
        let by_body = operation.body_names(&world.own.records, &world.missing);
        if let Some(stricter) = self.stricter() {
            return stricter;
        }
        if !named && !by_body {
            return Fine;
        }
        let elsewhere =
            reach == Reach::OwnTeams && self.caller.home == Home::Within { team: false };
        // Contract section 4, "Lookup": who knows a license's UUID hears that it is not for them.
        let told = operation.surface == Api::External
            && (self.names(&["license", "mention"]) || operation.name == "POST /bookmarks");
        match self.sort {
            // Only the last record is not theirs: the team is asked after before it.
            Sort::Own | Sort::Mixed(1..) if elsewhere && (by_body || self.names(&OF_TEAMS)) => {
                DENIED
            }
            Sort::Own => Fine,
            Sort::Granted | Sort::Drafted if told && operation.row.method == Method::GET => Fine,
            Sort::Granted if operation.name == "POST /bookmarks" => Fine,
            Sort::Granted | Sort::Drafted | Sort::Foreign | Sort::Others if told => DENIED,
            Sort::Malformed if operation.takes_names() => UNKNOWN,
            Sort::Malformed if named => Refused(&[400], &[]),
            _ if named => UNKNOWN,
            _ => UNNAMED,
        }
    }

    /// Where the documents ask for more than the row can say.
    fn stricter(&self) -> Option<Outcome> {
        let outside = self.caller.home == Home::Outside;
        match (self.operation.name.as_str(), self.caller.who) {
            // Everybody sees their own talent record, but who else's depends on the tenant.
            ("GET /talent/{talentId}", Who::Person(role, tenant))
                if role::may(role, tenant, Right::ReadTalents).is_err()
                    && self.sort != Sort::Malformed =>
            {
                Some(FORBIDDEN)
            }
            ("POST /org/talent", Who::Person(Role::Individual, _)) => Some(Refused(&[409], &[])),
            ("DELETE /org/subscription", _) if outside => Some(UNKNOWN),
            ("GET /org/team/members/{teamId}", _)
                if self.caller.home == Home::Within { team: false } && self.sort == Sort::Own =>
            {
                Some(DENIED)
            }
            // Each question has an answer of its own.
            ("POST /decisions", _) if self.sort == Sort::Granted => Some(Open),
            ("POST /decisions", _) => Some(Fine),
            ("GET /licenses/{id}/versions", _)
                if matches!(self.sort, Sort::Granted | Sort::Drafted) =>
            {
                Some(DENIED)
            }
            // Contract-2 section 20: a foreign case does not exist, and to viewers no case does.
            (name, _) if name.contains("/mentions/{id}/case") => match self.sort {
                Sort::Granted | Sort::Drafted | Sort::Foreign | Sort::Others => Some(UNKNOWN),
                _ => None,
            },
            (name, _) if name.contains("/mentions/{id}/evidence") => match self.sort {
                // As the mention itself, and viewers get no evidence.
                Sort::Granted | Sort::Drafted | Sort::Foreign | Sort::Others => Some(DENIED),
                _ => None,
            },
            // The requests here are for the caller's own license.
            ("POST /requests/{id}/accept", _) if self.sort == Sort::Own => Some(FORBIDDEN),
            (
                "POST /requests/{id}/messages"
                | "POST /requests/{id}/decline"
                | "POST /requests/{id}/withdraw"
                | "POST /grants/{id}/revoke",
                Who::Client(_, role, tenant),
            ) if self.sort == Sort::Own => self.as_owner(role, tenant),
            _ => None,
        }
    }

    /// What the owner's side of a request or grant may do depends on the role, which the row cannot
    /// say: the asker's side has another rule.
    fn as_owner(&self, role: Role, tenant: TenantType) -> Option<Outcome> {
        match role::reach(role, tenant, Right::ManageLicenses) {
            Err(error) if *error.kind() == ErrorKind::Forbidden => Some(FORBIDDEN),
            Err(_) => Some(UNABLE),
            Ok(Reach::OwnTeams) if self.caller.home == (Home::Within { team: false }) => {
                Some(DENIED)
            }
            Ok(_) => None,
        }
    }

    pub(super) fn records(&self, world: &World) -> Records {
        let own = || self.caller.personal.clone().or(&world.own.records);
        match self.sort {
            Sort::Own => own(),
            Sort::Granted => world.granted.records.clone(),
            Sort::Drafted => world.drafted.clone(),
            Sort::Foreign => world.foreign.records.clone(),
            Sort::Named => world.named.clone(),
            Sort::Others => world.own.records.clone(),
            Sort::Deleted => world.deleted.clone(),
            Sort::Missing => world.missing.clone(),
            Sort::Malformed => world.malformed.clone(),
            Sort::Mixed(at) => {
                let mut records = own();
                let kind = &self.operation.kinds[at];
                records.put(kind, world.foreign.records.id(kind).to_owned());
                records
            }
        }
    }

    /// What is wrong about an answer.
    pub(super) fn faults(&self, outcome: &Outcome, answer: &Answer) -> Vec<String> {
        let status = answer.status.as_u16();
        let body = String::from_utf8_lossy(&answer.body).to_lowercase();
        let headers = format!("{:?}", answer.headers).to_lowercase();
        let mut faults = Vec::new();
        if !fits(outcome, self.operation, answer) {
            faults.push(format!("{status} instead of {outcome:?}"));
        }
        for word in leaked(self.caller, &(headers + &body)) {
            faults.push(format!("{word} is shown"));
        }
        let named = |it| format!("{self}: {it} in {}", &body[..body.len().min(300)]);
        faults.into_iter().map(named).collect()
    }
}

impl std::fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (name, caller) = (&self.operation.name, &self.caller.name);
        write!(f, "{name} by {caller} on {:?}", self.sort)
    }
}

/// How far the caller's right goes, or how it is refused.
fn admitted(permission: Access, caller: &Caller) -> Result<Reach, Outcome> {
    let refused = |error: &Error| match error.kind() {
        ErrorKind::Forbidden => FORBIDDEN,
        _ => UNABLE,
    };
    match (permission, caller.who) {
        (Access::Public, _) | (Access::Account, Who::Person(..)) => Ok(Reach::Tenant),
        (
            Access::Console(_) | Access::Account | Access::UserOrClient(..),
            Who::Suspended(Api::Console),
        )
        | (
            Access::External(_) | Access::ExternalWithRight(..) | Access::UserOrClient(..),
            Who::Suspended(Api::External),
        ) => Err(FORBIDDEN),
        (Access::Console(right) | Access::UserOrClient(right, _), Who::Person(role, tenant)) => {
            role::reach(role, tenant, right).map_err(|it| refused(&it))
        }
        // Contract section 3: below /auth/ nobody is asked for x-source.
        (Access::Account, _) if !caller.source => Ok(Reach::Tenant),
        (Access::Admin(right), Who::Staff(role)) => {
            admin::may(role, right).map(|()| Reach::Tenant).map_err(|it| refused(&it))
        }
        (Access::External(scope), Who::Client(scopes, ..)) => {
            if scopes.contains(scope) {
                Ok(Reach::Tenant)
            } else {
                Err(UNABLE)
            }
        }
        (
            Access::ExternalWithRight(scope, right) | Access::UserOrClient(right, scope),
            Who::Client(scopes, role, tenant),
        ) => {
            if !scopes.contains(scope) {
                return Err(UNABLE);
            }
            role::reach(role, tenant, right).map_err(|it| refused(&it))
        }
        _ => Err(STRANGER),
    }
}

fn fits(outcome: &Outcome, operation: &Operation, answer: &Answer) -> bool {
    let status = answer.status.as_u16();
    match outcome {
        Open => status < 500 && status != 403,
        // An address is scanned on demand once a minute.
        Fine if operation.name.ends_with("/scan") && status == 429 => true,
        Fine if operation.changes() => (200..300).contains(&status) || status == 409,
        Fine => status == 200,
        Refused(statuses, codes) => {
            let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            let code = body["error"]["code"].as_str().unwrap_or_default();
            statuses.contains(&status) && (codes.is_empty() || codes.contains(&code))
        }
    }
}

/// The words that this caller must never see, as far as an answer shows them.
pub(super) fn leaked(caller: &Caller, body: &str) -> Vec<&'static str> {
    let words: &[&str] = match caller.home {
        Home::Staff => &[],
        Home::Within { .. } => &[FOREIGN],
        Home::Outside => &[FOREIGN, OWN],
    };
    let shown = |word: &&&str| body.contains(&word.to_lowercase());
    words.iter().filter(shown).copied().collect()
}

/// The records each caller is to try on an operation.
pub(super) fn sorts(world: &World, operation: &Operation, caller: &Caller) -> Vec<Sort> {
    let by_body = operation.body_names(&world.own.records, &world.missing);
    if operation.is_public() || (operation.kinds.is_empty() && !by_body) {
        return vec![Sort::Own];
    }
    let mut sorts = match caller.home {
        Home::Staff => vec![Sort::Own, Sort::Missing],
        Home::Outside => vec![Sort::Foreign, Sort::Others, Sort::Missing],
        Home::Within { .. } => {
            vec![Sort::Own, Sort::Granted, Sort::Foreign, Sort::Deleted, Sort::Missing]
        }
    };
    // To ask is to write to another tenant, by right: the tests of requests look at it.
    if operation.name == "POST /requests" {
        sorts.retain(|it| *it != Sort::Granted);
    }
    if !operation.kinds.is_empty() {
        sorts.push(Sort::Malformed);
    }
    if operation.takes_names() && caller.home != Home::Staff {
        sorts.push(Sort::Named);
    }
    if caller.home != Home::Outside && caller.home != Home::Staff {
        let personal = operation.kinds.iter().any(|it| PERSONAL.contains(&it.as_str()));
        if personal && caller.personal.ids().next().is_some() {
            sorts.push(Sort::Others);
        }
        if operation.kinds.iter().any(|it| it == "license") {
            sorts.push(Sort::Drafted);
        }
        if operation.kinds.len() > 1 {
            sorts.extend((0..operation.kinds.len()).map(Sort::Mixed));
        }
    }
    sorts
}
