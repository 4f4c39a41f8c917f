//! Where the sample's talents were seen, with every verdict and every decision.
//!
//! They lie in the past, so they are recorded here by an act of the sample's own; what people decide
//! on them goes through the act that everybody uses.

use grantor_domain::event::EventType;
use grantor_domain::id::{ImageId, LicenseId, MentionId};
use grantor_domain::license::License;
use grantor_domain::mention::{
    Decision, Match, MatchKind, MediaType, Mention, MentionStatus, Verdict,
};
use grantor_domain::note::Note;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::watch::Named;
use grantor_storage::mention::{Kept, through};
use grantor_storage::{license, mention as rows};

use super::licenses::{Licensed, days_long, named};
use super::people::Account;
use super::platforms::Site;
use crate::act::{Act, Desk, Done};
use crate::{App, Context, mention};

/// A mention of the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighted {
    /// Its id.
    pub id: MentionId,
    /// The license it concerns.
    pub license: LicenseId,
    /// Whether the use is covered.
    pub verdict: Verdict,
    /// What people made of it.
    pub status: MentionStatus,
}

/// By what somebody was known.
enum By {
    Name(&'static str),
    /// The license's first picture, in so many bits another.
    Picture(u32),
}

struct Row {
    license: &'static str,
    site: usize,
    path: &'static str,
    title: &'static str,
    excerpt: &'static str,
    author: Option<&'static str>,
    by: By,
    confidence: f64,
    verdict: Verdict,
    reason: &'static str,
    /// What the agency decided, and why.
    decided: Option<(&'static str, &'static str)>,
    /// Days since it was published, first seen and last seen.
    ago: [u64; 3],
    revision: u32,
}

const HOLDS: &str = "The platform's organization holds a permission that is in force";
const HOLDS_NONE: &str = "Strong match, and the platform's organization holds no permission";
const ENDED: &str = "Strong match, and the license has ended";
const WEAK: &str = "Weak match, and the platform's organization holds no permission";

const MENTIONS: [Row; 10] = [
    Row {
        license: "QF-001",
        site: 1,
        path: "/2/summit-season",
        title: "Summit season begins",
        excerpt: "… with Zoë Lindqvåg on the cover of our mountain issue …",
        author: Some("The editors"),
        by: By::Name("Zoë Lindqvåg"),
        confidence: 0.98,
        verdict: Verdict::Licensed,
        reason: HOLDS,
        decided: Some(("confirmed", "Cover of the mountain issue, as agreed")),
        ago: [21, 20, 1],
        revision: 2,
    },
    Row {
        license: "QF-002",
        site: 0,
        path: "/clips/81730",
        title: "rope + rock",
        excerpt: "zoe lindqvag shows the figure eight in 30 seconds",
        author: Some("@bergfilm"),
        by: By::Name("Zoe Lindqvag"),
        confidence: 0.91,
        verdict: Verdict::Licensed,
        reason: HOLDS,
        decided: None,
        ago: [6, 5, 0],
        revision: 1,
    },
    Row {
        license: "QF-009",
        site: 0,
        path: "/clips/82944",
        title: "AI plays Chopin",
        excerpt: "generated hands, generated piano, real goosebumps",
        author: Some("@synthetic.salon"),
        by: By::Picture(3),
        confidence: 0.95,
        verdict: Verdict::Unlicensed,
        reason: HOLDS_NONE,
        decided: None,
        ago: [3, 2, 0],
        revision: 1,
    },
    Row {
        license: "QF-007",
        site: 1,
        path: "/1/tour-posters",
        title: "The posters of the year",
        excerpt: "… Inés Quintaflor in red before red …",
        author: Some("Culture desk"),
        by: By::Picture(6),
        confidence: 0.9,
        verdict: Verdict::Unlicensed,
        reason: ENDED,
        decided: Some(("confirmed", "Still online after the end; counsel has written")),
        ago: [40, 11, 1],
        revision: 1,
    },
    Row {
        license: "QF-009",
        site: 1,
        path: "/2/piano-makers",
        title: "A visit to the piano makers",
        excerpt: "… the pianist Olena Yasnovets tried the oldest of them …",
        author: None,
        by: By::Name("Olena Yasnovets"),
        confidence: 0.88,
        verdict: Verdict::Unlicensed,
        reason: HOLDS_NONE,
        decided: Some(("dismissed", "News coverage needs no license")),
        ago: [15, 14, 9],
        revision: 1,
    },
    Row {
        license: "QF-013",
        site: 0,
        path: "/clips/79001",
        title: "Why the sky is blue",
        excerpt: "one minute with Priya R.",
        author: Some("@museum.of.light"),
        by: By::Name("Priya R."),
        confidence: 0.62,
        verdict: Verdict::NeedsReview,
        reason: WEAK,
        decided: None,
        ago: [2, 1, 0],
        revision: 1,
    },
    Row {
        license: "QF-013",
        site: 0,
        path: "/clips/78212",
        title: "Priya R. paints her kitchen",
        excerpt: "another Priya, another R.",
        author: Some("@priya.at.home"),
        by: By::Name("Priya R."),
        confidence: 0.55,
        verdict: Verdict::NeedsReview,
        reason: WEAK,
        decided: Some(("dismissed", "Somebody else of the same name")),
        ago: [9, 8, 8],
        revision: 1,
    },
    Row {
        license: "QF-004",
        site: 0,
        path: "/clips/80555",
        title: "A shelf of picture books",
        excerpt: "the face on the poster behind the shelf",
        author: Some("@hon.to.neko"),
        by: By::Picture(11),
        confidence: 0.58,
        verdict: Verdict::NeedsReview,
        reason: WEAK,
        decided: Some(("confirmed", "It is her poster, and covered")),
        ago: [12, 12, 3],
        revision: 3,
    },
    Row {
        license: "QF-004",
        site: 1,
        path: "/1/picture-books",
        title: "Ten picture books for winter",
        excerpt: "… and 星野うらら herself reads from it …",
        author: Some("Book desk"),
        by: By::Name("星野うらら"),
        confidence: 0.97,
        verdict: Verdict::Licensed,
        reason: HOLDS,
        decided: Some(("dismissed", "A review; nothing to count against the campaign")),
        ago: [27, 26, 26],
        revision: 1,
    },
    Row {
        license: "NE-001",
        site: 0,
        path: "/clips/83310",
        title: "48 hours in the old town",
        excerpt: "pictures from a diary we found",
        author: Some("@city.in.two.days"),
        by: By::Picture(2),
        confidence: 0.96,
        verdict: Verdict::Unlicensed,
        reason: HOLDS_NONE,
        decided: None,
        ago: [4, 3, 0],
        revision: 1,
    },
];

/// Records the sightings, and decides on some as the agency.
pub(super) async fn record(
    app: &App,
    operator: &Context,
    agency: &Account,
    sites: &[Site],
    licenses: &[Licensed],
) -> Result<Vec<Sighted>> {
    let mut sighted = Vec::with_capacity(MENTIONS.len());
    for row in &MENTIONS {
        let of = named(licenses, row.license)?;
        let new = row.mention(app, of, &sites[row.site])?;
        let Mention { id, verdict, mut status, .. } = new.clone();
        app.act(operator, Record(of.id, new)).await?;
        if let Some((decision, note)) = row.decided {
            let decision = Decision::parse(Some(decision), Some(note))?;
            let (context, reader) = (agency.context(app), agency.caller.reader());
            let seen = mention::decide(app, &context, reader, id, decision).await?;
            status = seen.shown.mention.status;
        }
        sighted.push(Sighted { id, license: of.id, verdict, status });
    }
    Ok(sighted)
}

impl Row {
    fn mention(&self, app: &App, of: &Licensed, site: &Site) -> Result<Mention> {
        let now = app.clock.now();
        let [published, first, last] = self.ago.map(|days| now.minus(days_long(days)));
        let picture = of.images.first().copied();
        Ok(Mention {
            id: app.ids.next(),
            talent: of.talent,
            platform: site.id,
            url: format!("https://{}{}", site.domain, self.path),
            title: self.title.to_owned(),
            excerpt: self.excerpt.to_owned(),
            author: self.author.map(str::to_owned),
            media_type: self.by.media_type(),
            found: self.by.found(picture, self.confidence)?,
            verdict: self.verdict,
            verdict_reason: self.reason.to_owned(),
            status: MentionStatus::New,
            note: Note::default(),
            published_at: Some(published),
            first_seen_at: first,
            last_seen_at: last,
            revision: self.revision,
            version: 1,
        })
    }
}

impl By {
    const fn media_type(&self) -> MediaType {
        match self {
            Self::Name(_) => MediaType::Text,
            Self::Picture(_) => MediaType::Image,
        }
    }

    fn found(&self, picture: Option<ImageId>, confidence: f64) -> Result<Match> {
        Ok(match self {
            Self::Name(name) => Match {
                kind: MatchKind::Name,
                term: (*name).to_owned(),
                confidence,
                distance: None,
            },
            Self::Picture(distance) => {
                let picture = picture.ok_or_else(|| Error::not_found("Image"))?;
                let (kind, term) = (MatchKind::Image, picture.to_string());
                Match { kind, term, confidence, distance: Some(*distance) }
            }
        })
    }
}

struct Record(LicenseId, Mention);

impl Act for Record {
    type Grant = license::Shown;
    type Output = ();
    const ACTION: &'static str = "demo.mention";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<license::Shown> {
        license::claim(desk.tx, self.0)?.ok_or_else(|| Error::not_found("License"))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, found: license::Shown) -> Result<Done<()>> {
        let license::Shown { mut license, talent_name, .. } = found;
        watch_since(&mut license, &self.1, desk.now);
        license::update(desk.tx, &license)?;
        // What the content was then is not known, so it has changed when it is seen again.
        let owner = license.tenant;
        rows::insert(desk.tx, &self.1, owner, "")?;
        let kept = rows::find(desk.tx, self.1.id)?.ok_or_else(|| Error::not_found("Mention"))?;
        let title = license.title.as_str().to_owned();
        let shown = Kept { talent_name, ..kept }.through(Named { id: license.id, title });
        let oldest = through::oldest(desk.tx, &self.1)?.map_or(license.id, |it| it.id);
        let told = mention::tell(desk, EventType::MentionCreated, &shown, (owner, oldest))?;
        let resource = mention::resource(&self.1);
        let mut done = Done::new((), resource, "A sighting of the sample was recorded");
        (done.tenant, done.events) = (Some(owner), told);
        Ok(done)
    }
}

/// The sample's licenses were made just now, and yet watched when they were seen.
fn watch_since(license: &mut License, mention: &Mention, now: Timestamp) {
    let first = mention.first_seen_at;
    license.watched_since = Some(license.watched_since.map_or(first, |it| it.min(first)));
    if !license.is_watched(now) {
        license.watched_until = Some(license.watched_until.map_or(first, |it| it.max(first)));
    }
}

#[cfg(test)]
mod tests {
    use grantor_domain::mention::MAX_EXCERPT;

    use super::*;

    #[test]
    fn every_verdict_meets_every_decision() {
        for verdict in Verdict::ALL {
            for status in MentionStatus::ALL {
                let decided = |it: &Row| it.decided.map_or("new", |it| it.0) == status.name();
                let found = MENTIONS.iter().any(|it| it.verdict == verdict && decided(it));
                assert!(found, "{verdict:?} {status:?}");
            }
        }
    }

    #[test]
    fn every_sighting_is_in_order() {
        for row in &MENTIONS {
            assert!(row.ago.is_sorted_by(|one, next| one >= next), "{}", row.title);
            assert!(row.excerpt.chars().count() <= MAX_EXCERPT);
            assert!(
                (0.0..=1.0).contains(&row.confidence)
                    && row.site < super::super::platforms::ROWS.len()
            );
        }
    }
}
