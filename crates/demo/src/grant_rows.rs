//! The table of sample requests: what both parties do, step by step.

use grantor_domain::grant::Party;

use super::people::{BRAND, PLATFORM};

/// A negotiation about one of the agency's licenses.
pub(super) struct Row {
    /// The license, by its external ID.
    pub(super) license: &'static str,
    /// The index of the account that asks.
    pub(super) asker: usize,
    /// The steps, in order.
    pub(super) steps: &'static [Step],
}

/// What a party does.
pub(super) enum Step {
    /// The asker sends a request.
    Ask(Wish),
    /// The owner makes an offer; as the first step, without being asked.
    Offer(Terms),
    /// A party writes a message.
    Message(Party, &'static str),
    /// A party reads the request, its offers and its messages.
    Read(Party),
    /// The asker accepts the open offer.
    Accept,
    /// The owner revokes the grant, with a reason.
    Revoke(&'static str),
}

/// Uses, territories and the days from today until the start and the end.
pub(super) struct Extent {
    pub(super) uses: &'static [&'static str],
    pub(super) territories: &'static [&'static str],
    pub(super) days: (i64, Option<i64>),
}

/// A request as its asker would enter it.
pub(super) struct Wish {
    pub(super) extent: Extent,
    pub(super) purpose: &'static str,
    pub(super) channels: &'static [&'static str],
    /// Amount and currency.
    pub(super) budget: Option<(&'static str, &'static str)>,
}

/// An offer as the owner would enter it.
pub(super) struct Terms {
    pub(super) extent: Extent,
    pub(super) fee: Option<[&'static str; 3]>,
    pub(super) exclusive: bool,
    pub(super) channels: &'static [&'static str],
    pub(super) conditions: &'static str,
    pub(super) credit_line: Option<&'static str>,
}

/// The negotiations, the oldest first.
pub(super) const NEGOTIATIONS: [Row; 7] =
    [ENDED, REVOKED, EXCLUSIVE, OPEN_ENDED, SCHEDULED, OFFERED, WAITING];

/// Agreed in writing only after the film had run, so it was over when it was accepted.
const ENDED: Row = Row {
    license: "QF-003",
    asker: PLATFORM,
    steps: &[
        Step::Offer(Terms {
            extent: Extent { uses: &["voice"], territories: &["FR", "BE"], days: (-120, Some(-8)) },
            fee: Some(["350.00", "EUR", "day"]),
            exclusive: false,
            channels: &["Loopwell Clips"],
            conditions: "Covers the first film about bakeries, which has already run.",
            credit_line: Some("Read by Amadou N'Diabaré"),
        }),
        Step::Message(Party::Owner, "As discussed on the phone: the paperwork for the first film."),
        Step::Read(Party::Asker),
        Step::Accept,
    ],
};

const REVOKED: Row = Row {
    license: "QF-009",
    asker: BRAND,
    steps: &[
        Step::Ask(Wish {
            extent: Extent {
                uses: &["ai_generation", "advertising"],
                territories: &["PL", "US"],
                days: (-30, Some(120)),
            },
            purpose: "Generated films of hands that tie the knots of our tents.",
            channels: &["Website", "YouTube"],
            budget: Some(("3000.00", "USD")),
        }),
        Step::Offer(Terms {
            extent: Extent {
                uses: &["ai_generation", "advertising"],
                territories: &["PL", "US"],
                days: (-30, Some(120)),
            },
            fee: Some(["0.75", "USD", "use"]),
            exclusive: false,
            channels: &["Website", "YouTube"],
            conditions: "Every film is labeled as generated.",
            credit_line: None,
        }),
        Step::Accept,
        Step::Revoke("Two films ran without the label that the terms require."),
    ],
};

const EXCLUSIVE: Row = Row {
    license: "QF-001",
    asker: BRAND,
    steps: &[
        Step::Ask(Wish {
            extent: Extent {
                uses: &["advertising"],
                territories: &["SE", "NO", "DK", "FI"],
                days: (-45, Some(20)),
            },
            purpose: "Posters and shop windows for the summit jacket.",
            channels: &["Out-of-home", "Shop windows"],
            budget: Some(("12000.00", "EUR")),
        }),
        Step::Message(
            Party::Asker,
            "We need the Nordic countries for ourselves while the campaign runs. Is that possible?",
        ),
        Step::Read(Party::Owner),
        Step::Message(Party::Owner, "Yes, for advertising. The fee is that of a whole campaign."),
        Step::Offer(Terms {
            extent: Extent {
                uses: &["advertising"],
                territories: &["SE", "NO", "DK", "FI"],
                days: (-45, Some(20)),
            },
            fee: Some(["12500.00", "EUR", "campaign"]),
            exclusive: true,
            channels: &["Out-of-home", "Shop windows"],
            conditions: "No alcohol, no energy drinks. We approve each motif.",
            credit_line: Some("Photo: Quillfeather"),
        }),
        Step::Read(Party::Asker),
        Step::Accept,
    ],
};

const OPEN_ENDED: Row = Row {
    license: "QF-011",
    asker: PLATFORM,
    steps: &[
        Step::Ask(Wish {
            extent: Extent {
                uses: &["social_media"],
                territories: &["IE", "GB"],
                days: (-25, None),
            },
            purpose: "A page about the restaurant, with a clip for each chapter of the book.",
            channels: &["Loopwell Magazine"],
            budget: None,
        }),
        Step::Offer(Terms {
            extent: Extent {
                uses: &["social_media"],
                territories: &["IE", "GB"],
                days: (-25, None),
            },
            fee: None,
            exclusive: false,
            channels: &["Loopwell Magazine"],
            conditions: "",
            credit_line: Some("Tadhg Ó Marcáin, Eleven Seats"),
        }),
        Step::Accept,
    ],
};

const SCHEDULED: Row = Row {
    license: "QF-011",
    asker: BRAND,
    steps: &[
        Step::Ask(Wish {
            extent: Extent {
                uses: &["merchandise"],
                territories: &["IE", "GB"],
                days: (14, Some(194)),
            },
            purpose: "Recipe cards for one pot and one flame, packed with our camping stoves.",
            channels: &["Packaging"],
            budget: Some(("5000.00", "EUR")),
        }),
        Step::Offer(Terms {
            extent: Extent {
                uses: &["merchandise"],
                territories: &["IE", "GB"],
                days: (14, Some(194)),
            },
            fee: Some(["4500.00", "EUR", "campaign"]),
            exclusive: false,
            channels: &["Packaging"],
            conditions: "Up to six recipes of the book.",
            credit_line: Some("Tadhg Ó Marcáin, Eleven Seats"),
        }),
        Step::Accept,
    ],
};

const OFFERED: Row = Row {
    license: "QF-013",
    asker: BRAND,
    steps: &[
        Step::Ask(Wish {
            extent: Extent {
                uses: &["social_media"],
                territories: &["GB", "US"],
                days: (10, Some(375)),
            },
            purpose: "Clips of one minute that explain why down keeps you warm.",
            channels: &["Instagram", "YouTube"],
            budget: Some(("2000.00", "USD")),
        }),
        Step::Message(Party::Asker, "Could she record them in our workshop?"),
        Step::Read(Party::Owner),
        Step::Offer(Terms {
            extent: Extent { uses: &["social_media"], territories: &["GB"], days: (10, Some(190)) },
            fee: Some(["250.00", "USD", "use"]),
            exclusive: false,
            channels: &["YouTube"],
            conditions: "Six clips. She reads every script before it is recorded.",
            credit_line: Some("Priyamvada Rathnakar"),
        }),
        Step::Message(
            Party::Owner,
            "The workshop is fine. She is promised elsewhere in the United States, so the offer is \
             for the United Kingdom.",
        ),
    ],
};

/// Asks for a territory that the license does not include.
const WAITING: Row = Row {
    license: "QF-003",
    asker: PLATFORM,
    steps: &[
        Step::Ask(Wish {
            extent: Extent {
                uses: &["voice"],
                territories: &["FR", "BE", "CH"],
                days: (12, Some(102)),
            },
            purpose: "The narrator of ten more films about bakeries.",
            channels: &["Loopwell Clips"],
            budget: Some(("2400.00", "EUR")),
        }),
        Step::Message(Party::Asker, "The recordings would take about six days. When is he free?"),
        Step::Message(
            Party::Asker,
            "We would like to add Switzerland, if you can extend the license.",
        ),
    ],
};
