//! The table of sample licenses.

/// The talent that a license is about.
#[derive(Clone, Copy)]
pub(super) enum Subject {
    /// A talent, by index in the agency's roster.
    Talent(usize),
    /// The self-managed individual.
    Person,
}

/// How a license ended.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// Its owner ended it.
    ByHand,
    /// It expired this many days ago.
    DaysAgo(u64),
}

/// A license as its owner would enter it.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) subject: Subject,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) uses: &'static [&'static str],
    pub(super) territories: &'static [&'static str],
    pub(super) fee: Option<[&'static str; 3]>,
    pub(super) crawl: bool,
    /// Days from now until it starts and until it ends.
    pub(super) valid: (Option<i64>, Option<i64>),
    pub(super) end: Option<End>,
    pub(super) pictures: usize,
    /// The terms as JSON.
    pub(super) terms: &'static str,
}

/// Default values.
const ROW: Row = Row {
    name: "",
    subject: Subject::Person,
    title: "",
    description: "",
    kind: "custom",
    status: "private",
    uses: &[],
    territories: &["WORLD"],
    fee: None,
    crawl: false,
    valid: (None, None),
    end: None,
    pictures: 1,
    terms: "{}",
};

/// The licenses, in the order in which they are created.
pub(super) const LICENSES: [Row; 15] = [
    Row {
        name: "QF-001",
        subject: Subject::Talent(0),
        title: "Summit season: outdoor advertising",
        description: "Posters, print and films for outdoor wear. No alcohol, no energy drinks.",
        kind: "advertising",
        status: "public",
        uses: &["advertising", "social_media"],
        fee: Some(["12500.00", "EUR", "campaign"]),
        crawl: true,
        valid: (Some(-60), Some(300)),
        pictures: 3,
        terms: r#"{"approval": "each motif", "exclusive": false, "credit": "Photo: Quillfeather"}"#,
        ..ROW
    },
    Row {
        name: "QF-002",
        subject: Subject::Talent(0),
        title: "Rope and rock: short films",
        description: "Clips of up to sixty seconds. About to end: ask for a renewal.",
        kind: "social_media",
        uses: &["social_media"],
        territories: &["SE", "NO", "DK", "FI"],
        fee: Some(["900.00", "EUR", "month"]),
        crawl: true,
        valid: (Some(-355), Some(10)),
        ..ROW
    },
    Row {
        name: "QF-003",
        subject: Subject::Talent(1),
        title: "A reading voice",
        description: "Audiobooks and radio plays in French and Bambara.",
        kind: "voice",
        status: "public",
        uses: &["voice"],
        territories: &["FR", "BE", "SN", "ML"],
        fee: Some(["350.00", "EUR", "day"]),
        valid: (None, Some(200)),
        terms: r#"{"languages": ["fr", "bm"], "ai": "no cloning"}"#,
        ..ROW
    },
    Row {
        name: "QF-004",
        subject: Subject::Talent(2),
        title: "Storybook face · 絵本の顔",
        description: "Her face next to the books she draws, in feeds and stories.",
        kind: "social_media",
        status: "public",
        uses: &["social_media", "endorsement"],
        territories: &["JP"],
        fee: Some(["80000.00", "JPY", "campaign"]),
        crawl: true,
        valid: (Some(-30), None),
        pictures: 2,
        ..ROW
    },
    Row {
        name: "QF-005",
        subject: Subject::Talent(2),
        title: "Picture-book goods",
        description: "Mugs, bags and stickers. Waiting for the publisher's approval.",
        kind: "merchandise",
        status: "draft",
        uses: &["merchandise"],
        territories: &["JP", "KR"],
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-006",
        subject: Subject::Talent(3),
        title: "The harbor coat",
        description: "He promotes and wears one coat. Starts with the autumn collection.",
        kind: "endorsement",
        uses: &["endorsement", "advertising"],
        territories: &["DK", "DE", "NO"],
        fee: Some(["4000.00", "EUR", "campaign"]),
        valid: (Some(14), Some(380)),
        ..ROW
    },
    Row {
        name: "QF-007",
        subject: Subject::Talent(4),
        title: "Stage lights",
        description: "Posters for one tour, which has ended.",
        kind: "advertising",
        status: "public",
        uses: &["advertising"],
        territories: &["ES", "PT", "MX"],
        fee: Some(["2200.00", "EUR", "month"]),
        crawl: true,
        valid: (Some(-200), Some(30)),
        end: Some(End::DaysAgo(12)),
        ..ROW
    },
    Row {
        name: "QF-008",
        subject: Subject::Talent(4),
        title: "Movement study for models",
        description: "Motion capture for training. Terms are being written.",
        kind: "ai_training",
        status: "draft",
        uses: &["ai_training"],
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-009",
        subject: Subject::Talent(5),
        title: "Hands at the piano",
        description: "Generated films that show her hands and never her face.",
        kind: "ai_generation",
        uses: &["ai_generation", "advertising"],
        territories: &["UA", "PL", "US"],
        fee: Some(["0.75", "USD", "use"]),
        crawl: true,
        valid: (Some(-90), Some(275)),
        terms: r#"{"label": "must be labeled as generated", "max_seconds": 30}"#,
        ..ROW
    },
    Row {
        name: "QF-010",
        subject: Subject::Talent(5),
        title: "Recital posters · Афіші",
        description: "Printed posters, sold in the lobby.",
        kind: "merchandise",
        status: "public",
        uses: &["merchandise"],
        territories: &["UA", "PL", "DE", "AT"],
        fee: Some(["1.20", "EUR", "use"]),
        valid: (None, Some(120)),
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-011",
        subject: Subject::Talent(6),
        title: "Eleven seats: the cookbook",
        description: "All uses for the book, as set out in the terms.",
        status: "public",
        territories: &["IE", "GB"],
        terms: r#"{"pages": 240, "editions": ["hardback", "e-book"], "royalty_percent": 4}"#,
        ..ROW
    },
    Row {
        name: "QF-012",
        subject: Subject::Talent(6),
        title: "A word for stout",
        description: "Ended by agreement after the first season.",
        kind: "endorsement",
        uses: &["endorsement"],
        territories: &["IE"],
        fee: Some(["15000.00", "EUR", "year"]),
        valid: (Some(-365), None),
        end: Some(End::ByHand),
        pictures: 0,
        ..ROW
    },
    Row {
        name: "QF-013",
        subject: Subject::Talent(7),
        title: "Science in a minute",
        description: "Clips for schools and museums, free of charge.",
        kind: "social_media",
        status: "public",
        uses: &["social_media"],
        territories: &["IN", "GB", "US"],
        fee: Some(["0.00", "USD", "use"]),
        crawl: true,
        ..ROW
    },
    Row {
        name: "QF-014",
        subject: Subject::Talent(7),
        title: "A voice that explains",
        description: "Forty hours of speech for one named model.",
        kind: "ai_training",
        uses: &["ai_training", "voice"],
        fee: Some(["30000.00", "USD", "year"]),
        valid: (Some(-10), Some(355)),
        terms: r#"{"model": "one, named in the contract", "resale": false}"#,
        pictures: 0,
        ..ROW
    },
    Row {
        name: "NE-001",
        subject: Subject::Person,
        title: "Walks through the old town",
        description: "Stills from a travel diary, for guides and magazines.",
        kind: "advertising",
        status: "public",
        uses: &["advertising"],
        territories: &["DE", "AT", "CH", "IL"],
        fee: Some(["180.00", "EUR", "use"]),
        crawl: true,
        valid: (None, Some(90)),
        ..ROW
    },
];
