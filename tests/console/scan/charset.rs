//! Sites that do not write UTF-8: the same words are the same content, however they are written.

use grantor_domain::scan::RunOutcome;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;

use super::Site;

/// An answer of a type.
fn typed(content_type: &str, body: &[u8]) -> Script {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n"
    );
    Script::Raw([head.as_bytes(), body].concat())
}

/// Puts a feed of one item, and a page with a list of it, in which a name is written.
fn write(site: &Site, day: usize, charset: &str, name: &[u8]) {
    let start = format!("<!-- {day} --><rss version='2.0'><channel><item><link>/1</link><title>");
    let feed = [start.as_bytes(), name, b"</title></item></channel></rss>"];
    site.put("/rss", typed(&format!("text/xml; charset={charset}"), &feed.concat()));
    let page = [b"<meta name='article:published_time' content='2025-01-01T00:00:00Z'><p>", name];
    site.put("/page", typed(&format!("text/html; charset={charset}"), &page.concat()));
    let loc = format!("http://{}/page", site.at("127.0.0.1"));
    let map = format!("<url><loc>{loc}</loc><lastmod>2025-01-0{day}</lastmod></url>");
    site.put_text("/map", &format!("<urlset>{map}</urlset>"));
}

#[db_test]
async fn the_answer_says_how_feeds_and_pages_are_written(site: Site) {
    let pod = site.pod(&["/rss", "/map"]).await;
    let steps: [(&str, &[u8], u32); 4] = [
        ("utf-8", "Ren\u{e9}e".as_bytes(), 2),
        ("iso-8859-1", b"Ren\xe9e", 0),
        ("utf-8", "Ren\u{e9}e".as_bytes(), 0),
        // The control: the same bytes are other words elsewhere.
        ("windows-1251", b"Ren\xe9e", 2),
    ];
    for (place, (charset, name, changed)) in steps.into_iter().enumerate() {
        write(&site, place + 1, charset, name);
        site.scan().await;
        assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()), "{charset}");
        let counts = site.runs(&pod).await.remove(0).counts;
        assert_eq!((counts.items, counts.new_items), (2, changed), "{charset}");
        site.pass(60);
    }
}
