//! Decisions: may this party use this likeness so, there, then? (contract-2 section 22.) The rule is
//! in the domain; `facts.rs` collects what it needs, once for each license and party of a batch.

mod facts;
mod favor;
mod held_right;

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use grantor_domain::Result;
use grantor_domain::decision::{Answer, Closest, Decision, Question, Reason, ReasonCode};
use grantor_domain::id::{LicenseId, TenantId};
use grantor_storage::Tx;
pub use grantor_storage::decision::Subject;

use self::facts::Known;
pub(crate) use self::favor::decide_in_favor;
use crate::App;
use crate::identity::access::TenantCaller;

/// The maximum number of reasons of an answer: a talent may have many licenses.
const REASONS: usize = 200;
/// Up to this many questions about licenses are decided by looking up a few rows.
const FEW: usize = 5;

/// A question of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// What it is about.
    pub subject: Subject,
    /// The use, territory and moment.
    pub question: Question,
    /// Who would use the likeness; the caller's own tenant by default.
    pub party: Option<TenantId>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The decision.
    pub decision: Decision,
    /// The reasons, each with the license it is about. At most 200.
    pub reasons: Vec<(Reason, Option<LicenseId>)>,
    /// The smallest change that would make it allowed.
    pub closest: Option<Closest>,
}

/// Decides questions from one snapshot.
pub async fn decide_all(
    app: &App,
    caller: TenantCaller,
    asked: Vec<Asked>,
) -> Result<Vec<Decided>> {
    let of_licenses = asked.iter().all(|it| matches!(it.subject, Subject::License(_)));
    if of_licenses && asked.len() <= FEW {
        let decide = move |tx: &mut Tx<'_>| {
            tx.begin_snapshot()?;
            let mut known = Known::read(tx, caller, &asked)?;
            Ok(asked.iter().map(|it| known.decide(it)).collect())
        };
        return app.store.lookup(decide).await;
    }
    let decide = move |tx: &mut Tx<'_>| {
        // A question about a talent takes many licenses, so equal questions are decided once.
        let distinct: HashSet<Asked> = asked.iter().copied().collect();
        let distinct: Vec<Asked> = distinct.into_iter().collect();
        let mut known = Known::read(tx, caller, &distinct)?;
        let decided: HashMap<Asked, Decided> =
            distinct.into_iter().map(|it| (it, known.decide(&it))).collect();
        Ok(asked.iter().map(|it| decided[it].clone()).collect())
    };
    app.store.read(decide).await
}

impl Decided {
    fn invisible() -> Self {
        let reason = Reason { code: ReasonCode::NotVisible, grant: None };
        Self { decision: Decision::Denied, reasons: vec![(reason, None)], closest: None }
    }

    /// The answer about a license, without the closest change.
    fn without_closest(id: LicenseId, Answer { decision, reasons }: Answer) -> Self {
        let reasons = reasons.into_iter().map(|it| (it, Some(id))).collect();
        Self { decision, reasons, closest: None }
    }

    /// The better of two answers about licenses of one talent: what can be asked for is better than
    /// what is denied, and reasons of equal answers add up. The smaller change stays.
    fn or(mut self, mut other: Self, question: &Question) -> Self {
        let changes = [self.closest, other.closest].into_iter().flatten();
        let closest = changes.min_by_key(|it| it.size(question));
        match self.decision.cmp(&other.decision) {
            Ordering::Less => self = other,
            Ordering::Greater => {}
            Ordering::Equal => {
                self.reasons.append(&mut other.reasons);
                self.reasons.truncate(REASONS);
            }
        }
        Self { closest, ..self }
    }
}
