//! Who published content, and what they may do with a talent's likeness. A platform's content is
//! published by its organization. What a source finds is published by the organization that
//! verified the domain, or proved the profile on a hosted service; else the publisher is unknown.

use std::collections::HashMap;

use grantor_domain::Result;
use grantor_domain::content::ContentUrl;
use grantor_domain::decision::GrantFacts;
use grantor_domain::id::{TalentId, TenantId};
use grantor_domain::mention::{
    Judgment, PublisherRights, Recognition, SightingTimes, UnknownPublisher, VerdictGrant,
};
use grantor_domain::source::Feed;
use grantor_domain::source::address::interpret;
use grantor_storage::license::watch::{self, LicenseName, WatchedTalent};
use grantor_storage::{grant, platform, profile};
use url::Url;

use super::Finder;
use crate::act::UnitOfWork;

/// The maximum number of an organization's grants for a talent that verdicts consider.
const MAX_GRANTS: u32 = 200;

/// Who published a piece of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PublisherId {
    /// An organization.
    Known(TenantId),
    /// Nobody known.
    Unknown(UnknownPublisher),
}

/// Finds the publishers of the content of a batch. Each domain and profile is looked up once.
pub(super) struct Publishers<'a> {
    finder: Finder<'a>,
    /// The organizations by host, and by the address of the profile.
    known: HashMap<String, Option<TenantId>>,
}

impl<'a> Publishers<'a> {
    pub(super) fn new(finder: Finder<'a>) -> Self {
        Self { finder, known: HashMap::new() }
    }

    /// Returns who published content at a URL.
    pub(super) fn find(
        &mut self,
        unit: &mut UnitOfWork<'_, '_>,
        url: &ContentUrl,
    ) -> Result<PublisherId> {
        let feed = match self.finder {
            Finder::Platform(platform) => return Ok(PublisherId::Known(platform.tenant)),
            Finder::Feed(feed) => feed,
        };
        let (key, unknown) = match hosted(feed, url) {
            Some(profile) => (profile, UnknownPublisher::HostedProfile),
            None => (host(url), UnknownPublisher::OwnSite),
        };
        let tenant = match self.known.get(&key) {
            Some(known) => *known,
            None => match unknown {
                UnknownPublisher::HostedProfile => profile::find_proved(unit.tx, &key)?,
                UnknownPublisher::OwnSite => platform::find_publisher(unit.tx, &domains(&key))?,
            },
        };
        self.known.insert(key, tenant);
        Ok(tenant.map_or(PublisherId::Unknown(unknown), PublisherId::Known))
    }
}

/// The address of the profile, if the content is on a hosted service; empty if it is unknown.
fn hosted(feed: &Feed, url: &ContentUrl) -> Option<String> {
    let same_host = ContentUrl::parse(&feed.url).is_ok_and(|it| host(&it) == host(url));
    if same_host {
        return feed.service.map(|_| feed.profile.clone().unwrap_or_default());
    }
    let address = interpret(url.as_str()).ok()?;
    address.service.map(|_| address.profile.unwrap_or_default())
}

/// The host of a URL, with its port unless that is the default.
fn host(url: &ContentUrl) -> String {
    let Ok(url) = Url::parse(url.as_str()) else { return String::new() };
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The domains whose owner publishes what is on a host, the most specific first: the host and its
/// parents, each with and without the port.
fn domains(host: &str) -> Vec<String> {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_name = name.bytes().any(|it| it.is_ascii_alphabetic()) && !name.starts_with('[');
    let mut found = vec![];
    let mut rest = name;
    loop {
        found.extend(port.map(|port| format!("{rest}:{port}")));
        found.push(rest.to_owned());
        match rest.split_once('.') {
            Some((_, parent)) if is_name && parent.contains('.') => rest = parent,
            _ => return found,
        }
    }
}

/// A publisher, and their rights to a talent.
pub(super) struct Publisher {
    /// Who it is.
    pub(super) id: PublisherId,
    /// The rights of a known publisher.
    rights: Result<PublisherRights, UnknownPublisher>,
    /// The talent's oldest watched license on which it has a permission given by hand.
    pub(super) holds: Option<LicenseName>,
}

impl Publisher {
    /// Loads the rights to a watched talent.
    pub(super) fn load(
        unit: &mut UnitOfWork<'_, '_>,
        id: PublisherId,
        talent: TalentId,
        watched: &WatchedTalent,
    ) -> Result<Self> {
        let tenant = match id {
            PublisherId::Unknown(unknown) => {
                return Ok(Self { id, rights: Err(unknown), holds: None });
            }
            PublisherId::Known(tenant) if tenant == watched.owner => {
                return Ok(Self { id, rights: Ok(PublisherRights::of_owner()), holds: None });
            }
            PublisherId::Known(tenant) => tenant,
        };
        let holding = watch::find_holding(unit.tx, talent, tenant, unit.now)?;
        let (holds, permitted) = holding.map(|it| (it.oldest, it.license)).unzip();
        let grants = grant::list_of_talent(unit.tx, talent, tenant, MAX_GRANTS)?;
        let grants = grants.into_iter().map(|it| (VerdictGrant::from(&it), GrantFacts::from(it)));
        Ok(Self { id, rights: Ok(PublisherRights::new(grants.collect(), permitted)), holds })
    }

    /// Judges content in which the talent was recognized.
    pub(super) fn judge(&self, times: SightingTimes, recognition: &Recognition) -> Judgment {
        match &self.rights {
            Ok(rights) => rights.judge(times, recognition.strong),
            Err(unknown) => unknown.judge(recognition.found.kind, recognition.strong),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_of_a_parent_domain_publishes_what_is_below() {
        assert_eq!(domains("a.news.example"), ["a.news.example", "news.example"]);
        assert_eq!(domains("localhost"), ["localhost"]);
        assert_eq!(domains("127.0.0.1:8080"), ["127.0.0.1:8080", "127.0.0.1"]);
        assert_eq!(domains("[::1]"), ["[::1]"]);
        assert_eq!(domains("[::1]:81"), ["[::1]:81", "[::1]"]);
        let all = ["a.b.example:81", "a.b.example", "b.example:81", "b.example"];
        assert_eq!(domains("a.b.example:81"), all);
    }

    #[test]
    fn a_host_has_its_port_unless_that_is_the_default() {
        for (url, expected) in [
            ("https://news.example/a", "news.example"),
            ("http://news.example:8080/a", "news.example:8080"),
            ("https://news.example:443/a", "news.example"),
        ] {
            assert_eq!(host(&ContentUrl::parse(url).unwrap()), expected, "{url}");
        }
    }
}
