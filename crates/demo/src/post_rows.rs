//! The posts of the sample site, newest first.

/// A post.
pub(super) struct Post {
    /// The last part of its address.
    pub(super) slug: &'static str,
    pub(super) title: &'static str,
    /// Days before the sample data was created.
    pub(super) days_ago: u64,
    pub(super) paragraphs: &'static [&'static str],
    /// A picture of a talent, by index in the agency's roster, with its description.
    pub(super) picture: Option<(usize, &'static str)>,
}

/// How many posts are in the feed; the others are the archive.
pub(super) const IN_FEED: usize = 3;

/// The posts.
pub(super) static POSTS: [Post; 8] = [
    Post {
        slug: "above-the-clouds",
        title: "Above the clouds",
        days_ago: 0,
        paragraphs: &[
            "Our new wall calendar is here. Twelve mountains, one for each month.",
            "January is our favorite: a face that has just come back from the cold.",
            "Order before Friday and we pay the postage.",
        ],
        picture: Some((0, "The January page of the calendar")),
    },
    Post {
        slug: "a-piano-in-the-station",
        title: "A piano in the station",
        days_ago: 2,
        paragraphs: &[
            "Somebody has put a piano next to platform four, and nobody knows who.",
            "On Tuesday Olena Yasnovets missed her train, sat down and played for an hour.",
            "The 18:04 left four minutes late. Nobody complained.",
        ],
        picture: None,
    },
    Post {
        slug: "how-we-bake-our-bread",
        title: "How we bake our bread",
        days_ago: 9,
        paragraphs: &[
            "Flour, water, salt, and a night in the fridge.",
            "We use a cast-iron pot with a lid. Any pot that fits your oven will do.",
        ],
        picture: None,
    },
    Post {
        slug: "the-rope-on-the-shelf",
        title: "The rope on the shelf",
        days_ago: 24,
        paragraphs: &[
            "A reader asked about the coiled rope above our counter.",
            "It was a present from Zoë Lindqvåg, who climbed the church tower with it.",
        ],
        picture: None,
    },
    Post {
        slug: "picture-books-for-rainy-days",
        title: "Picture books for rainy days",
        days_ago: 38,
        paragraphs: &[
            "Five books to read under the awning while it pours.",
            "Urara Hoshino draws rain better than anybody we know.",
        ],
        picture: None,
    },
    Post {
        slug: "red-dress-red-wall",
        title: "Red dress, red wall",
        days_ago: 52,
        paragraphs: &[
            "We found this poster behind the old wallpaper and framed it.",
            "If you know which theater it is from, write to us.",
        ],
        picture: Some((4, "A framed tour poster")),
    },
    Post {
        slug: "science-night",
        title: "Science night",
        days_ago: 67,
        paragraphs: &[
            "Forty people, one telescope, and a talk about the cold spots of the sky.",
            "Priya Rathnakar answered every question, even the ones about aliens.",
        ],
        picture: None,
    },
    Post {
        slug: "hands-on-the-menu",
        title: "Hands on the menu",
        days_ago: 83,
        paragraphs: &[
            "Our menu has a new cover: two hands over black and white keys.",
            "We bought the picture at a flea market.",
        ],
        picture: Some((5, "The cover of the menu")),
    },
];
