//! The structure of the PDF. How it looks was checked by eye.

use std::io::Read as _;

use super::*;

const LINK: &str = "https://grantor.test/verify/3q2-7wEiM0RVZneImaq7zA";

fn certificate() -> Certificate<'static> {
    Certificate {
        number: "GR-2026-000042",
        licensor: "Zoë Müller Management",
        licensee: "Acme Films & Co.",
        talent: "Łukasz Żółć",
        license_title: "Campaigns",
        uses: &[],
        territories: &[],
        channels: &[],
        starts_at: Timestamp::from_secs(1_794_787_200),
        ends_at: None,
        exclusive: true,
        conditions: Some("No alcohol."),
        issued_at: Timestamp::from_secs(1_794_700_800),
        link: LINK,
        receipt: "a.b.c~d~",
    }
}

fn text(pdf: &[u8]) -> String {
    pdf.iter().copied().map(char::from).collect()
}

fn count_pages(pdf: &[u8]) -> usize {
    text(pdf).matches("/Type/Page/").count()
}

/// The decompressed content of every stream.
fn streams(pdf: &[u8]) -> Vec<Vec<u8>> {
    let whole = text(pdf);
    let starts = whole.match_indices("\nstream\n").map(|it| it.0 + 8);
    starts
        .map(|start| {
            let end = start + whole[start..].find("endstream").unwrap_or(0);
            let raw: Vec<u8> = whole[start..end].chars().map(|it| it as u8).collect();
            let mut plain = vec![];
            match flate2::read::ZlibDecoder::new(&*raw).read_to_end(&mut plain) {
                Ok(_) => plain,
                Err(_) => raw,
            }
        })
        .collect()
}

#[test]
fn a_certificate_is_one_page_with_the_receipt_attached() {
    let receipt = crate::tests::issued(&crate::tests::keys());
    let pdf = render(&Certificate { receipt: &receipt, ..certificate() }).unwrap();
    let whole = text(&pdf);
    assert!(whole.starts_with("%PDF-1.7") && whole.trim_end().ends_with("%%EOF"));
    assert_eq!(count_pages(&pdf), 1);
    for part in ["/EmbeddedFiles", "(receipt.sd-jwt)", "/AFRelationship", "application#2Fdc+sd-jwt"]
    {
        assert!(whole.contains(part), "{part}");
    }
    assert!(whole.contains(LINK), "the link can be followed");
    let attached = streams(&pdf).iter().any(|it| it.trim_ascii_end() == receipt.as_bytes());
    assert!(attached, "byte for byte");
    assert!(pdf.len() < 100_000, "only the glyphs that are used: {} bytes", pdf.len());
    assert_eq!(render(&Certificate { receipt: &receipt, ..certificate() }).unwrap(), pdf, "again");
}

#[test]
fn long_conditions_continue_on_further_pages() {
    let conditions = "No alcohol, no politics, no tobacco. ".repeat(140);
    let pdf = render(&Certificate { conditions: Some(&conditions), ..certificate() }).unwrap();
    assert_eq!((conditions.len(), count_pages(&pdf)), (5_180, 3));
    let lines = "x\n".repeat(2_500);
    let pdf = render(&Certificate { conditions: Some(&lines), ..certificate() }).unwrap();
    assert!(count_pages(&pdf) > 50, "one line each");
}

#[test]
fn no_text_breaks_a_certificate() {
    for name in [
        "Zoë Müller",
        "Zoe\u{308} Mu\u{308}ller",
        "Łukasz",
        "Владимир",
        "Ελένη",
        "李小龙",
        "محمد علي",
        "שלום and עולם",
        "👩‍👩‍👧‍👦 🏳️‍🌈",
        "\u{e000}\u{f8ff}\u{10ffff}\u{fffd}\u{feff}",
        "\u{202e}reversed\u{202c}",
        "a\0b\u{7}c\u{1b}[1m\r\nd\te",
        "\u{1d518}\u{1d52b} fi ffi ﬁ",
        "",
        " ",
    ] {
        let long = name.repeat(9);
        for name in [name, &long] {
            let list = [name.to_owned()];
            let pdf = render(&Certificate {
                number: name,
                licensor: name,
                licensee: name,
                talent: name,
                license_title: name,
                uses: &list,
                territories: &list,
                channels: &list,
                conditions: Some(name),
                link: name,
                receipt: name,
                ..certificate()
            });
            assert!(pdf.is_ok_and(|it| count_pages(&it) >= 1), "{name:?}");
        }
    }
}

#[test]
fn names_in_other_scripts_are_spelled() {
    let faces = face::Faces::load().unwrap();
    let spelled = |text: &str| faces.line(face::Style::Bold, 0.0, text).text;
    assert_eq!(spelled("Zoë Müller"), "Zoë Müller");
    assert_eq!(spelled("Łukasz Żółć"), "Łukasz Żółć");
    assert_eq!(spelled("李小龙"), "Li Xiao Long");
    assert_eq!(spelled("Владимир Ελένη"), "Владимир Ελένη");
    assert_eq!(spelled("\u{202e}a\u{200b}b"), "ab");
    assert_eq!(spelled("\u{10fffe}"), "?");
}

#[test]
fn lines_are_as_wide_as_the_column_at_most() {
    let faces = face::Faces::load().unwrap();
    let text = "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW and some words, no more. ".repeat(9);
    let lines = faces.wrap(face::Style::Regular, &text, 20.0);
    assert!(lines.len() > 9 && lines.iter().all(|it| it.width <= 20.01));
    let joined: String = lines.iter().map(|it| it.text.replace(' ', "")).collect();
    assert_eq!(joined, text.replace(' ', ""));
}
