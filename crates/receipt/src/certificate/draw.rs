//! Writes the pages as PDF/A-3, the archival standard that allows attachments.

use grantor_domain::{Error, Result, Timestamp};
use krilla::action::{Action, LinkAction};
use krilla::annotation::{LinkAnnotation, Target};
use krilla::color::rgb;
use krilla::configure::{Archival, ConfigurationBuilder};
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::{DateTime, Metadata};
use krilla::page::{Page, PageSettings};
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::{Document, SerializeSettings};

use super::layout::{HEIGHT, Ink, Item, WIDTH};
use super::{ATTACHMENT, Certificate};

/// Writes the document.
pub(super) fn document(certificate: &Certificate<'_>, pages: &[Vec<Item>]) -> Result<Vec<u8>> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A3_B)
        .finish()
        .map_err(|error| problem(&error))?;
    let mut document =
        Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    for items in pages {
        let settings = PageSettings::from_wh(WIDTH, HEIGHT);
        let settings = settings.ok_or_else(|| Error::internal("the page has no size"))?;
        let mut page = document.start_page_with(settings);
        draw_page(&mut page, items, certificate.verify_at.url());
        page.finish();
    }
    document.set_metadata(metadata(certificate));
    document.embed_file(attachment(certificate));
    document.finish().map_err(|error| problem(&error))
}

fn draw_page(page: &mut Page<'_>, items: &[Item], link: &str) {
    let mut surface = page.surface();
    for item in items {
        draw(&mut surface, item);
    }
    surface.finish();
    let links = items.iter().filter_map(|it| match it {
        Item::Link { rect } => rectangle(*rect),
        _ => None,
    });
    for rect in links {
        let target = Target::Action(Action::Link(LinkAction::new(link.to_owned())));
        page.add_annotation(LinkAnnotation::new(rect, target).into());
    }
}

fn draw(surface: &mut Surface<'_>, item: &Item) {
    match item {
        Item::Text { x, y, size, ink, line } => {
            fill(surface, *ink);
            let mut x = *x;
            for run in &line.runs {
                let (at, font) = (Point::from_xy(x, *y), run.font.clone());
                surface.draw_glyphs(at, &run.glyphs, font, &line.text, *size, false);
                x += run.width() * size;
            }
        }
        Item::Box { rect, ink } => {
            fill(surface, *ink);
            boxes(surface, &[*rect]);
        }
        Item::Boxes { rects } => {
            fill(surface, Ink::Black);
            boxes(surface, rects);
        }
        Item::Frame { inset, width } => {
            surface.set_fill(None);
            let paint = color(Ink::Accent).into();
            surface.set_stroke(Some(Stroke { paint, width: *width, ..Stroke::default() }));
            boxes(surface, &[[*inset, *inset, WIDTH - 2.0 * inset, HEIGHT - 2.0 * inset]]);
        }
        Item::Link { .. } => {}
    }
}

fn fill(surface: &mut Surface<'_>, ink: Ink) {
    surface.set_stroke(None);
    surface.set_fill(Some(Fill { paint: color(ink).into(), ..Fill::default() }));
}

fn boxes(surface: &mut Surface<'_>, rects: &[[f32; 4]]) {
    let mut path = PathBuilder::new();
    rects.iter().filter_map(|it| rectangle(*it)).for_each(|it| path.push_rect(it));
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

fn rectangle([x, y, width, height]: [f32; 4]) -> Option<Rect> {
    Rect::from_xywh(x, y, width, height)
}

fn color(ink: Ink) -> rgb::Color {
    match ink {
        Ink::Black => rgb::Color::new(24, 28, 34),
        Ink::Gray => rgb::Color::new(98, 106, 118),
        Ink::Hairline => rgb::Color::new(205, 210, 218),
        Ink::Accent => rgb::Color::new(28, 62, 100),
    }
}

fn metadata(certificate: &Certificate<'_>) -> Metadata {
    Metadata::new()
        .title(format!("Certificate of Grant {}", certificate.number))
        .authors(vec![certificate.licensor.to_owned()])
        .creator("Grantor".to_owned())
        .language("en".to_owned())
        .creation_date(date(certificate.issued_at))
}

fn attachment(certificate: &Certificate<'_>) -> EmbeddedFile {
    EmbeddedFile {
        path: ATTACHMENT.to_owned(),
        mime_type: MimeType::new("application/dc+sd-jwt"),
        description: Some(format!("The signed receipt of grant {}", certificate.number)),
        association_kind: AssociationKind::Supplement,
        data: certificate.receipt.as_bytes().to_vec().into(),
        modification_date: Some(date(certificate.issued_at)),
        compress: None,
        location: None,
    }
}

fn date(time: Timestamp) -> DateTime {
    let known = jiff::Timestamp::from_second(time.as_secs()).unwrap_or(jiff::Timestamp::MAX);
    let civil = jiff::tz::TimeZone::UTC.to_datetime(known);
    let part = |value: i8| u8::try_from(value).unwrap_or(0);
    DateTime::new(u16::try_from(civil.year()).unwrap_or(0))
        .month(part(civil.month()))
        .day(part(civil.day()))
        .hour(part(civil.hour()))
        .minute(part(civil.minute()))
        .second(part(civil.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}

fn problem(error: &impl std::fmt::Debug) -> Error {
    Error::internal(format!("cannot write the certificate: {error:?}"))
}
