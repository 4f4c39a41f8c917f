//! The pictures that the items of a feed name, with their descriptions, and the people of podcasts.
//! `feed_rs` keeps one description per item and drops thumbnails and people of items without other
//! media, so they are read separately.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use super::page::{Picture, is_readable};
use super::xml::reader;

/// Pictures and people read per item.
const MAX_PICTURES: usize = 50;
const MAX_PEOPLE: usize = 100;
/// The longest URL or description, in bytes.
const LONGEST: usize = 4 * 1024;

/// The media of an item.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ItemMedia {
    pub(super) pictures: Vec<Picture>,
    /// The names of the people in a podcast's episode.
    pub(super) people: Vec<String>,
}

/// The item that is being read.
#[derive(Default)]
struct Item {
    /// Full pictures: media content and enclosures.
    pictures: Vec<Picture>,
    /// A small version of a picture, for items without full pictures.
    thumbnail: Option<Picture>,
    people: Vec<String>,
}

/// Reads a document. Depths are those of the elements that are open.
#[derive(Default)]
struct Media {
    items: Vec<ItemMedia>,
    item: Option<(usize, Item)>,
    /// A group of representations of one picture, and whether one of them was taken.
    group: Option<(usize, bool)>,
    /// The media content that is open, if it is a picture.
    content: Option<usize>,
    /// The description or name that is being read.
    text: Option<(usize, String)>,
    depth: usize,
}

/// Returns the media of each item, in the order of the document.
pub(super) fn read(document: &[u8]) -> Vec<ItemMedia> {
    let (mut reader, mut buffer) = (reader(document), Vec::new());
    let mut media = Media::default();
    loop {
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Decl(declaration)) => {
                if let Some(encoding) = declaration.encoder() {
                    reader.get_mut().set_encoding(encoding);
                }
            }
            Ok(Event::Start(tag)) => media.open(&tag),
            Ok(Event::Text(part)) => media.push(&part),
            Ok(Event::CData(part)) => media.push(&part),
            Ok(Event::GeneralRef(name)) => {
                let named = resolve_predefined_entity(&name);
                let numbered = || name.resolve_char_ref().ok().flatten().map(String::from);
                media.push(&named.map(str::to_owned).or_else(numbered).unwrap_or_default());
            }
            Ok(Event::End(_)) => media.close(),
            // The document was checked before, so there are no errors.
            Ok(Event::Eof) | Err(_) => return media.items,
            Ok(_) => {}
        }
        buffer.clear();
    }
}

impl Media {
    fn open(&mut self, tag: &BytesStart<'_>) {
        self.depth += 1;
        if self.item.is_none() {
            if matches!(tag.local_name().into_inner(), "item" | "entry") {
                self.item = Some((self.depth, Item::default()));
            }
            return;
        }
        match tag.name().into_inner() {
            "media:group" if self.group.is_none() => self.group = Some((self.depth, false)),
            "media:content" if self.content.is_none() => self.open_content(tag),
            "media:thumbnail" => self.add_thumbnail(attribute(tag, "url")),
            "itunes:image" => self.add_thumbnail(attribute(tag, "href")),
            "media:description" | "media:title" if self.content.is_some() => {
                self.text = Some((self.depth, String::new()));
            }
            "podcast:person" if self.content.is_none() => {
                self.text = Some((self.depth, String::new()));
            }
            "enclosure" => {
                let is_picture = attribute(tag, "type").is_some_and(|it| is_picture_type(&it));
                self.add(attribute(tag, "url").filter(|_| is_picture));
            }
            "link" | "atom:link" => {
                let is_picture = attribute(tag, "type").is_some_and(|it| is_picture_type(&it))
                    && attribute(tag, "rel").as_deref() == Some("enclosure");
                self.add(attribute(tag, "href").filter(|_| is_picture));
            }
            _ => {}
        }
    }

    /// Takes a picture. Of a group, only the first one is taken.
    fn open_content(&mut self, tag: &BytesStart<'_>) {
        let Some(url) = attribute(tag, "url") else { return };
        let kind = attribute(tag, "type").map(|it| is_picture_type(&it));
        let medium = attribute(tag, "medium").map(|it| it == "image");
        let is_picture = kind.or(medium).unwrap_or_else(|| is_named_as_picture(&url));
        let is_taken = self.group.is_some_and(|(_, taken)| taken);
        if !is_picture || is_taken || !self.add(Some(url)) {
            return;
        }
        self.content = Some(self.depth);
        if let Some((_, taken)) = &mut self.group {
            *taken = true;
        }
    }

    /// Adds a picture to the item, and returns whether it was added.
    fn add(&mut self, url: Option<String>) -> bool {
        let (Some((_, item)), Some(url)) = (&mut self.item, url) else { return false };
        let fits = item.pictures.len() < MAX_PICTURES && is_readable(&url);
        if fits {
            item.pictures.push(Picture { url, alt: String::new() });
        }
        fits
    }

    fn add_thumbnail(&mut self, url: Option<String>) {
        if let (Some((_, item)), Some(url)) = (&mut self.item, url) {
            item.thumbnail.get_or_insert(Picture { url, alt: String::new() });
        }
    }

    fn push(&mut self, part: &str) {
        if let Some((_, text)) = &mut self.text
            && text.len() + part.len() <= LONGEST
        {
            text.push_str(part);
        }
    }

    fn close(&mut self) {
        if let Some((_, text)) = self.text.take_if(|(depth, _)| *depth == self.depth)
            && let Some((_, item)) = &mut self.item
        {
            item.add_text(text, self.content.is_some());
        }
        self.content.take_if(|depth| *depth == self.depth);
        self.group.take_if(|(depth, _)| *depth == self.depth);
        if let Some((_, item)) = self.item.take_if(|(depth, _)| *depth == self.depth) {
            let Item { mut pictures, thumbnail, people } = item;
            if pictures.is_empty() {
                pictures.extend(thumbnail);
            }
            self.items.push(ItemMedia { pictures, people });
        }
        self.depth = self.depth.saturating_sub(1);
    }
}

impl Item {
    /// Adds the description of the last picture, or the name of a person.
    fn add_text(&mut self, text: String, describes: bool) {
        if !describes {
            if self.people.len() < MAX_PEOPLE {
                self.people.push(text.trim().to_owned());
            }
            return;
        }
        // A description says more than a title.
        if let Some(picture) = self.pictures.last_mut()
            && text.len() > picture.alt.len()
        {
            picture.alt = text;
        }
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.try_get_attribute(name).ok().flatten()?;
    let value = found.normalized_value(XmlVersion::Implicit1_0).ok()?;
    let value = value.trim();
    (!value.is_empty() && value.len() <= LONGEST).then(|| value.to_owned())
}

fn is_picture_type(kind: &str) -> bool {
    kind.trim().to_ascii_lowercase().starts_with("image/")
}

/// Whether the path of a URL ends like that of a picture.
pub(super) fn is_named_as_picture(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or(url).to_ascii_lowercase();
    [".jpg", ".jpeg", ".png", ".webp"].iter().any(|it| path.ends_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(items: &str) -> Vec<Vec<(String, String)>> {
        let document = format!(
            "<?xml version='1.0'?><rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/' \
             xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' \
             xmlns:podcast='https://podcastindex.org/namespace/1.0'><channel>\
             <itunes:image href='/channel.jpg'/>{items}</channel></rss>"
        );
        let items = read(document.as_bytes()).into_iter();
        items.map(|it| it.pictures.into_iter().map(|it| (it.url, it.alt)).collect()).collect()
    }

    fn one(item: &str) -> Vec<(String, String)> {
        let mut items = found(&format!("<item>{item}</item>"));
        assert_eq!(items.len(), 1);
        items.remove(0)
    }

    fn pair(url: &str, alt: &str) -> (String, String) {
        (url.to_owned(), alt.to_owned())
    }

    #[test]
    fn each_picture_has_its_own_description() {
        let item = "<media:content url='/1.jpg?a=1&amp;b=2' type='image/jpeg' medium='image'>\
                      <media:rating scheme='urn:simple'>nonadult</media:rating>\
                      <media:description type='plain'>Ada &amp; <![CDATA[Charles]]></media:description>\
                    </media:content>\
                    <media:content url='/2.png' medium='image'/>\
                    <media:content url='/3.webp'><media:title>Grace</media:title></media:content>\
                    <media:content url='/film.mp4' type='video/mp4'>\
                      <media:description>A film</media:description></media:content>\
                    <media:description>Of the item</media:description>\
                    <media:thumbnail url='/small.jpg'/>\
                    <enclosure url='/4.jpg' type='image/jpeg' length='1'/>\
                    <enclosure url='/5.mp3' type='audio/mpeg' length='1'/>";
        assert_eq!(
            one(item),
            [
                pair("/1.jpg?a=1&b=2", "Ada & Charles"),
                pair("/2.png", ""),
                pair("/3.webp", "Grace"),
                pair("/4.jpg", "")
            ]
        );
    }

    #[test]
    fn a_thumbnail_stands_for_a_missing_picture() {
        assert_eq!(one("<media:thumbnail url='/a.jpg'/>"), [pair("/a.jpg", "")]);
        let episode = "<itunes:image href='/episode.jpg'/>\
                       <enclosure url='/a.mp3' type='audio/mpeg' length='1'/>";
        assert_eq!(one(episode), [pair("/episode.jpg", "")]);
        let video = "<media:group><media:content url='/v' type='application/x-shockwave-flash'/>\
                     <media:thumbnail url='/a.jpg'/><media:thumbnail url='/b.jpg'/></media:group>";
        assert_eq!(one(video), [pair("/a.jpg", "")]);
    }

    #[test]
    fn a_group_is_one_picture() {
        let group = "<media:group><media:content url='/1.jpg'/><media:content url='/1-big.jpg'/>\
                     </media:group><media:content url='/2.jpg'/>";
        assert_eq!(one(group), [pair("/1.jpg", ""), pair("/2.jpg", "")]);
    }

    #[test]
    fn items_keep_their_places() {
        let items = found(
            "<item/><item><media:content url='/1.gif' type='image/gif'/></item><item>\
                           <media:content url='/1.jpg'/></item>",
        );
        assert_eq!(items, [vec![], vec![], vec![pair("/1.jpg", "")]]);
    }

    #[test]
    fn people_of_episodes_are_named() {
        let item = "<item><podcast:person role='guest'> Grace &amp; Co </podcast:person>\
                    <podcast:person>Ada</podcast:person></item>";
        let people = |items: &str| {
            let feed = format!("<rss><channel>{items}</channel></rss>");
            read(feed.as_bytes()).remove(0).people
        };
        assert_eq!(people(item), ["Grace & Co", "Ada"]);
        let many = "<podcast:person>Ada</podcast:person>".repeat(1_000);
        assert_eq!(people(&format!("<item>{many}</item>")).len(), MAX_PEOPLE);
    }

    #[test]
    fn hostile_items_are_bounded() {
        let many = "<media:content url='/1.jpg'/>".repeat(1_000);
        assert_eq!(one(&many).len(), MAX_PICTURES);
        let long = format!("<media:content url='/{}.jpg'/>", "a".repeat(LONGEST));
        assert!(one(&long).is_empty());
        let text = "x".repeat(LONGEST + 1);
        let described = format!(
            "<media:content url='/1.jpg'><media:description>{text}</media:description>\
             </media:content>"
        );
        assert_eq!(one(&described), [pair("/1.jpg", "")]);
        assert!(read(b"<rss><channel><item><media:content url=").is_empty());
        let noise: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        assert!(read(&noise).is_empty());
    }
}
