//! Sample mentions of the last ninety days, oldest first: what platforms published, and what was
//! found on the sample site. Of the latter, `path` is the post.

use grantor_domain::mention::Verdict;

use super::mention_rows::{LICENSED, MatchedBy, Place, Row, UNLICENSED, WEAKLY_MATCHED};

/// A picture on the sample site, whose publisher is unknown.
const SHOWN_ON_SITE: Row = Row {
    place: Place::Source,
    author: Some("Basil at The Corner Table"),
    reason: "A reference image appears on a site whose owner is not known to have a license",
    ..UNLICENSED
};
/// A name on the sample site.
const NAMED_ON_SITE: Row = Row {
    confidence: 0.98,
    verdict: Verdict::NeedsReview,
    reason: "Naming somebody is not a use of their likeness by itself. Please check what the \
             name is used for",
    ..SHOWN_ON_SITE
};

pub(super) static HISTORY: [Row; 32] = [
    Row {
        license: "QF-001",
        place: Place::Platform(1),
        path: "/1/first-snow",
        title: "First snow",
        excerpt: "… Zoë Lindqvåg tests six jackets in one afternoon …",
        author: Some("The editors"),
        by: MatchedBy::Name("Zoë Lindqvåg"),
        decided: Some(("confirmed", "Part of the campaign")),
        ago: [88, 88, 60],
        ..LICENSED
    },
    Row {
        license: "QF-002",
        path: "/clips/60114",
        title: "three knots",
        excerpt: "zoe lindqvag ties them with gloves on",
        author: Some("@bergfilm"),
        by: MatchedBy::Name("Zoe Lindqvag"),
        ago: [86, 85, 30],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        path: "hands-on-the-menu",
        title: "Hands on the menu",
        excerpt: "Our menu has a new cover: two hands over black and white keys.",
        by: MatchedBy::Picture(4),
        decided: Some(("confirmed", "Not licensed; we wrote to them")),
        ago: [83, 82, 82],
        ..SHOWN_ON_SITE
    },
    Row {
        license: "QF-004",
        place: Place::Platform(1),
        path: "/1/rainy-month",
        title: "The rainy month in pictures",
        excerpt: "… a double page by 星野うらら …",
        author: Some("Book desk"),
        by: MatchedBy::Name("星野うらら"),
        ago: [80, 80, 41],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        path: "/clips/61870",
        title: "scales, but slow",
        excerpt: "day 1 of a hundred",
        author: Some("@piano.at.home"),
        by: MatchedBy::Picture(40),
        decided: Some(("dismissed", "Someone else's hands")),
        ago: [78, 77, 70],
        ..WEAKLY_MATCHED
    },
    Row {
        license: "QF-013",
        path: "/clips/62001",
        title: "why is the sky dark",
        excerpt: "priya rathnakar in one minute",
        author: Some("@school.of.night"),
        by: MatchedBy::Name("Priya Rathnakar"),
        decided: Some(("confirmed", "Free for schools")),
        ago: [75, 74, 33],
        ..LICENSED
    },
    Row {
        license: "QF-007",
        place: Place::Platform(1),
        path: "/2/tango-week",
        title: "Tango week",
        excerpt: "… Inés Quintaflor danced on the last evening …",
        author: Some("Culture desk"),
        by: MatchedBy::Name("Inés Quintaflor"),
        decided: Some(("dismissed", "A review, not an advertisement")),
        ago: [72, 72, 72],
        ..UNLICENSED
    },
    Row {
        license: "QF-013",
        path: "science-night",
        title: "Science night",
        excerpt: "Priya Rathnakar answered every question, even the ones about aliens.",
        by: MatchedBy::Name("Priya Rathnakar"),
        decided: Some(("dismissed", "An invitation to her own talk")),
        ago: [67, 66, 66],
        ..NAMED_ON_SITE
    },
    Row {
        license: "QF-001",
        path: "/clips/63344",
        title: "boots, year two",
        excerpt: "still waterproof",
        author: Some("@trailshoes"),
        by: MatchedBy::Picture(5),
        ago: [64, 63, 20],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        path: "/clips/63990",
        title: "nocturne for robots",
        excerpt: "who needs a pianist",
        author: Some("@synthetic.salon"),
        by: MatchedBy::Picture(3),
        decided: Some((
            "confirmed",
            "Generated from her film without a license; reported to Loopwell",
        )),
        ago: [61, 61, 58],
        ..UNLICENSED
    },
    Row {
        license: "NE-001",
        place: Place::Platform(1),
        path: "/2/city-breaks",
        title: "Six city breaks",
        excerpt: "… from the diary of Noa Elmaleh-Brück …",
        author: Some("Travel desk"),
        by: MatchedBy::Name("Noa Elmaleh-Brück"),
        ago: [58, 57, 57],
        ..UNLICENSED
    },
    Row {
        license: "QF-004",
        path: "/clips/64777",
        title: "drawing a cat in 20 lines",
        excerpt: "urara hoshino makes it look easy",
        author: Some("@paper.and.ink"),
        by: MatchedBy::Name("Urara Hoshino"),
        ago: [55, 54, 12],
        ..LICENSED
    },
    Row {
        license: "QF-007",
        path: "red-dress-red-wall",
        title: "Red dress, red wall",
        excerpt: "We found this poster behind the old wallpaper and framed it.",
        by: MatchedBy::Picture(6),
        decided: Some(("dismissed", "A poster that somebody bought; no claim")),
        ago: [52, 51, 51],
        ..SHOWN_ON_SITE
    },
    Row {
        license: "QF-009",
        path: "/clips/65520",
        title: "hands only challenge",
        excerpt: "guess the piece",
        author: Some("@museum.of.sound"),
        by: MatchedBy::Picture(37),
        decided: Some(("confirmed", "Her hands, from our own trailer")),
        ago: [46, 45, 44],
        ..WEAKLY_MATCHED
    },
    Row {
        license: "QF-013",
        place: Place::Platform(1),
        path: "/2/telescopes",
        title: "Telescopes for beginners",
        excerpt: "… the physicist Priyamvada Rathnakar recommends …",
        author: Some("Science desk"),
        by: MatchedBy::Name("Priyamvada Rathnakar"),
        ago: [44, 43, 9],
        ..LICENSED
    },
    Row {
        license: "QF-001",
        path: "/clips/66003",
        title: "rope bridge",
        excerpt: "do not try this",
        author: Some("@city.in.two.days"),
        by: MatchedBy::Picture(42),
        decided: Some(("dismissed", "Another climber")),
        ago: [41, 41, 40],
        ..WEAKLY_MATCHED
    },
    Row {
        license: "QF-004",
        path: "picture-books-for-rainy-days",
        title: "Picture books for rainy days",
        excerpt: "Urara Hoshino draws rain better than anybody we know.",
        by: MatchedBy::Name("Urara Hoshino"),
        decided: Some(("dismissed", "A recommendation")),
        ago: [38, 37, 37],
        ..NAMED_ON_SITE
    },
    Row {
        license: "QF-002",
        path: "/clips/67119",
        title: "figure eight, again",
        excerpt: "zoe lindqvag explains it to her grandmother",
        author: Some("@bergfilm"),
        by: MatchedBy::Name("Zoe Lindqvag"),
        ago: [35, 34, 8],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        place: Place::Platform(1),
        path: "/1/competition",
        title: "Who won the competition",
        excerpt: "… the jury, among them Olena Yasnovets …",
        author: Some("Culture desk"),
        by: MatchedBy::Name("Olena Yasnovets"),
        decided: Some(("dismissed", "News coverage needs no license")),
        ago: [33, 32, 31],
        ..UNLICENSED
    },
    Row {
        license: "QF-001",
        place: Place::Platform(1),
        path: "/2/spring-catalog",
        title: "The spring catalog, page by page",
        excerpt: "… Zoë Lindqvåg on page 40 …",
        author: Some("The editors"),
        by: MatchedBy::Name("Zoë Lindqvåg"),
        decided: Some(("confirmed", "As agreed")),
        ago: [30, 29, 2],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        path: "/clips/68440",
        title: "lofi with hands",
        excerpt: "two hours to study to",
        author: Some("@boxes.and.boxes"),
        by: MatchedBy::Picture(4),
        decided: Some(("confirmed", "Taken from the film; we asked Loopwell to remove it")),
        ago: [28, 28, 25],
        ..UNLICENSED
    },
    Row {
        license: "QF-013",
        path: "/clips/69002",
        title: "atoms are mostly nothing",
        excerpt: "priya rathnakar again, and we are grateful",
        author: Some("@school.of.night"),
        by: MatchedBy::Name("Priya Rathnakar"),
        decided: None,
        ago: [25, 24, 3],
        ..LICENSED
    },
    Row {
        license: "QF-001",
        path: "the-rope-on-the-shelf",
        title: "The rope on the shelf",
        excerpt: "It was a present from Zoë Lindqvåg, who climbed the church tower with it.",
        by: MatchedBy::Name("Zoë Lindqvåg"),
        decided: Some(("dismissed", "A true story")),
        ago: [24, 23, 23],
        ..NAMED_ON_SITE
    },
    Row {
        license: "QF-004",
        path: "/clips/70151",
        title: "bookshop tour",
        excerpt: "the window with the cat is by urara hoshino",
        author: Some("@paper.and.ink"),
        by: MatchedBy::Name("Urara Hoshino"),
        ago: [22, 22, 4],
        ..LICENSED
    },
    Row {
        license: "NE-001",
        path: "/clips/71280",
        title: "walking tour, part 3",
        excerpt: "stairs, so many stairs",
        author: Some("@city.in.two.days"),
        by: MatchedBy::Picture(7),
        ago: [19, 18, 17],
        ..UNLICENSED
    },
    Row {
        license: "QF-002",
        path: "/clips/74410",
        title: "cold hands",
        excerpt: "zoe lindqvag shares her tea",
        author: Some("@bergfilm"),
        by: MatchedBy::Name("Zoe Lindqvag"),
        ago: [13, 12, 2],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        place: Place::Platform(1),
        path: "/1/duets",
        title: "Duets for one",
        excerpt: "… a film of hands that we took for those of Olena Yasnovets …",
        author: Some("Culture desk"),
        by: MatchedBy::Name("Olena Yasnovets"),
        ago: [12, 12, 10],
        ..UNLICENSED
    },
    Row {
        license: "QF-013",
        place: Place::Platform(1),
        path: "/2/cold-spots",
        title: "The cold spots of the sky",
        excerpt: "… says Priyamvada Rathnakar …",
        author: Some("Science desk"),
        by: MatchedBy::Name("Priyamvada Rathnakar"),
        ago: [10, 9, 1],
        ..LICENSED
    },
    Row {
        license: "QF-001",
        path: "/clips/77630",
        title: "tent in a storm",
        excerpt: "it held",
        author: Some("@trailshoes"),
        by: MatchedBy::Picture(6),
        decided: None,
        ago: [8, 7, 1],
        ..LICENSED
    },
    Row {
        license: "QF-009",
        path: "/clips/78001",
        title: "ai, play it sadder",
        excerpt: "prompt in the comments",
        author: Some("@synthetic.salon"),
        by: MatchedBy::Picture(2),
        ago: [7, 6, 0],
        ..UNLICENSED
    },
    Row {
        license: "QF-004",
        place: Place::Platform(1),
        path: "/1/window-displays",
        title: "The best window displays",
        excerpt: "… with cats by 星野うらら …",
        author: Some("Book desk"),
        by: MatchedBy::Name("星野うらら"),
        decided: None,
        ago: [5, 4, 0],
        ..LICENSED
    },
    Row {
        license: "QF-013",
        path: "/clips/84120",
        title: "one minute on black holes",
        excerpt: "priya rathnakar does not blink",
        author: Some("@school.of.night"),
        by: MatchedBy::Name("Priya Rathnakar"),
        decided: None,
        ago: [2, 1, 0],
        ..LICENSED
    },
];
