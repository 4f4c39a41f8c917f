//! The sample site: a small blog that `grantor serve --demo` serves, and that the sample's source
//! watches. Its newest post is as old as the sample data.

use std::fmt::Write as _;

use grantor_domain::{Result, Timestamp};
use grantor_storage::feed;

use super::licenses::days_long;
use super::people::TALENTS;
use super::portrait::{Framing, draw};
use super::post_rows::{IN_FEED, POSTS, Post};
use grantor_service::App;

/// The path that all pages of the site begin with.
pub const PATH: &str = "/sample-site/";
/// The site's name.
pub(super) const TITLE: &str = "The Corner Table";
const AUTHOR: &str = "Basil at The Corner Table";
const NOTICE: &str = "This site is part of the sample data. The people on it do not exist.";
const STYLE: &str = "body{font:1.1rem/1.6 Georgia,serif;max-width:38rem;margin:2rem auto;\
                     padding:0 1rem;color:#222;background:#fffdf8}img{max-width:100%}\
                     footer{margin-top:3rem;font-size:.9rem;color:#555}";
const HTML: &str = "text/html; charset=utf-8";

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePage {
    /// The path.
    pub path: String,
    /// The media type.
    pub content_type: &'static str,
    /// The content.
    pub body: Vec<u8>,
}

/// The address of the site on a server with this origin.
#[must_use]
pub fn address(origin: &str) -> String {
    format!("{origin}{PATH}")
}

/// The address of its feed.
pub(super) fn feed_address(origin: &str) -> String {
    format!("{origin}{PATH}feed.atom")
}

/// The path of a post.
pub(super) fn post_path(slug: &str) -> String {
    format!("{PATH}posts/{slug}")
}

/// When the newest post was written: when the sample data was created, or now if this database has
/// none. The same after a restart, so that an old post does not become new.
pub async fn written_at(app: &App, origin: &str) -> Result<Timestamp> {
    let url = feed_address(origin);
    let known = app.store.read(move |tx| feed::find_at(tx, &url)).await?;
    Ok(known.map_or_else(|| app.clock.now(), |it| it.created_at))
}

/// Builds the site for a server with this origin. Draws pictures, so it takes some milliseconds.
pub fn pages(origin: &str, written_at: Timestamp) -> Result<Vec<SitePage>> {
    let text = |path: String, content_type, body: String| SitePage {
        path,
        content_type,
        body: body.into_bytes(),
    };
    let atom = "application/atom+xml; charset=utf-8";
    let mut pages = vec![
        text(PATH.to_owned(), HTML, index()),
        text(format!("{PATH}feed.atom"), atom, atom_feed(origin, written_at)),
    ];
    for post in &POSTS {
        pages.push(text(post_path(post.slug), HTML, post_page(post)));
        if let Some((talent, _)) = post.picture {
            let body = draw(&TALENTS[talent].look, Framing::Bust)?;
            pages.push(SitePage { path: picture_path(post), content_type: "image/png", body });
        }
    }
    Ok(pages)
}

fn picture_path(post: &Post) -> String {
    format!("{PATH}pictures/{}.png", post.slug)
}

fn index() -> String {
    let mut list = String::new();
    for post in &POSTS {
        // Writing to a String cannot fail.
        let _ = write!(list, "<li><a href=\"{}\">{}</a></li>", post_path(post.slug), post.title);
    }
    html(TITLE, &format!("<h1>{TITLE}</h1><p>Notes from a small café.</p><ul>{list}</ul>"))
}

fn post_page(post: &Post) -> String {
    let body = content(post);
    let back = format!("<p><a href=\"{PATH}\">All posts</a></p>");
    html(post.title, &format!("<h1>{}</h1>{body}{back}", post.title))
}

/// The picture and the paragraphs of a post, as HTML.
fn content(post: &Post) -> String {
    let mut content = String::new();
    if let Some((_, alt)) = post.picture {
        let picture = picture_path(post);
        let _ =
            write!(content, "<img src=\"{picture}\" alt=\"{alt}\" width=\"360\" height=\"450\">");
    }
    for paragraph in post.paragraphs {
        let _ = write!(content, "<p>{paragraph}</p>");
    }
    content
}

fn html(title: &str, main: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <link rel=\"alternate\" type=\"application/atom+xml\" title=\"{TITLE}\" \
         href=\"{PATH}feed.atom\"><style>{STYLE}</style></head>\
         <body><main>{main}</main><footer>{NOTICE}</footer></body></html>"
    )
}

/// The newest posts as an Atom feed.
fn atom_feed(origin: &str, written_at: Timestamp) -> String {
    let mut entries = String::new();
    for post in POSTS.iter().take(IN_FEED) {
        let (title, path) = (post.title, post_path(post.slug));
        let at = written_at.minus(days_long(post.days_ago));
        let content = escaped(&content(post));
        let _ = write!(
            entries,
            "<entry><title>{title}</title><id>{origin}{path}</id><link href=\"{origin}{path}\"/>\
             <author><name>{AUTHOR}</name></author>\
             <published>{at}</published><updated>{at}</updated>\
             <content type=\"html\">{content}</content></entry>"
        );
    }
    let (site, feed) = (address(origin), feed_address(origin));
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><feed xmlns=\"http://www.w3.org/2005/Atom\">\
         <title>{TITLE}</title><id>{site}</id><link href=\"{site}\"/>\
         <link rel=\"self\" href=\"{feed}\"/><updated>{written_at}</updated>{entries}</feed>"
    )
}

fn escaped(html: &str) -> String {
    html.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    fn site() -> Vec<SitePage> {
        pages("http://127.0.0.1:8080", NOW).unwrap()
    }

    #[test]
    fn every_link_of_the_site_leads_to_a_page_of_it() {
        let site = site();
        let paths: BTreeSet<&str> = site.iter().map(|it| &*it.path).collect();
        assert_eq!(paths.len(), site.len());
        for page in site.iter().filter(|it| it.content_type == HTML) {
            let text = std::str::from_utf8(&page.body).unwrap();
            for link in text.split('"').filter(|it| it.starts_with('/')) {
                assert!(paths.contains(link), "{}: {link}", page.path);
            }
        }
    }

    #[test]
    fn the_newest_post_is_from_the_start_and_the_rest_is_older() {
        let feed = site().remove(1);
        let text = String::from_utf8(feed.body).unwrap();
        assert_eq!(text.matches("<entry>").count(), IN_FEED);
        assert!(text.contains(&format!("<published>{NOW}</published>")), "{text}");
        assert!(text.contains("<link href=\"http://127.0.0.1:8080/sample-site/posts/"), "{text}");
        assert!(POSTS.is_sorted_by(|one, next| one.days_ago < next.days_ago));
    }

    /// Texts go into HTML and XML as they are.
    #[test]
    fn no_text_needs_to_be_escaped() {
        for post in &POSTS {
            let alt = post.picture.map_or("", |it| it.1);
            for text in post.paragraphs.iter().chain([&post.title, &alt, &post.slug]) {
                assert!(!text.contains(['&', '<', '>', '"']), "{text}");
            }
        }
    }
}
