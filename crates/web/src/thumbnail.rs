//! The thumbnails of the licenses and talents in a list, looked up together.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use grantor_domain::Result;
use grantor_domain::id::{ImageId, LicenseId, TalentId};
use grantor_service::App;
use grantor_service::licensing::catalog::picture_path;
use grantor_service::licensing::catalog_picture::PictureSize;
use grantor_service::licensing::thumbnail;
use maud::Markup;

use crate::frame::Person;
use crate::image_url;
use crate::view::thumbnail::with_thumbnail;

/// The URLs of thumbnails, by record.
pub(crate) struct Thumbnails<I>(HashMap<I, String>);

impl<I: Copy + Eq + Hash> Thumbnails<I> {
    fn issue(app: &App, images: HashMap<I, ImageId>) -> Self {
        let url = |(id, image)| (id, image_url::list_thumbnail(app, image));
        Self(images.into_iter().map(url).collect())
    }

    /// The URL of the record's thumbnail, if it has one.
    pub(crate) fn url(&self, id: I) -> Option<&str> {
        self.0.get(&id).map(String::as_str)
    }

    /// A name with the record's thumbnail, or with the initials of its talent.
    pub(crate) fn beside(&self, id: I, talent: &str, name: Markup) -> Markup {
        with_thumbnail(self.url(id), talent, name)
    }
}

/// Returns the thumbnails of these licenses that the user may see: a reference image, or the picture
/// that the catalog shows to everybody.
pub(crate) async fn of_licenses(
    person: &Person,
    ids: impl IntoIterator<Item = LicenseId>,
) -> Result<Thumbnails<LicenseId>> {
    let ids: BTreeSet<_> = ids.into_iter().collect();
    let (app, reader) = (person.app(), person.caller.reader());
    let images = thumbnail::of_licenses(app, reader, ids.iter().copied().collect()).await?;
    let mut found = Thumbnails::issue(app, images);
    let missing = ids.into_iter().filter(|it| found.url(*it).is_none()).collect();
    for (license, picture) in thumbnail::of_public_licenses(app, missing).await? {
        found.0.insert(license, picture_path(picture, PictureSize::Thumbnail));
    }
    Ok(found)
}

/// Returns the thumbnails of these talents of the user's tenant.
pub(crate) async fn of_talents(
    person: &Person,
    ids: impl IntoIterator<Item = TalentId>,
) -> Result<Thumbnails<TalentId>> {
    let ids: BTreeSet<_> = ids.into_iter().collect();
    let (app, caller) = (person.app(), &person.caller);
    let images = thumbnail::of_talents(app, caller, ids.into_iter().collect()).await?;
    Ok(Thumbnails::issue(app, images))
}
