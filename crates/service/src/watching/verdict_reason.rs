//! The reasons of verdicts in the languages of pages and mails. They are stored in English.

use grantor_messages::{Language, Value};

/// How a reason refers to a grant whose number the reader may see, and to one without its number.
const BY_GRANT: &str = "by grant ";
const BY_A_GRANT: &str = "by a grant";

/// Returns the reason of a verdict in a language. An unknown reason stays as it is.
#[must_use]
pub fn in_language(language: Language, reason: &str) -> String {
    let (general, number) = without_number(reason);
    if let Some(key) = of_grant(&general) {
        return language.format(key, &[("grant", Value::from(number))]);
    }
    let key = of_publisher(&general).or_else(|| of_unknown_publisher(&general));
    key.map_or(reason, |key| language.text(key)).to_owned()
}

/// The reason without the number of its grant, and the number, which is `none` if there is none.
fn without_number(reason: &str) -> (String, &str) {
    let Some((before, rest)) = reason.split_once(BY_GRANT) else {
        return (reason.to_owned(), "none");
    };
    let (number, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
    (format!("{before}{BY_A_GRANT}{after}"), number)
}

/// The key of a reason with a grant.
fn of_grant(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "Published while licensed by a grant" => "mention-reason-granted",
        "Licensed by a grant, which starts after this was published" => {
            "mention-reason-not-started"
        }
        "Previously licensed by a grant, which ended before this was published" => {
            "mention-reason-ended"
        }
        "Previously licensed by a grant, which was revoked before this was published" => {
            "mention-reason-revoked"
        }
        "May be licensed by a grant, but the publication date is more than 7 days from when this \
         was first seen" => "mention-reason-unconfirmed",
        _ => return None,
    })
}

/// The key of a reason with a known publisher.
fn of_publisher(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "The platform's organization owns the talent's licenses" => "mention-reason-owned",
        "The publisher owns the talent's licenses" => "mention-reason-publisher-owns",
        "The platform's organization has an active permission" => "mention-reason-permitted",
        "The publisher has an active permission" => "mention-reason-publisher-permitted",
        "The platform's organization has a permission that is not active" => {
            "mention-reason-not-permitted"
        }
        "The publisher has a permission that is not active" => {
            "mention-reason-publisher-not-permitted"
        }
        "Strong match, and the platform's organization has no permission" => {
            "mention-reason-strong"
        }
        "Strong match, and the publisher has no permission" => "mention-reason-publisher-strong",
        "Weak match, and the platform's organization has no permission" => "mention-reason-weak",
        "Weak match, and the publisher has no permission" => "mention-reason-publisher-weak",
        _ => return None,
    })
}

/// The key of a reason with an unknown publisher.
fn of_unknown_publisher(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "A reference image appears on a site whose owner is not known to have a license" => {
            "mention-reason-image-on-site"
        }
        "A reference image appears on a profile whose owner is unknown. People share images there, \
         so please check who posted it" => "mention-reason-image-on-profile",
        "An image resembles a reference image, but not closely enough to be sure" => {
            "mention-reason-similar-image"
        }
        "Naming somebody is not a use of their likeness by itself. Please check what the name is \
         used for" => "mention-reason-named",
        "Only part of a name, or a name that other people have too. Please check whether this is \
         about the talent" => "mention-reason-weakly-named",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use grantor_domain::Timestamp;
    use grantor_domain::decision::{GrantFacts, LicenseFacts};
    use grantor_domain::grant::{Coverage, GrantNumber};
    use grantor_domain::license::{LicenseStatus, Territories, Uses};
    use grantor_domain::mention::{
        MatchKind, PublisherRights, SightingTimes, UnknownPublisher, VerdictGrant,
    };
    use uuid::Uuid;

    use super::*;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_secs(number * 86_400)
    }

    fn seen(published: i64, first_seen: i64) -> SightingTimes {
        let (published_at, first_seen_at) = (Some(day(published)), day(first_seen));
        SightingTimes { published_at, first_seen_at, now: day(1_000) }
    }

    /// The rights by a grant from day 100 to day 200, which may have been revoked.
    fn granted(revoked: Option<i64>) -> PublisherRights {
        let number = GrantNumber { year: 2026, serial: 7 };
        let coverage = Coverage {
            uses: Uses::parse(&["voice"]).unwrap(),
            territories: Territories::parse(&["DE"]).unwrap(),
            starts_at: day(100),
            ends_at: Some(day(200)),
        };
        let [licensor, licensee] = [1, 2].map(|it| Uuid::from_u128(it).into());
        let grant = VerdictGrant { id: Uuid::from_u128(3).into(), number, licensor, licensee };
        let facts = GrantFacts { number, coverage, revoked_at: revoked.map(day) };
        PublisherRights::new(vec![(grant, facts)], None)
    }

    fn permitted(valid_from: i64) -> PublisherRights {
        let license = LicenseFacts {
            status: LicenseStatus::Private,
            uses: Uses::parse(&["merchandise"]).unwrap(),
            territories: Territories::parse(&["US"]).unwrap(),
            valid_from: Some(day(valid_from)),
            expires_at: None,
        };
        PublisherRights::new(vec![], Some(license))
    }

    /// All reasons of the domain: of content on a platform, of a known publisher and of others.
    fn reasons() -> Vec<String> {
        let nobody = PublisherRights::new(vec![], None);
        let judged = [
            PublisherRights::of_owner().judge(seen(1, 1), true),
            granted(None).judge(seen(150, 150), true),
            granted(None).judge(seen(99, 99), true),
            granted(None).judge(seen(200, 200), true),
            granted(Some(150)).judge(seen(150, 150), true),
            granted(None).judge(seen(150, 158), true),
            permitted(1).judge(seen(1, 1), true),
            permitted(1_001).judge(seen(1, 1), true),
            nobody.judge(seen(1, 1), true),
            nobody.judge(seen(1, 1), false),
        ];
        let mut reasons: Vec<String> = judged
            .iter()
            .flat_map(|it| {
                let numbered = it.reason.replacen(BY_A_GRANT, "by grant GR-2026-000007", 1);
                [it.reason.to_owned(), it.publisher_reason(), numbered]
            })
            .collect();
        for place in [UnknownPublisher::OwnSite, UnknownPublisher::HostedProfile] {
            for (kind, strong) in [
                (MatchKind::Image, true),
                (MatchKind::Image, false),
                (MatchKind::Name, true),
                (MatchKind::Name, false),
            ] {
                reasons.push(place.judge(kind, strong).reason.to_owned());
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    #[test]
    fn every_reason_is_translated() {
        let (german, all) = (Language::find("de").unwrap(), reasons());
        let english = Language::english();
        assert_eq!(all.len(), 25, "{all:?}");
        for reason in all {
            assert_eq!(in_language(english, &reason), reason);
            let translated = in_language(german, &reason);
            assert_ne!(translated, reason);
            assert_eq!(translated.contains("GR-2026-000007"), reason.contains("GR-"), "{reason}");
        }
        assert_eq!(in_language(german, "Something new"), "Something new");
    }
}
