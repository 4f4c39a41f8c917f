use super::*;

fn pictures(html: &str) -> Vec<(String, String)> {
    read(html.as_bytes()).pictures.into_iter().map(|it| (it.url, it.alt)).collect()
}

fn pair(url: &str, alt: &str) -> (String, String) {
    (url.to_owned(), alt.to_owned())
}

#[test]
fn a_page_is_read_as_people_see_it() {
    let page = read(
        br#"<!doctype html><html><head><title>Ada &amp;
            Charles</title><meta name="Author" content=" A. Writer ">
            <meta property="article:published_time" content="2026-01-02T00:00:00Z">
            <meta property="og:image" content="/big.png"><style>p{}</style>
            <script>if (a < b) document.write("<p>Grace</p>")</script></head>
            <body><h1>En<b>gin</b>e</h1><p>works<br>well</p><img src="/small.png">
            <svg><title>no</title></svg></body></html>"#,
    );
    assert_eq!(page.title, "Ada & Charles");
    assert_eq!(page.text, "Engine works well no");
    let urls: Vec<&str> = page.pictures.iter().map(|it| &*it.url).collect();
    assert_eq!(urls, ["/big.png", "/small.png"]);
    assert_eq!(page.author.as_deref(), Some("A. Writer"));
    assert_eq!(page.published.as_deref(), Some("2026-01-02T00:00:00Z"));
}

#[test]
fn pictures_have_their_alternative_texts_and_captions() {
    let html = r#"<meta property="og:image" content="/lead.jpg">
        <meta property="og:image:alt" content="The  lead">
        <figure><img src="/1.jpg" alt="Ada at work."><img src="/2.jpg">
          <figcaption>Photo: <b>Grace</b> Hopper</figcaption></figure>
        <figure><figcaption>Before</figcaption><img src="/3.jpg" alt="Before"></figure>
        <figure><img src="/4.jpg" alt="Alone"></figure><p>Text</p>
        <img src="/5.jpg" alt="No &amp; figure">"#;
    assert_eq!(
        pictures(html),
        [
            pair("/lead.jpg", "The lead"),
            pair("/1.jpg", "Ada at work. Photo: Grace Hopper"),
            pair("/2.jpg", "Photo: Grace Hopper"),
            pair("/3.jpg", "Before"),
            pair("/4.jpg", "Alone"),
            pair("/5.jpg", "No & figure"),
        ]
    );
    assert_eq!(read(html.as_bytes()).text, "Photo: Grace Hopper Before Text");
}

#[test]
fn pictures_that_are_loaded_late_are_found() {
    for (html, expected) in [
        ("<img src='data:image/gif;base64,R0' data-src='/a.jpg'>", "/a.jpg"),
        ("<img src='/blank.png' data-lazy-src='/a.jpg'>", "/a.jpg"),
        ("<img src='/blank.gif' data-original='/a.jpg'>", "/a.jpg"),
        ("<img src='/blank.gif' data-srcset='/s.jpg 320w, /a.jpg 640w'>", "/a.jpg"),
        ("<img srcset='/s.jpg 1x, /a.jpg 2x'>", "/a.jpg"),
        ("<img src='/a.jpg' srcset='/big.jpg 2x' loading='lazy'>", "/a.jpg"),
        (
            "<picture><source type='image/avif' srcset='/a.avif'>\
             <source type='image/webp' srcset='/a.webp'><img alt='x'></picture>",
            "/a.webp",
        ),
        ("<picture><source srcset='/b.webp'><img src='/a.jpg'></picture>", "/a.jpg"),
        ("<noscript><img src='/a.jpg'></noscript>", "/a.jpg"),
        ("<video poster='/a.jpg'><source src='/film.mp4'></video>", "/a.jpg"),
    ] {
        let found = pictures(html);
        assert_eq!(found.len(), 1, "{html}");
        assert_eq!(found[0].0, expected, "{html}");
    }
}

#[test]
fn what_a_picture_shows_is_read_even_if_the_picture_is_not() {
    let page = read(
        b"<p>One</p><img src='/logo.svg' alt='Ada Lovelace'><img src='/a.png' width=16 alt='Icon'>\
          <img src='/pixel.png' height='1px'><img alt='None'><p>two",
    );
    assert_eq!(page.text, "One two");
    assert_eq!(page.left_out, ["Ada Lovelace", "Icon", "None"]);
    assert!(page.pictures.is_empty());
}

#[test]
fn feeds_and_hubs_are_advertised_in_the_head() {
    let page = read(
        br#"<base href="/news/"><base href="/other/">
        <link rel="alternate" type="application/rss+xml" title="News" href="feed.xml">
        <link rel="alternate feed" type="application/atom+xml; charset=utf-8" href="/atom">
        <LINK REL="ALTERNATE" TYPE="application/feed+json" HREF="/feed.json">
        <link rel="alternate" type="application/json+oembed" href="/oembed">
        <link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" href="/a.css">
        <link rel="hub" href="https://hub.example/"><link rel="self" href="/">"#,
    );
    assert_eq!(page.feeds, ["feed.xml", "/atom", "/feed.json"]);
    assert_eq!(page.base.as_deref(), Some("/news/"));
    assert_eq!(page.hub.as_deref(), Some("https://hub.example/"));
    assert_eq!(page.topic.as_deref(), Some("/"));
}

#[test]
fn links_know_their_place() {
    let page = read(
        b"<header><a href='/home'>Home</a></header><a href='/loose'>x</a><main><a href='/story'>y</a>\
          <nav><a href='/next'>z</a></nav></main></nav></main><a name='top'>w</a><a href='/end'>v</a>",
    );
    let links: Vec<(&str, Place)> = page.links.iter().map(|it| (&*it.href, it.place)).collect();
    assert_eq!(
        links,
        [
            ("/home", Place::Navigation),
            ("/loose", Place::Body),
            ("/story", Place::Main),
            ("/next", Place::Navigation),
            ("/end", Place::Body),
        ]
    );
}

#[test]
fn marks_are_taken_out_of_titles() {
    assert_eq!(plain(" Ada\n Lovelace "), "Ada Lovelace");
    assert_eq!(plain("<b>Ada</b> &amp; M&uuml;ller"), "Ada & M\u{fc}ller");
    assert_eq!(plain("1 < 2 & 3"), "1 < 2 & 3");
}

#[test]
fn pages_are_told_from_other_documents() {
    for (document, expected) in [
        ("<!DOCTYPE html>\n<rss>", true),
        ("\n <HTML lang=en>", true),
        ("<html", true),
        ("<!-- a --> <!-- <rss> --><!doctype HTML PUBLIC 'x'>", true),
        ("<?xml version='1.0'?><!-- a --><!DOCTYPE html><html>", true),
        ("<!DOCTYPE rss><rss/>", false),
        ("<htmlish/>", false),
        ("<!-- <html>", false),
        ("<rss><html></html></rss>", false),
        ("", false),
    ] {
        assert_eq!(is_html(document.as_bytes()), expected, "{document}");
    }
}

#[test]
fn no_bytes_trouble_it() {
    let noise: Vec<u8> = (0..=255).cycle().take(200_000).collect();
    read(&noise);
    for piece in [
        "<",
        "<div>",
        "<figure>",
        "<figcaption>x",
        "</figure>",
        "<figure><figcaption>x</figcaption>",
        "<noscript><img src=a>",
        "<picture><source srcset='a 1w'>",
        "<nav><main>",
        "<link rel=alternate type=application/rss+xml href=a>",
        "<meta property=og:image content=a>",
        "<template>",
    ] {
        read(piece.repeat(200_000 / piece.len()).as_bytes());
    }
    assert!(read(&b"<img>".repeat(1_000)).pictures.is_empty());
    assert_eq!(read(&b"<img src=a>".repeat(1_000)).pictures.len(), MAX_PICTURES);
    assert_eq!(read(&b"<a href=a>".repeat(10_000)).links.len(), MAX_LINKS);
}
