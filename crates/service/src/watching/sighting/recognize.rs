//! Recognizes talents in content, by name and by picture.

use std::collections::HashMap;

use grantor_domain::content::Content;
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::mention::{Match, MatchKind, Recognition};
use grantor_domain::name_index::{Folded, NameIndex, NameMatch, TextKeys, excerpt};
use grantor_domain::{Error, Result};

use super::{Candidate, MAX_SIGHTINGS};
use crate::App;
use crate::watching::evidence::{Captured, SeenPicture};
use crate::watching::likeness::{self, Likeness};
use crate::watching::talent_names::{NamePage, next_page};

/// A piece of content and everyone recognized in it.
#[derive(Debug)]
pub(crate) struct Recognized {
    /// The content.
    pub(crate) content: Content,
    /// Talents it names.
    pub(crate) people: Vec<(TalentId, Recognition)>,
    /// Licenses with a reference image that one of its pictures resembles.
    pub(crate) pictures: Vec<(LicenseId, Recognition)>,
    /// How many more talents it names.
    pub(crate) left_out: usize,
    /// What was captured of it.
    pub(crate) captured: Captured,
}

impl Recognized {
    /// Whether nobody was recognized.
    pub(crate) fn is_empty(&self) -> bool {
        self.people.is_empty() && self.pictures.is_empty()
    }
}

/// Recognizes any talent, up to [`MAX_SIGHTINGS`] names in each piece of content. Which of them
/// have a watched license is decided when they are recorded.
pub(crate) async fn recognize(app: &App, candidates: Vec<Candidate>) -> Result<Vec<Recognized>> {
    recognize_up_to(app, candidates, MAX_SIGHTINGS).await
}

/// Like [`recognize`], with a bound of its own for the names in each piece of content.
pub(crate) async fn recognize_up_to(
    app: &App,
    candidates: Vec<Candidate>,
    at_most: usize,
) -> Result<Vec<Recognized>> {
    let near = find_pictures(app, &candidates).await?;
    // A long text takes milliseconds, which must not block other requests.
    let (candidates, mut texts, keys) = on_thread(move || {
        let texts: Vec<Text> = candidates.iter().map(|it| Text::of(&it.content)).collect();
        let keys = texts.iter().flat_map(Text::parts).map(|it| TextKeys::of_text(it.plain()));
        let keys: Vec<TextKeys> = keys.collect();
        (candidates, texts, keys)
    })
    .await?;
    let mut page = app.names.find(&app.store, keys).await?;
    let mut next = page.next;
    loop {
        texts = on_thread(move || look(texts, page)).await?;
        let Some(after) = next else { break };
        page = next_page(&app.store, after).await?;
        next = page.next;
    }
    let all = candidates.into_iter().zip(texts).zip(near);
    Ok(all.map(|((it, text), near)| conclude(it, text, near, at_most)).collect())
}

/// The reference images that the pictures of each piece of content resemble, with the place of the
/// picture.
async fn find_pictures(app: &App, candidates: &[Candidate]) -> Result<Vec<Vec<(usize, Likeness)>>> {
    let seen = candidates.iter().flat_map(|it| &it.pictures);
    let seen: Vec<_> = seen.map(SeenPicture::compared).collect();
    let mut found = likeness::find_each(app, &seen, likeness::MAX_FOUND).await?.into_iter();
    let near = candidates.iter().map(|candidate| {
        let found = found.by_ref().take(candidate.pictures.len()).enumerate();
        found.flat_map(|(place, near)| near.into_iter().map(move |it| (place, it))).collect()
    });
    Ok(near.collect())
}

async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let work = tokio::task::spawn_blocking(work).await;
    work.map_err(|error| Error::internal(error.to_string()))
}

/// The texts of a piece of content, and whom they name.
struct Text {
    title: Folded,
    body: Folded,
    alts: Vec<Folded>,
    people: HashMap<TalentId, Recognition>,
}

impl Text {
    fn of(content: &Content) -> Self {
        let described = content.images.iter().filter(|it| !it.alt.is_empty());
        Self {
            title: Folded::of_text(&*content.title),
            body: Folded::of_html(&content.text),
            alts: described.map(|it| Folded::of_text(&*it.alt)).collect(),
            people: HashMap::new(),
        }
    }

    /// Searched separately, so that no name starts in the title and ends in the text.
    fn parts(&self) -> impl Iterator<Item = &Folded> {
        [&self.body, &self.title].into_iter().chain(&self.alts)
    }

    /// Adds the people of an index that it names.
    fn look_for(&mut self, index: &NameIndex<TalentId>) {
        let mut people = std::mem::take(&mut self.people);
        for part in self.parts() {
            for sighting in index.find_first(part) {
                let (key, strong) = (sighting.key, sighting.is_strong());
                let mut recognition =
                    Recognition { found: by_name(&sighting), strong, excerpt: String::new() };
                if people.get(&key).is_none_or(|known| recognition.is_better_than(known)) {
                    recognition.excerpt = excerpt(part.plain(), sighting.range);
                    people.insert(key, recognition);
                }
            }
        }
        self.people = people;
    }

    /// The people it names, up to a bound, and how many more there are.
    fn surest(&mut self, at_most: usize) -> (Vec<(TalentId, Recognition)>, usize) {
        let mut people: Vec<_> = std::mem::take(&mut self.people).into_iter().collect();
        // Most confident first, so that those are kept if there are too many.
        people.sort_by(|(a, one), (b, other)| {
            let rank = |it: &Recognition| (it.strong, it.found.confidence);
            let order = rank(other).partial_cmp(&rank(one));
            order.unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(b))
        });
        let left_out = people.len().saturating_sub(at_most);
        people.truncate(at_most);
        (people, left_out)
    }
}

/// Looks for these names in texts.
fn look(mut texts: Vec<Text>, page: NamePage) -> Vec<Text> {
    let names = page.talents.into_iter();
    let names = names.flat_map(|it| it.names.into_iter().map(move |name| (it.id, name)));
    let index = NameIndex::build(names);
    for it in &mut texts {
        it.look_for(&index);
    }
    texts
}

fn conclude(
    candidate: Candidate,
    mut text: Text,
    near: Vec<(usize, Likeness)>,
    at_most: usize,
) -> Recognized {
    let (people, left_out) = text.surest(at_most);
    let beginning = excerpt(text.body.plain(), 0..0);
    let pictures = near.iter().map(|(_, it)| (it.license, by_picture(it, &beginning))).collect();
    let captured = Captured::new(candidate.capture, candidate.pictures, near);
    Recognized { content: candidate.content, people, pictures, left_out, captured }
}

/// The confidence depends on whether the full name appears and whether it is spelled exactly.
fn by_name(sighting: &NameMatch<'_, TalentId>) -> Match {
    let confidence = match (sighting.is_strong(), sighting.exact) {
        (true, true) => 0.98,
        (true, false) => 0.9,
        (false, true) => 0.6,
        (false, false) => 0.5,
    };
    let term = sighting.term.to_owned();
    Match { kind: MatchKind::Name, term, confidence, distance: None, placement: None }
}

fn by_picture(near: &Likeness, excerpt: &str) -> Recognition {
    let found = Match {
        kind: MatchKind::Image,
        term: near.image.to_string(),
        confidence: near.confidence,
        distance: near.distance,
        placement: near.placement.clone(),
    };
    Recognition { found, strong: near.strong, excerpt: excerpt.to_owned() }
}

#[cfg(test)]
mod tests {
    use grantor_domain::content::{ContentImage, ContentUrl};
    use uuid::Uuid;

    use super::*;

    fn content(title: &str, text: String) -> Content {
        Content {
            url: ContentUrl::parse("https://example.com/").unwrap(),
            title: title.to_owned(),
            text,
            images: vec![],
            author: None,
            published_at: None,
        }
    }

    fn read_few(index: &NameIndex<TalentId>, content: Content) -> Recognized {
        let mut text = Text::of(&content);
        text.look_for(index);
        let candidate = Candidate { content, pictures: vec![], capture: None };
        conclude(candidate, text, vec![], MAX_SIGHTINGS)
    }

    fn talent(number: usize) -> TalentId {
        Uuid::from_u128(number as u128).into()
    }

    #[test]
    fn a_list_of_names_is_cut_where_it_is_least_sure() {
        let names = |it: usize| match it {
            0..100 => format!("Single{it}"),
            _ => format!("Talent Number{it}"),
        };
        let index = NameIndex::build((0..600).map(|it| (talent(it), names(it))));
        let text = (0..600).map(names).collect::<Vec<_>>().join(", ");
        let found = read_few(&index, content("", text));
        assert_eq!((found.people.len(), found.left_out), (MAX_SIGHTINGS, 100));
        assert!(found.people.iter().all(|(_, recognition)| recognition.strong));
    }

    #[test]
    fn a_person_is_in_a_text_once_by_the_surest_name() {
        let named = ["Annie", "Ann Lee"].map(|it| (talent(1), it.to_owned()));
        let index = NameIndex::build(named);
        let found = read_few(&index, content("Annie", "Annie is ANN LEE".to_owned()));
        let [(_, recognition)] = &*found.people else { panic!("{found:?}") };
        assert_eq!((&*recognition.found.term, recognition.strong), ("Ann Lee", true));
        assert_eq!(recognition.excerpt, "Annie is ANN LEE");
    }

    #[test]
    fn a_name_is_found_in_the_description_of_an_image() {
        let index = NameIndex::build([(talent(1), "Ann Lee".to_owned())]);
        let image = |alt: &str| ContentImage {
            url: ContentUrl::parse("https://example.com/a.png").unwrap(),
            alt: alt.to_owned(),
        };
        let mut shown = content("Ann", "Lee".to_owned());
        shown.images = vec![image("Ann"), image("Lee side")];
        assert!(read_few(&index, shown.clone()).is_empty());
        shown.images.push(image("Ann Lee on stage"));
        assert_eq!(read_few(&index, shown).people[0].1.excerpt, "Ann Lee on stage");
    }

    #[test]
    fn a_name_does_not_begin_in_the_title_and_end_in_the_text() {
        let index = NameIndex::build([(talent(1), "Ann Lee".to_owned())]);
        assert!(read_few(&index, content("By Ann", "Lee side".to_owned())).is_empty());
        let found = read_few(&index, content("By Ann Lee", "x".to_owned()));
        assert_eq!(found.people[0].1.excerpt, "By Ann Lee");
    }
}
