//! Places the texts of a certificate on pages. Lengths are in points, from the top left corner.

use grantor_domain::Timestamp;

use super::face::{Faces, Style};
use super::lines::{Line, UNPRINTED};
use super::{Certificate, VerifyAt, qr};

pub(super) const WIDTH: f32 = 595.28;
pub(super) const HEIGHT: f32 = 841.89;
/// The left and right margins of the text.
const MARGIN: f32 = 78.0;
/// Where the values of the table start.
const VALUES: f32 = 186.0;
/// The top of the text on further pages.
const TOP: f32 = 112.0;
/// The bottom of the text: on the first page above the QR code.
const FIRST_BOTTOM: f32 = 664.0;
const BOTTOM: f32 = 762.0;
const QR_SIZE: f32 = 82.0;
const QR_TOP: f32 = 690.0;

/// What stands for a credit line that no font can print. The receipt does not contain it.
const CREDIT_UNPRINTED: &str =
    "(in characters this certificate cannot print; see the terms of the grant)";

/// A color of the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Black,
    Gray,
    Hairline,
    Accent,
}

/// Something on a page.
pub(super) enum Item {
    Text { x: f32, y: f32, size: f32, ink: Ink, line: Line },
    Box { rect: [f32; 4], ink: Ink },
    Boxes { rects: Vec<[f32; 4]> },
    Frame { inset: f32, width: f32 },
    Link { rect: [f32; 4] },
}

/// The items of each page.
pub(super) fn pages(certificate: &Certificate<'_>, faces: &Faces<'_>) -> Vec<Vec<Item>> {
    let (number, pages) = (certificate.number, vec![]);
    let mut flow = Flow { faces, number, pages, y: 0.0, is_incomplete: false };
    flow.start_page();
    flow.heading(certificate.number);
    flow.statement(certificate);
    flow.table(certificate);
    flow.note_unprinted();
    flow.verification(certificate.verify_at);
    flow.number_pages();
    flow.pages
}

struct Flow<'a, 'f> {
    faces: &'a Faces<'f>,
    number: &'a str,
    pages: Vec<Vec<Item>>,
    /// The baseline of the last line.
    y: f32,
    /// Whether a value could not be printed.
    is_incomplete: bool,
}

impl Flow<'_, '_> {
    fn start_page(&mut self) {
        self.pages.push(vec![
            Item::Frame { inset: 30.0, width: 1.1 },
            Item::Frame { inset: 34.5, width: 0.4 },
        ]);
        self.y = TOP;
        if self.pages.len() > 1 {
            let text = format!("Certificate of Grant No. {}, continued", self.number);
            let line = self.faces.line(Style::Italic, 0.0, &text);
            self.put(MARGIN, 84.0, 10.0, Ink::Gray, line);
            self.rule(MARGIN, 92.0, WIDTH - 2.0 * MARGIN, 0.5, Ink::Hairline);
        }
    }

    /// Moves down by one line, to the next page if there is no space.
    fn advance(&mut self, by: f32) {
        let bottom = if self.pages.len() == 1 { FIRST_BOTTOM } else { BOTTOM };
        if self.y + by > bottom {
            self.start_page();
        } else {
            self.y += by;
        }
    }

    fn push(&mut self, item: Item) {
        if let Some(page) = self.pages.last_mut() {
            page.push(item);
        }
    }

    fn put(&mut self, x: f32, y: f32, size: f32, ink: Ink, line: Line) {
        self.push(Item::Text { x, y, size, ink, line });
    }

    /// A value as it is printed: each line as it is, or a remark that it cannot be printed.
    fn value(&mut self, style: Style, text: &str) -> String {
        let mut lines = vec![];
        for line in text.lines() {
            let is_printed = self.faces.prints(style, line);
            self.is_incomplete |= !is_printed;
            lines.push(if is_printed { line } else { UNPRINTED });
        }
        lines.join("\n")
    }

    fn list(&mut self, values: &[String]) -> String {
        let values: Vec<_> = values.iter().map(|it| self.value(Style::Regular, it)).collect();
        values.join(", ")
    }

    fn rule(&mut self, x: f32, y: f32, length: f32, thickness: f32, ink: Ink) {
        self.push(Item::Box { rect: [x, y, length, thickness], ink });
    }

    fn centered(&mut self, size: f32, ink: Ink, line: Line) {
        let x = (WIDTH - line.width * size) / 2.0;
        self.put(x, self.y, size, ink, line);
    }

    fn heading(&mut self, number: &str) {
        let label = self.faces.line(Style::Bold, 0.11, "NAME, IMAGE AND LIKENESS");
        self.y = 98.0;
        self.centered(8.5, Ink::Accent, label);
        let title = self.faces.line(Style::Regular, 0.0, "Certificate of Grant");
        self.y = 142.0;
        self.centered(37.0, Ink::Black, title);
        let number = self.faces.line(Style::Regular, 0.04, &format!("No. {number}"));
        self.y = 168.0;
        self.centered(12.5, Ink::Gray, number);
        self.rule((WIDTH - 54.0) / 2.0, 184.0, 54.0, 1.1, Ink::Accent);
        self.y = 194.0;
    }

    fn statement(&mut self, certificate: &Certificate<'_>) {
        for (lead, name, sizes) in [
            ("This certifies that", certificate.licensee, [23.0, 17.0, 13.0]),
            ("is licensed to use the likeness of", certificate.talent, [23.0, 17.0, 13.0]),
            ("as granted by", certificate.licensor, [17.0, 14.0, 12.0]),
        ] {
            let lead = self.faces.line(Style::Italic, 0.0, lead);
            self.advance(25.0);
            self.centered(12.5, Ink::Gray, lead);
            let name = self.value(Style::Bold, name);
            let (size, lines) = self.fit(&name, sizes);
            for (index, line) in lines.into_iter().enumerate() {
                self.advance(if index == 0 { size * 1.3 } else { size * 1.15 });
                self.centered(size, Ink::Black, line);
            }
            self.y += 4.0;
        }
        self.y += 14.0;
    }

    /// The largest size at which the text has at most two lines, else the smallest.
    fn fit(&self, text: &str, sizes: [f32; 3]) -> (f32, Vec<Line>) {
        let width = WIDTH - 2.0 * MARGIN;
        let wrapped = |size: f32| (size, self.faces.balance(Style::Bold, text, width / size));
        let [large, medium, small] = sizes;
        [large, medium]
            .into_iter()
            .map(wrapped)
            .find(|(_, lines)| lines.len() <= 2)
            .unwrap_or_else(|| wrapped(small))
    }

    fn table(&mut self, certificate: &Certificate<'_>) {
        let title = self.value(Style::Regular, certificate.license_title);
        self.row("License", &title);
        let uses = self.list(certificate.uses);
        self.row("Uses", &uses);
        let territories = self.list(certificate.territories);
        self.row("Territories", &territories);
        self.row("Term", &term(certificate.starts_at, certificate.ends_at));
        self.row("Exclusivity", if certificate.exclusive { "Exclusive" } else { "Non-exclusive" });
        if !certificate.channels.is_empty() {
            let channels = self.list(certificate.channels);
            self.row("Channels", &channels);
        }
        self.row("Issued", &moment(certificate.issued_at));
        if let Some(credit_line) = certificate.credit_line {
            let is_printed = self.faces.prints(Style::Regular, credit_line);
            self.row("Credit line", if is_printed { credit_line } else { CREDIT_UNPRINTED });
        }
        if let Some(conditions) = certificate.conditions.filter(|it| !it.trim().is_empty()) {
            let conditions = self.value(Style::Regular, conditions);
            self.row("Conditions", &conditions);
        }
    }

    fn row(&mut self, label: &str, value: &str) {
        const SIZE: f32 = 11.5;
        let label = self.faces.line(Style::Bold, 0.07, &label.to_uppercase());
        let lines = self.faces.wrap(Style::Regular, value, (WIDTH - MARGIN - VALUES) / SIZE);
        self.advance(21.5);
        self.rule(MARGIN, self.y - 14.5, WIDTH - 2.0 * MARGIN, 0.5, Ink::Hairline);
        self.put(MARGIN, self.y - 0.5, 7.8, Ink::Gray, label);
        for (index, line) in lines.into_iter().enumerate() {
            if index > 0 {
                self.advance(14.8);
            }
            self.put(VALUES, self.y, SIZE, Ink::Black, line);
        }
    }

    /// Says where the values are that could not be printed.
    fn note_unprinted(&mut self) {
        const SIZE: f32 = 9.5;
        const NOTE: &str = "This certificate has no font for some characters of the values above, \
                            and does not spell them in another way. The attached receipt, \
                            receipt.sd-jwt, has them as they are written.";
        if !self.is_incomplete {
            return;
        }
        self.y += 6.0;
        for line in self.faces.wrap(Style::Italic, NOTE, (WIDTH - 2.0 * MARGIN) / SIZE) {
            self.advance(SIZE * 1.32);
            self.put(MARGIN, self.y, SIZE, Ink::Gray, line);
        }
    }

    /// How to verify, at the bottom of the first page: with a QR code if there is a link that shows
    /// the grant.
    fn verification(&mut self, verify_at: VerifyAt<'_>) {
        let (url, title, note) = (verify_at.url(), verify_at.title(), verify_at.note());
        let (mut x, mut items) = (MARGIN, vec![]);
        if let VerifyAt::SharedLink(link) = verify_at {
            let rects = qr::parts(link, QR_SIZE)
                .into_iter()
                .map(|[left, top, width, height]| [MARGIN + left, QR_TOP + top, width, height]);
            items.push(Item::Boxes { rects: rects.collect() });
            x += QR_SIZE + 20.0;
        }
        let width = WIDTH - MARGIN - x;
        let mut y = QR_TOP + 11.0;
        let mut write = |items: &mut Vec<Item>, text: &str, size: f32, style, ink, most: usize| {
            for line in self.faces.wrap(style, text, width / size).into_iter().take(most) {
                items.push(Item::Text { x, y, size, ink, line });
                y += size * 1.32;
            }
            y += 4.0;
        };
        write(&mut items, title, 13.0, Style::Bold, Ink::Black, 1);
        write(&mut items, url, 10.0, Style::Regular, Ink::Accent, 2);
        write(&mut items, note, 9.5, Style::Italic, Ink::Gray, 4);
        items.push(Item::Link { rect: [MARGIN, QR_TOP, WIDTH - 2.0 * MARGIN, QR_SIZE] });
        if let Some(page) = self.pages.first_mut() {
            page.extend(items);
        }
    }

    /// Adds page numbers if there are several pages.
    fn number_pages(&mut self) {
        let count = self.pages.len();
        for (index, page) in self.pages.iter_mut().enumerate().filter(|_| count > 1) {
            let text = format!("Page {} of {count}", index + 1);
            let line = self.faces.line(Style::Regular, 0.0, &text);
            let (size, ink) = (9.0, Ink::Gray);
            let x = (WIDTH - line.width * size) / 2.0;
            page.push(Item::Text { x, y: 795.0, size, ink, line });
        }
    }
}

fn term(start: Timestamp, end: Option<Timestamp>) -> String {
    match end {
        Some(end) => format!("{} to {}", moment(start), moment(end)),
        None => format!("From {}, without an end date", moment(start)),
    }
}

/// A time as people write it, in UTC.
fn moment(time: Timestamp) -> String {
    let known = jiff::Timestamp::from_second(time.as_secs()).unwrap_or(jiff::Timestamp::MAX);
    known.strftime("%B %-d, %Y, %H:%M UTC").to_string()
}
