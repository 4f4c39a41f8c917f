use super::*;
use crate::watching::scan::compression::tests::pack;

fn base() -> Url {
    Url::parse("https://news.example/feeds/all.xml").unwrap()
}

fn items(document: &str) -> Vec<Content> {
    match read(document.as_bytes(), None, &base()).unwrap() {
        Document::Feed { items, .. } => items,
        other => panic!("{other:?}"),
    }
}

fn refused(document: &[u8]) -> String {
    read(document, None, &base()).unwrap_err()
}

/// A feed of one item.
fn rss_of(item: &str) -> String {
    format!("<rss version='2.0'><channel><item>{item}</item></channel></rss>")
}

fn image(url: &str, alt: &str) -> ContentImage {
    ContentImage { url: ContentUrl::parse(url).unwrap(), alt: alt.to_owned() }
}

fn expected() -> Content {
    Content {
        url: ContentUrl::parse("https://news.example/a?x=1").unwrap(),
        title: "Ada & the Engine".to_owned(),
        text: "<p>Ada Lovelace</p>".to_owned(),
        images: vec![image("https://news.example/ada.jpg", "")],
        author: Some("Grace Hopper".to_owned()),
        published_at: Some(Timestamp::parse("2026-01-02T03:04:05Z").unwrap()),
    }
}

#[test]
fn rss_is_read() {
    let found = items(
        r#"<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title>
           <item><title>Ada &amp;amp; the &lt;b&gt;Engine&lt;/b&gt;</title>
             <link>https://news.example/a?x=1&amp;utm_source=rss#top</link>
             <description>Short</description>
             <content:encoded><![CDATA[<p>Ada Lovelace</p>]]></content:encoded>
             <dc:creator>Grace Hopper</dc:creator><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>
             <enclosure url="/ada.jpg" type="image/jpeg" length="1"/></item>
           <item><title>No link</title></item>
           <item><title>Older</title><link>/b</link><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate>
           </item></channel></rss>"#,
    );
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], expected());
    assert_eq!(found[1].url.as_str(), "https://news.example/b");
}

#[test]
fn atom_is_read() {
    let found = items(
        r#"<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
           <id>x</id><title>News</title><updated>2026-01-02T03:04:05Z</updated>
           <entry><id>1</id><title type="html">Ada &amp;amp; the Engine</title>
             <link rel="self" href="/self"/><link rel="alternate" href="../a?x=1"/>
             <author><name>Grace Hopper</name></author>
             <published>2026-01-02T03:04:05Z</published><updated>2026-01-03T00:00:00Z</updated>
             <content type="html">&lt;p&gt;Ada Lovelace&lt;/p&gt;</content>
             <media:group><media:thumbnail url="https://news.example/ada.jpg"/>
               <media:content url="https://news.example/film.mp4" type="video/mp4"/></media:group>
           </entry></feed>"#,
    );
    assert_eq!(found, [expected()]);
}

#[test]
fn json_feed_is_read() {
    let found = items(
        r#"{"version": "https://jsonfeed.org/version/1.1", "title": "News", "authors": null,
            "items": [{"id": 1, "url": "/a?x=1", "title": "Ada &amp; the Engine",
              "content_html": "<p>Ada Lovelace</p>", "image": "/ada.jpg",
              "authors": [{"name": "Grace Hopper"}, {"name": "Other"}],
              "date_published": "2026-01-02T04:04:05+01:00"}, {"id": "2"}]}"#,
    );
    assert_eq!(found, [expected()]);
}

#[test]
fn pictures_in_the_text_follow_those_that_are_named() {
    let found = |item: &str| items(&rss_of(&format!("<link>/a</link>{item}"))).remove(0).images;
    let text = |html: &str| format!("<description><![CDATA[{html}]]></description>");
    let (one, two) = ("https://news.example/feeds/1.png", "https://news.example/feeds/2.png");
    assert_eq!(
        found(&text("<p><img src='1.png'><img src='2.png' alt='Two'><img src='1.png' alt='One'>")),
        [image(one, "One"), image(two, "Two")]
    );
    let named = "<enclosure url='2.png' type='image/png' length='1'/>".to_owned();
    let both = named + &text("<IMG SRC='1.png'><img src='2.png'>");
    assert_eq!(found(&both), [image(two, ""), image(one, "")]);
    assert!(found(&text("<img src='data:image/png;base64,AA'>")).is_empty());
    assert!(found(&text("no picture")).is_empty());
}

/// Descriptions are searched for names, also those of pictures that are left out.
#[test]
fn no_description_is_lost() {
    let pictures: String = (0..MAX_IMAGES + 2)
        .fold(String::new(), |html, it| html + &format!("<img src='{it}.png' alt='A &lt; {it}'>"));
    let feed = rss_of(&format!(
        "<link>/a</link><description><![CDATA[{pictures}<img src='x.svg' alt='Ada'>]]>\
         </description>"
    ));
    let content = items(&feed).remove(0);
    assert_eq!(content.images.len(), MAX_IMAGES);
    assert_eq!(content.images[9].alt, "A < 9");
    let added = "<p>Ada</p><p>A &lt; 10</p><p>A &lt; 11</p>";
    assert!(content.text.ends_with(added), "{}", content.text);
    let long = "x".repeat(MAX_ALT + 1);
    let long =
        format!("<link>/a</link><description>&lt;img src='1.png' alt='{long}'&gt;</description>");
    assert_eq!(items(&rss_of(&long))[0].images[0].alt.len(), MAX_ALT);
}

#[test]
fn texts_are_bounded_and_other_encodings_are_read() {
    let title = "\u{e9}".repeat(600);
    let feed = format!(
        "<rss version='2.0'><channel><item><link>/a</link><title>{title}</title></item></channel></rss>"
    );
    assert_eq!(items(&feed)[0].title.chars().count(), MAX_TITLE);
    let latin = b"<?xml version='1.0' encoding='iso-8859-1'?><rss version='2.0'><channel><item>\
        <link>/a</link><title>Ren\xe9e</title></item></channel></rss>";
    let Document::Feed { items, .. } = read(latin, None, &base()).unwrap() else {
        panic!("a feed")
    };
    assert_eq!(items[0].title, "Ren\u{e9}e");
    let silent = b"<rss version='2.0'><channel><item><link>/a</link><title>Ren\xe9e</title></item>\
        </channel></rss>";
    let latin = Some("text/xml; charset=iso-8859-1");
    let Document::Feed { items, .. } = read(silent, latin, &base()).unwrap() else {
        panic!("a feed")
    };
    assert_eq!(items[0].title, "Ren\u{e9}e");
}

#[test]
fn only_the_newest_items_are_looked_at() {
    let item = |it: i64| {
        format!(
            "<item><link>/{it}</link><pubDate>{}</pubDate></item>",
            Timestamp::from_secs(it * 60)
        )
    };
    let feed: String = (0..1_500).map(item).collect();
    let feed = format!("<rss version='2.0'><channel>{feed}</channel></rss>");
    let Document::Feed { items, total, .. } = read(feed.as_bytes(), None, &base()).unwrap() else {
        panic!("a feed")
    };
    assert_eq!((items.len(), total), (MAX_ITEMS, 1_500));
    assert_eq!(items[0].url.as_str(), "https://news.example/1499");
}

/// Each would cost an unbounded parser much memory or time, or is not a feed.
#[test]
fn hostile_documents_are_refused() {
    let rss = |inside: &str| {
        format!("<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel>{inside}</channel></rss>").into_bytes()
    };
    let groups = format!(
        "<item><media:title>{}</media:title>{}</item>",
        "x".repeat(2_000_000),
        "<media:group><media:content url='/a'/></media:group>".repeat(10_000)
    );
    let base = format!("<item xml:base='https://a.example/{}'/>", "x".repeat(5_000));
    let json = format!(
        "{{\"version\":\"https://jsonfeed.org/version/1\",\"items\":{}",
        "[".repeat(100_000)
    );
    for (document, reason) in [
        (rss(&"<item/>".repeat(100_000)), "more than 10000 items"),
        (rss(&"<a/>".repeat(300_000)), "more than 250000 elements"),
        (rss(&"<a>".repeat(1_000)), "nested more than 100 deep"),
        (rss(&groups), "too many media groups"),
        (rss(&base), "xml:base is too long"),
        (b"<rss version='2.0'><channel><item>".to_vec(), "ends unexpectedly"),
        (b"<rss version='2.0'><channel></item></rss>".to_vec(), "not well-formed XML"),
        (b"\xEF\xBB\xBF <!-- x --><!Doctype HTML><html><body><p>Hello".to_vec(), HTML),
        (b"<html></html>".to_vec(), HTML),
        (b"<htmlish></htmlish>".to_vec(), NO_FEED),
        (b"Not found".to_vec(), NO_FEED),
        (b"".to_vec(), NO_FEED),
        (b"\x1f\x8b\x08\0\0\0\0\0".to_vec(), "not a valid gzip file"),
        (pack(&rss(&" ".repeat(21 * 1024 * 1024))), "larger than 20 MiB when unpacked"),
        (pack(&rss(&"<a>".repeat(1_000))), "nested more than 100 deep"),
        (pack(b"<!doctype html><p>Ada"), HTML),
        (b"{\"a\": 1}".to_vec(), NO_FEED),
        (b"{\"version\": ".to_vec(), "not well-formed JSON"),
        (json.into_bytes(), "not well-formed JSON"),
        (b"<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel><item><title>\xff\xfe</title>".to_vec(), ""),
    ] {
        let found = refused(&document);
        assert!(found.contains(reason), "{found}: {reason}");
    }
}

#[test]
fn entities_of_a_document_are_not_read() {
    let tenfold = |it| format!("<!ENTITY a{it} \"{}\">", format!("&a{};", it - 1).repeat(10));
    let laughs = "<!ENTITY a0 \"lol\">".to_owned() + &(1..10).map(tenfold).collect::<String>();
    let feed = |doctype: &str| {
        format!(
            "<?xml version='1.0'?><!DOCTYPE rss {doctype}><rss version='2.0'><channel>\
             <item><link>/a</link><title>&a9;</title></item></channel></rss>"
        )
    };
    for doctype in [
        &*format!("[{laughs}]"),
        "[<!ENTITY a9 SYSTEM \"file:///etc/passwd\">]",
        "[ <!-- ]> --> <!ENTITY % a9 SYSTEM 'http://127.0.0.1/'> %a9; ]",
    ] {
        assert!(refused(feed(doctype).as_bytes()).contains("declares XML entities"), "{doctype}");
    }
    for doctype in
        ["PUBLIC '-//N//RSS 0.91//EN' 'http://n.example/rss.dtd'", "[<!ELEMENT rss ANY>]"]
    {
        assert_eq!(items(&feed(doctype).replace("&a9;", "Ada"))[0].title, "Ada");
    }
}

#[test]
fn authors_are_named_without_brackets() {
    for (author, expected) in [
        ("desk@x.example (Desk)", "Desk"),
        ("desk@x.example (Desk (Rome))", "Desk (Rome)"),
        ("Desk &lt;desk@x.example&gt;", "Desk"),
        ("desk@x.example", "desk@x.example"),
        ("desk@x.example ()", "desk@x.example"),
        ("Ada (Desk)", "Ada (Desk)"),
    ] {
        let feed = rss_of(&format!("<link>/a</link><author>{author}</author>"));
        assert_eq!(items(&feed)[0].author.as_deref(), Some(expected), "{author}");
    }
}

#[test]
fn sitemaps_are_told_apart() {
    let list = |root: &str, entry: &str| {
        let text = format!("<{root}><{entry}><loc>https://a.example/</loc></{entry}></{root}>");
        read(text.as_bytes(), None, &base()).unwrap()
    };
    let entry = || vec![Entry { url: "https://a.example/".to_owned(), changed: None }];
    assert_eq!(list("urlset", "url"), Document::Pages(entry()));
    assert_eq!(list("sitemapindex", "sitemap"), Document::Lists(entry()));
}
