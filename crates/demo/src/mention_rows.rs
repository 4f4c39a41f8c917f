//! The table of sample mentions that show every combination of verdict and status. Those of the
//! last ninety days are in `history_rows.rs`.

use grantor_domain::mention::Verdict;

/// Where a mention was found.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// On a sample platform, by its index.
    Platform(usize),
    /// On the sample site, by the sample source.
    Source,
}

/// What a talent was recognized by.
pub(super) enum MatchedBy {
    Name(&'static str),
    /// The license's first image, with this hash distance.
    Picture(u32),
}

/// A mention.
pub(super) struct Row {
    pub(super) license: &'static str,
    pub(super) place: Place,
    /// The path on the platform, or the post on the sample site.
    pub(super) path: &'static str,
    pub(super) title: &'static str,
    pub(super) excerpt: &'static str,
    pub(super) author: Option<&'static str>,
    pub(super) by: MatchedBy,
    pub(super) confidence: f64,
    pub(super) verdict: Verdict,
    pub(super) reason: &'static str,
    /// The agency's review: status and note.
    pub(super) decided: Option<(&'static str, &'static str)>,
    /// Days since it was published, first seen and last seen.
    pub(super) ago: [u64; 3],
    pub(super) revision: u32,
}

/// Content of a platform whose organization has a permission.
pub(super) const LICENSED: Row = Row {
    license: "",
    place: Place::Platform(0),
    path: "",
    title: "",
    excerpt: "",
    author: None,
    by: MatchedBy::Picture(0),
    confidence: 0.97,
    verdict: Verdict::Licensed,
    reason: "The platform's organization has an active permission",
    decided: Some(("confirmed", "Covered")),
    ago: [0, 0, 0],
    revision: 1,
};
/// Content with a strong match, of a platform whose organization has no permission.
pub(super) const UNLICENSED: Row = Row {
    confidence: 0.94,
    verdict: Verdict::Unlicensed,
    reason: "Strong match, and the platform's organization has no permission",
    decided: None,
    ..LICENSED
};
/// Content with a weak match, of a platform whose organization has no permission.
pub(super) const WEAKLY_MATCHED: Row = Row {
    confidence: 0.7,
    verdict: Verdict::NeedsReview,
    reason: "Weak match, and the platform's organization has no permission",
    ..UNLICENSED
};

/// One for each combination of verdict and status, and one of the individual.
pub(super) static MENTIONS: [Row; 10] = [
    Row {
        license: "QF-001",
        place: Place::Platform(1),
        path: "/2/summit-season",
        title: "Summit season begins",
        excerpt: "… with Zoë Lindqvåg on the cover of our mountain issue …",
        author: Some("The editors"),
        by: MatchedBy::Name("Zoë Lindqvåg"),
        confidence: 0.98,
        decided: Some(("confirmed", "Cover of the mountain issue, as agreed")),
        ago: [21, 20, 1],
        revision: 2,
        ..LICENSED
    },
    Row {
        license: "QF-002",
        path: "/clips/81730",
        title: "rope + rock",
        excerpt: "zoe lindqvag shows the figure eight in 30 seconds",
        author: Some("@bergfilm"),
        by: MatchedBy::Name("Zoe Lindqvag"),
        confidence: 0.91,
        decided: None,
        ago: [6, 5, 0],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        path: "/clips/82944",
        title: "AI plays Chopin",
        excerpt: "generated hands, generated piano, real goosebumps",
        author: Some("@synthetic.salon"),
        by: MatchedBy::Picture(3),
        confidence: 0.95,
        ago: [3, 2, 0],
        ..UNLICENSED
    },
    Row {
        license: "QF-007",
        place: Place::Platform(1),
        path: "/1/tour-posters",
        title: "Posters of the year",
        excerpt: "… Inés Quintaflor in red against red …",
        author: Some("Culture desk"),
        by: MatchedBy::Picture(6),
        confidence: 0.9,
        decided: Some(("confirmed", "Still online after the license ended; sent to our lawyer")),
        ago: [40, 11, 1],
        ..UNLICENSED
    },
    Row {
        license: "QF-009",
        place: Place::Platform(1),
        path: "/2/piano-makers",
        title: "A visit to the piano makers",
        excerpt: "… the pianist Olena Yasnovets tried the oldest of them …",
        by: MatchedBy::Name("Olena Yasnovets"),
        confidence: 0.88,
        decided: Some(("dismissed", "News coverage needs no license")),
        ago: [15, 14, 9],
        ..UNLICENSED
    },
    Row {
        license: "QF-009",
        path: "/clips/79001",
        title: "Whose hands are these?",
        excerpt: "one minute of scales, filmed from above",
        author: Some("@museum.of.sound"),
        by: MatchedBy::Picture(35),
        confidence: 0.73,
        ago: [2, 1, 0],
        ..WEAKLY_MATCHED
    },
    Row {
        license: "QF-009",
        path: "/clips/78212",
        title: "Learning the left hand",
        excerpt: "day 12, still the same four bars",
        author: Some("@piano.at.home"),
        by: MatchedBy::Picture(41),
        confidence: 0.68,
        decided: Some(("dismissed", "Someone else's hands")),
        ago: [9, 8, 8],
        ..WEAKLY_MATCHED
    },
    Row {
        license: "QF-007",
        path: "/clips/80555",
        title: "My room before the move",
        excerpt: "the face on the poster behind the shelf",
        author: Some("@boxes.and.boxes"),
        by: MatchedBy::Picture(38),
        decided: Some(("confirmed", "It is her tour poster, bought at a concert")),
        ago: [16, 15, 13],
        revision: 3,
        ..WEAKLY_MATCHED
    },
    Row {
        license: "QF-004",
        place: Place::Platform(1),
        path: "/1/picture-books",
        title: "Ten picture books for winter",
        excerpt: "… and 星野うらら herself reads from it …",
        author: Some("Book desk"),
        by: MatchedBy::Name("星野うらら"),
        decided: Some(("dismissed", "A book review; not part of the campaign")),
        ago: [27, 26, 26],
        ..LICENSED
    },
    Row {
        license: "NE-001",
        path: "/clips/83310",
        title: "48 hours in the old town",
        excerpt: "pictures from a diary we found",
        author: Some("@city.in.two.days"),
        by: MatchedBy::Picture(2),
        confidence: 0.96,
        ago: [4, 3, 0],
        ..UNLICENSED
    },
];
