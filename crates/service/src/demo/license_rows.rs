//! The sample's licenses, as data.

/// Whose likeness a license is about.
#[derive(Clone, Copy)]
pub(super) enum Of {
    /// The place on the agency's roster.
    Talent(usize),
    /// Who manages themself.
    Person,
}

/// How a license came to its end.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// Its owner ended it.
    ByHand,
    /// Its time was up so many days ago.
    DaysAgo(u64),
}

/// A license as its owner would describe it.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) of: Of,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) kind: &'static str,
    pub(super) begins: &'static str,
    pub(super) uses: &'static [&'static str],
    pub(super) territories: &'static [&'static str],
    pub(super) fee: Option<[&'static str; 3]>,
    pub(super) crawl: bool,
    /// Days until it holds and until it ends, counted from now.
    pub(super) holds: (Option<i64>, Option<i64>),
    pub(super) end: Option<End>,
    pub(super) pictures: usize,
    /// JSON, as a caller would send it.
    pub(super) terms: &'static str,
}

/// What most have in common.
const ROW: Row = Row {
    name: "",
    of: Of::Person,
    title: "",
    description: "",
    kind: "custom",
    begins: "private",
    uses: &[],
    territories: &["WORLD"],
    fee: None,
    crawl: false,
    holds: (None, None),
    end: None,
    pictures: 1,
    terms: "{}",
};

/// The licenses, in the order in which they are made.
pub(super) const LICENSES: [Row; 15] = [
    Row {
        name: "QF-001",
        of: Of::Talent(0),
        title: "Summit season: outdoor advertising",
        description: "Posters, print and films for outdoor wear. No alcohol, no energy drinks.",
        kind: "advertising",
        begins: "public",
        uses: &["advertising", "social_media"],
        fee: Some(["12500.00", "EUR", "campaign"]),
        crawl: true,
        holds: (Some(-60), Some(300)),
        pictures: 3,
        terms: r#"{"approval": "each motif", "exclusive": false, "credit": "Photo: Quillfeather"}"#,
        ..ROW
    },
    Row {
        name: "QF-002",
        of: Of::Talent(0),
        title: "Rope and rock: short films",
        description: "Clips of up to sixty seconds. About to end: ask for a renewal.",
        kind: "social_media",
        uses: &["social_media"],
        territories: &["SE", "NO", "DK", "FI"],
        fee: Some(["900.00", "EUR", "month"]),
        crawl: true,
        holds: (Some(-355), Some(10)),
        ..ROW
    },
    Row {
        name: "QF-003",
        of: Of::Talent(1),
        title: "A reading voice",
        description: "Audiobooks and radio plays in French and Bambara.",
        kind: "voice",
        begins: "public",
        uses: &["voice"],
        territories: &["FR", "BE", "SN", "ML"],
        fee: Some(["350.00", "EUR", "day"]),
        holds: (None, Some(200)),
        terms: r#"{"languages": ["fr", "bm"], "ai": "no cloning"}"#,
        ..ROW
    },
    Row {
        name: "QF-004",
        of: Of::Talent(2),
        title: "Storybook face · 絵本の顔",
        description: "Her face beside the books she draws, in feeds and stories.",
        kind: "social_media",
        begins: "public",
        uses: &["social_media", "endorsement"],
        territories: &["JP"],
        fee: Some(["80000.00", "JPY", "campaign"]),
        crawl: true,
        holds: (Some(-30), None),
        pictures: 2,
        ..ROW
    },
    Row {
        name: "QF-005",
        of: Of::Talent(2),
        title: "Picture-book goods",
        description: "Cups, bags and stickers. Waiting for the publisher's word.",
        kind: "merchandise",
        begins: "draft",
        uses: &["merchandise"],
        territories: &["JP", "KR"],
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-006",
        of: Of::Talent(3),
        title: "The harbor coat",
        description: "He speaks for one coat and wears it. Begins with the autumn collection.",
        kind: "endorsement",
        uses: &["endorsement", "advertising"],
        territories: &["DK", "DE", "NO"],
        fee: Some(["4000.00", "EUR", "campaign"]),
        holds: (Some(14), Some(380)),
        ..ROW
    },
    Row {
        name: "QF-007",
        of: Of::Talent(4),
        title: "Stage lights",
        description: "Posters of one tour, which is over.",
        kind: "advertising",
        begins: "public",
        uses: &["advertising"],
        territories: &["ES", "PT", "MX"],
        fee: Some(["2200.00", "EUR", "month"]),
        crawl: true,
        holds: (Some(-200), Some(30)),
        end: Some(End::DaysAgo(12)),
        ..ROW
    },
    Row {
        name: "QF-008",
        of: Of::Talent(4),
        title: "Movement study for models",
        description: "Motion capture for training. Terms are being written.",
        kind: "ai_training",
        begins: "draft",
        uses: &["ai_training"],
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-009",
        of: Of::Talent(5),
        title: "Hands at the piano",
        description: "Generated films that show her hands and never her face.",
        kind: "ai_generation",
        uses: &["ai_generation", "advertising"],
        territories: &["UA", "PL", "US"],
        fee: Some(["0.75", "USD", "use"]),
        crawl: true,
        holds: (Some(-90), Some(275)),
        terms: r#"{"label": "must say that it was generated", "max_seconds": 30}"#,
        ..ROW
    },
    Row {
        name: "QF-010",
        of: Of::Talent(5),
        title: "Recital posters · Афіші",
        description: "Printed posters, sold in the foyer.",
        kind: "merchandise",
        begins: "public",
        uses: &["merchandise"],
        territories: &["UA", "PL", "DE", "AT"],
        fee: Some(["1.20", "EUR", "use"]),
        holds: (None, Some(120)),
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-011",
        of: Of::Talent(6),
        title: "Eleven seats: the cookbook",
        description: "Whatever the book needs, as the terms say.",
        begins: "public",
        territories: &["IE", "GB"],
        terms: r#"{"pages": 240, "editions": ["hardback", "e-book"], "royalty_percent": 4}"#,
        ..ROW
    },
    Row {
        name: "QF-012",
        of: Of::Talent(6),
        title: "A word for stout",
        description: "Ended by agreement after the first season.",
        kind: "endorsement",
        uses: &["endorsement"],
        territories: &["IE"],
        fee: Some(["15000.00", "EUR", "year"]),
        holds: (Some(-365), None),
        end: Some(End::ByHand),
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-013",
        of: Of::Talent(7),
        title: "Science in a minute",
        description: "Clips for schools and museums, free of charge.",
        kind: "social_media",
        begins: "public",
        uses: &["social_media"],
        territories: &["IN", "GB", "US"],
        fee: Some(["0.00", "USD", "use"]),
        crawl: true,
        ..ROW
    },
    Row {
        name: "QF-014",
        of: Of::Talent(7),
        title: "A voice that explains",
        description: "Forty hours of speech for one named model.",
        kind: "ai_training",
        uses: &["ai_training", "voice"],
        fee: Some(["30000.00", "USD", "year"]),
        holds: (Some(-10), Some(355)),
        terms: r#"{"model": "one, named in the contract", "resale": false}"#,
        pictures: 0,
        ..ROW
    },
    Row {
        name: "NE-001",
        of: Of::Person,
        title: "Walks through the old town",
        description: "Stills from a travel diary, for guides and magazines.",
        kind: "advertising",
        begins: "public",
        uses: &["advertising"],
        territories: &["DE", "AT", "CH", "IL"],
        fee: Some(["180.00", "EUR", "use"]),
        crawl: true,
        holds: (None, Some(90)),
        ..ROW
    },
];
