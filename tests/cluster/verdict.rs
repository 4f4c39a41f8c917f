//! Whether every promise was kept, and that a broken one would be noticed.

use std::collections::{BTreeMap, HashSet};

use grantor_testkit::cluster::PostgresPair;
use grantor_testkit::cluster::linearizability::check;

use super::Received;
use super::client::{Answers, Client};
use super::edits::{Edit, Histories, Ledger, Versions};
use super::probes::{REVOKED, Seen};

/// What was acknowledged.
#[derive(Debug, Default)]
pub(super) struct Promises {
    /// Titles of licenses that were created.
    created: Vec<String>,
    /// Titles of licenses that somebody tried to create.
    tried: HashSet<String>,
    /// Versions of licenses that were acknowledged.
    versions: HashSet<(String, u64)>,
    histories: Histories,
}

impl Promises {
    pub(super) fn of(ledger: &Ledger) -> Self {
        let created = ledger.created.iter().map(|(title, _)| title.clone()).collect();
        let first = ledger.created.iter().filter_map(|(_, id)| Some((id.clone()?, 1)));
        let changed = ledger.histories.iter().flat_map(|(id, (_, history))| {
            history.iter().filter_map(move |it| Some((id.clone(), version_of(&it.operation)?)))
        });
        let versions = first.chain(changed).collect();
        let tried = ledger.tried.iter().cloned().collect();
        Self { created, tried, versions, histories: ledger.histories.clone() }
    }

    /// The number of acknowledged changes whose event did not come, and of events that did not come
    /// though a later one did.
    pub(super) fn undelivered(&self, received: &Received) -> usize {
        let missing = self.versions.iter().filter(|it| !received.versions.contains(*it)).count();
        let sequences = &received.sequences;
        let gaps = match (sequences.first(), sequences.last()) {
            (Some(first), Some(last)) => {
                (*first..=*last).filter(|it| !sequences.contains(it)).count()
            }
            _ => 0,
        };
        missing + gaps
    }
}

fn version_of(edit: &Edit) -> Option<u64> {
    match edit {
        Edit::Write { version, .. } | Edit::WriteIf { version, .. } => *version,
        Edit::Read { .. } | Edit::Refused { .. } => None,
    }
}

/// How often each title is stored.
pub(super) async fn stored_titles(pair: &PostgresPair) -> BTreeMap<String, usize> {
    let query = "SELECT title, CAST(count(*) AS text) FROM licenses
                 WHERE title LIKE 'Storm %' GROUP BY title";
    let rows = pair.rows(query).await.into_iter();
    rows.map(|row| (row[0].clone(), row[1].parse().unwrap())).collect()
}

/// What was found in the end.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Acknowledged licenses that are not there, or more than once.
    lost_or_doubled: Vec<String>,
    /// Licenses that are there more than once though nobody acknowledged them, or that nobody asked
    /// for.
    invented: Vec<String>,
    undelivered: usize,
    /// Licenses whose versions cannot have had any order, with the place.
    disordered: Vec<String>,
    excesses: Vec<String>,
    late_revocations: Vec<String>,
    /// Promises that could not be broken, because nobody relied on them.
    untried: Vec<String>,
    answers: Answers,
    figures: String,
}

impl Findings {
    pub(super) fn new(
        promises: &Promises,
        stored: &BTreeMap<String, usize>,
        received: &Received,
        seen: &Seen,
        client: &Client,
    ) -> Self {
        let answers = client.answers();
        let figures = figures(promises, received, seen, &answers);
        Self { answers, figures, ..Self::compare(promises, stored, received, seen) }
    }

    fn compare(
        promises: &Promises,
        stored: &BTreeMap<String, usize>,
        received: &Received,
        seen: &Seen,
    ) -> Self {
        let not_once = |title: &&String| stored.get(*title) != Some(&1);
        let invented = stored.iter().filter(|(title, count)| {
            !promises.tried.contains(*title) || **count > 1 && !promises.created.contains(*title)
        });
        let disordered = promises.histories.iter().filter_map(|(id, (initial, history))| {
            let violation = check::<Versions>(*initial, history).err()?;
            let stuck = &history[violation.stuck];
            Some(format!(
                "license {id} after {} of {}: {stuck:?}",
                violation.ordered.len(),
                history.len()
            ))
        });
        let late = seen.revoked.iter().filter(|it| **it > REVOKED);
        Self {
            lost_or_doubled: promises.created.iter().filter(not_once).cloned().collect(),
            invented: invented.map(|(title, _)| title.clone()).collect(),
            undelivered: promises.undelivered(received),
            disordered: disordered.collect(),
            excesses: seen
                .bursts
                .iter()
                .filter(|it| it.is_excess())
                .map(|it| format!("{it:?}"))
                .collect(),
            late_revocations: late.map(|it| format!("{it:?}")).collect(),
            untried: untried(promises, seen),
            ..Self::default()
        }
    }

    /// The broken promises, in sentences.
    pub(super) fn broken(&self) -> Vec<String> {
        let undelivered = Some(self.undelivered).filter(|it| *it > 0).map(|it| it.to_string());
        let undelivered: Vec<String> = undelivered.into_iter().collect();
        let all = [
            ("acknowledged licenses lost or doubled", &self.lost_or_doubled),
            ("licenses that nobody acknowledged", &self.invented),
            ("events that never came", &undelivered),
            ("versions that are not linearizable", &self.disordered),
            ("limits exceeded", &self.excesses),
            ("revoked tokens that still worked after a second", &self.late_revocations),
            ("server errors without Retry-After", &self.answers.curt),
            ("answers that nothing explains", &self.answers.odd),
            ("what was never tried", &self.untried),
        ];
        let found = all.into_iter().filter(|(_, list)| !list.is_empty());
        found.map(|(what, list)| format!("{what}: {}", list.join("; "))).collect()
    }

    pub(super) fn summary(&self, faults: usize) -> String {
        format!("{faults} faults; {}", self.figures)
    }
}

fn untried(promises: &Promises, seen: &Seen) -> Vec<String> {
    let tried = [
        ("licenses", !promises.created.is_empty()),
        ("versions", promises.histories.values().any(|(_, history)| !history.is_empty())),
        ("limits", seen.bursts.iter().any(|it| it.is_full())),
        ("revocations", !seen.revoked.is_empty()),
    ];
    tried.into_iter().filter(|(_, tried)| !tried).map(|(what, _)| what.to_owned()).collect()
}

fn figures(promises: &Promises, received: &Received, seen: &Seen, answers: &Answers) -> String {
    let edits: usize = promises.histories.values().map(|(_, history)| history.len()).sum();
    let again: u32 = received.times.values().map(|it| it - 1).sum();
    let calm = seen.bursts.iter().filter(|it| it.calm).count();
    let most = seen.bursts.iter().map(|it| it.passed).max().unwrap_or(0);
    let latest = seen.revoked.iter().max().copied().unwrap_or_default();
    format!(
        "{} licenses created, {edits} operations on {} licenses, {} events received, {again} of \
         them again; {} bursts against the limit ({calm} counted by Redis alone), at most {most} \
         passed; {} revocations, the last use {latest:?} later; statuses {:?}",
        promises.created.len(),
        promises.histories.len(),
        received.sequences.len(),
        seen.bursts.len(),
        seen.revoked.len(),
        answers.statuses,
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::client::is_curt;
    use super::super::probes::Burst;
    use super::*;
    use grantor_testkit::cluster::linearizability::Call;
    use grantor_testkit::server::Reply;

    fn done(called: u64, operation: Edit) -> Call<Edit> {
        Call { called, returned: Some(called + 1), operation }
    }

    /// Two created licenses, one of which was changed twice.
    fn kept() -> (Promises, BTreeMap<String, usize>, Received) {
        let history = vec![
            done(1, Edit::Write { value: 7, version: Some(2) }),
            done(3, Edit::WriteIf { expected: 2, value: 8, version: Some(3) }),
            done(5, Edit::Refused { expected: 2 }),
            done(7, Edit::Read { version: 3, value: 8 }),
        ];
        let mut ledger = Ledger::default();
        ledger.tried.extend(["Storm a", "Storm b", "Storm c"].map(str::to_owned));
        ledger.created.push(("Storm a".to_owned(), Some("a".to_owned())));
        ledger.created.push(("Storm b".to_owned(), None));
        ledger.histories.insert("a".to_owned(), ((1, 0), history));
        let stored = ["Storm a", "Storm b", "Storm c"].map(|it| (it.to_owned(), 1));
        let mut received = Received::default();
        received.versions.extend([1, 2, 3].map(|it| ("a".to_owned(), it)));
        received.sequences.extend(4..=7);
        (Promises::of(&ledger), stored.into(), received)
    }

    fn broken(
        change: impl FnOnce(&mut Promises, &mut BTreeMap<String, usize>, &mut Received, &mut Seen),
    ) -> usize {
        let (mut promises, mut stored, mut received) = kept();
        let calm = Burst { passed: 60, calm: true };
        let mut seen = Seen { bursts: vec![calm], revoked: vec![REVOKED] };
        change(&mut promises, &mut stored, &mut received, &mut seen);
        Findings::compare(&promises, &stored, &received, &seen).broken().len()
    }

    #[test]
    fn kept_promises_are_not_found() {
        assert_eq!(broken(|_, _, _, _| {}), 0);
        let rough = Burst { passed: 120, calm: false };
        assert_eq!(broken(|_, _, _, seen| seen.bursts.push(rough)), 0);
    }

    #[test]
    fn every_broken_promise_is_noticed() {
        for (title, count) in [("Storm a", 2), ("Storm b", 0), ("Storm c", 2), ("Storm d", 1)] {
            let found = broken(|_, stored, _, _| {
                stored.insert(title.to_owned(), count);
            });
            assert_eq!(found, 1, "{count} of {title}");
        }
        let events = broken(|_, _, received, _| {
            received.versions.remove(&("a".to_owned(), 2));
        });
        let gaps = broken(|_, _, received, _| {
            received.sequences.remove(&5);
        });
        assert_eq!((events, gaps), (1, 1));
        assert_eq!(broken(|_, _, _, seen| *seen = Seen::default()), 1, "nothing was tried");
        for burst in [Burst { passed: 0, calm: true }, Burst { passed: 60, calm: false }] {
            assert_eq!(broken(|_, _, _, seen| seen.bursts = vec![burst]), 1, "{burst:?}");
        }
        let late = REVOKED + Duration::from_millis(1);
        assert_eq!(broken(|_, _, _, seen| seen.revoked.push(late)), 1, "a revocation");
        for burst in [Burst { passed: 61, calm: true }, Burst { passed: 121, calm: false }] {
            assert_eq!(broken(|_, _, _, seen| seen.bursts.push(burst)), 1, "{burst:?}");
        }
        let reply = |head: &str| Reply { status: 503, head: head.to_owned(), body: String::new() };
        assert!(is_curt(&reply("HTTP/1.1 503 Service Unavailable")));
        assert!(!is_curt(&reply("HTTP/1.1 503 Service Unavailable\r\nretry-after: 1")));
    }

    #[test]
    fn versions_out_of_order_are_noticed() {
        for wrong in [
            Edit::Read { version: 2, value: 7 },
            Edit::Read { version: 3, value: 7 },
            Edit::Write { value: 9, version: Some(3) },
            Edit::Write { value: 9, version: Some(5) },
            Edit::WriteIf { expected: 2, value: 9, version: Some(3) },
            Edit::Refused { expected: 3 },
        ] {
            let found = broken(|promises, _, _, _| {
                promises.histories.get_mut("a").unwrap().1.push(done(9, wrong.clone()));
            });
            assert_eq!(found, 1, "{wrong:?}");
        }
    }
}
