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
        credit_line: None,
        issued_at: Timestamp::from_secs(1_794_700_800),
        verify_at: VerifyAt::SharedLink(LINK),
        receipt: "a.b.c~d~",
    }
}

fn render(certificate: &Certificate<'_>) -> Result<Vec<u8>> {
    super::render(certificate, &CertificateFonts::default())
}

/// `DejaVu` Sans, which has Hebrew, Arabic and a few emoji.
fn sans() -> CertificateFonts {
    let mut fonts = CertificateFonts::default();
    fonts.add(dejavu::sans::regular().to_vec()).unwrap();
    fonts
}

/// The lines of text on the pages.
fn lines(certificate: &Certificate<'_>, fonts: &CertificateFonts) -> Vec<String> {
    let faces = face::Faces::load(fonts).unwrap();
    let items = layout::pages(certificate, &faces).into_iter().flatten();
    let texts = items.filter_map(|it| match it {
        layout::Item::Text { line, .. } => Some(line.text),
        _ => None,
    });
    texts.collect()
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
                credit_line: Some(name),
                verify_at: VerifyAt::SharedLink(name),
                receipt: name,
                ..certificate()
            });
            assert!(pdf.is_ok_and(|it| count_pages(&it) >= 1), "{name:?}");
        }
    }
}

#[test]
fn names_are_printed_as_they_are_written_or_not_at_all() {
    let none = CertificateFonts::default();
    let faces = face::Faces::load(&none).unwrap();
    for (name, printed) in [
        ("Zoë Müller", "Zoë Müller"),
        ("Zoe\u{308} Mu\u{308}ller", "Zoe\u{308} Mu\u{308}ller"),
        ("Łukasz Żółć", "Łukasz Żółć"),
        ("Владимир Ελένη", "Владимир Ελένη"),
        ("\u{202e}a\u{200b}b", "ab"),
        (" a\t b\r\n", "a b"),
    ] {
        assert!(faces.prints(face::Style::Bold, name), "{name}");
        assert_eq!(faces.line(face::Style::Bold, 0.0, name).text, printed);
    }
    for name in [
        "李小龙",
        "星野うらら",
        "김연아",
        "שלום",
        "محمد علي",
        "Zoë 😀",
        "\u{1d518}\u{1d52b}",
        "\u{e000}",
        "\u{10fffe}",
        "\u{1f3f4}\u{e0067}\u{e007f}",
    ] {
        assert!(!faces.prints(face::Style::Bold, name), "{name}");
    }
}

#[test]
fn a_value_that_cannot_be_printed_is_replaced_by_a_remark() {
    let channels = ["Instagram".to_owned(), "小红书".to_owned()];
    let certificate = Certificate {
        licensee: "Acme",
        talent: "星野うらら",
        channels: &channels,
        conditions: Some("No alcohol.\n禁止酒类\nNo tobacco."),
        ..certificate()
    };
    let shown = lines(&certificate, &CertificateFonts::default());
    let whole = shown.join(" ");
    let remark = "(in characters this certificate cannot print; see the attached receipt)";
    for part in [
        format!("is licensed to use the likeness of {remark} as granted by"),
        format!("CHANNELS Instagram, {remark} ISSUED"),
        format!("CONDITIONS No alcohol. {remark} No tobacco."),
        "This certificate has no font for some characters of the values above".to_owned(),
    ] {
        assert!(whole.contains(&part), "{part} is missing in {whole}");
    }
    assert_eq!(whole.matches(remark).count(), 3);
    assert!(!whole.contains("Xing") && !whole.contains("urara"), "{whole}");
    let ordinary = lines(&self::certificate(), &CertificateFonts::default()).join(" ");
    assert!(!ordinary.contains("no font"), "{ordinary}");
}

#[test]
fn an_agreed_credit_line_is_printed() {
    let shown = |credit_line| {
        let certificate = Certificate { credit_line, ..certificate() };
        lines(&certificate, &CertificateFonts::default()).join(" ")
    };
    let credited = shown(Some("Photo: Zoë Müller"));
    assert!(credited.contains("CREDIT LINE Photo: Zoë Müller CONDITIONS"), "{credited}");
    assert!(!shown(None).contains("CREDIT LINE"));
    let unprinted = shown(Some("摄影：李小龙"));
    let remark = "(in characters this certificate cannot print; see the terms of the grant)";
    assert!(unprinted.contains(&format!("CREDIT LINE {remark}")), "{unprinted}");
    assert!(!unprinted.contains("attached receipt, receipt.sd-jwt, has them"), "{unprinted}");
}

#[test]
fn additional_fonts_print_what_the_own_font_lacks() {
    let fonts = sans();
    let certificate =
        Certificate { talent: "שלום עליכם", licensee: "محمد 😀", ..certificate() };
    let shown = lines(&certificate, &fonts);
    assert!(shown.contains(&"שלום עליכם".to_owned()), "{shown:?}");
    assert!(shown.contains(&"محمد 😀".to_owned()), "{shown:?}");
    assert!(!shown.join(" ").contains("no font"), "{shown:?}");
    let pdf = super::render(&certificate, &fonts).unwrap();
    let [with, without] =
        [&pdf, &render(&certificate).unwrap()].map(|it| text(it).contains("DejaVuSans"));
    assert_eq!((with, without), (true, false), "only where it is needed");
    let han = Certificate { talent: "李小龙", ..certificate };
    assert!(lines(&han, &fonts).join(" ").contains("cannot print"), "no font has it");
}

#[test]
fn text_that_runs_to_the_left_is_drawn_from_its_end() {
    let fonts = sans();
    let faces = face::Faces::load(&fonts).unwrap();
    let starts = |text: &str| -> Vec<usize> {
        let runs = faces.runs(face::Style::Regular, text, None).unwrap();
        runs.iter().flat_map(|it| &it.glyphs).map(|it| it.text_range.start).collect()
    };
    assert_eq!(starts("abc"), [0, 1, 2]);
    assert_eq!(starts("אבג"), [4, 2, 0]);
    assert_eq!(starts("a אב b"), [0, 1, 4, 2, 6, 7], "Hebrew inside of Latin");
    assert_eq!(starts("א ab"), [3, 4, 2, 0], "Latin inside of Hebrew");
    assert_eq!(starts("א12"), [2, 3, 0], "numbers keep their order");
}

#[test]
fn what_is_no_font_is_refused() {
    let mut fonts = CertificateFonts::default();
    for data in [vec![], b"GIF89a".to_vec(), dejavu::sans::regular()[..5_000].to_vec()] {
        assert_eq!(fonts.add(data), Err(InvalidFont::Format));
    }
    let mut restricted = dejavu::sans::regular().to_vec();
    // The license flags of the table `OS/2`, whose place is in the directory at the start.
    let at = restricted.windows(4).position(|it| it == b"OS/2").unwrap() + 8;
    let table = u32::from_be_bytes(restricted[at..at + 4].try_into().unwrap()) as usize;
    restricted[table + 9] = 2;
    assert_eq!(fonts.add(restricted), Err(InvalidFont::Restricted));
    assert!(fonts.is_empty());
    assert_eq!(sans().len(), 1);
}

#[test]
fn a_copy_without_a_link_says_how_to_verify_the_attachment() {
    let page = "https://grantor.test/verify";
    let shown = |verify_at| {
        lines(&Certificate { verify_at, ..certificate() }, &CertificateFonts::default()).join(" ")
    };
    let own = shown(VerifyAt::AnyReceipt(page));
    assert!(own.contains("Verify the attached receipt at https://grantor.test/verify The signed"));
    assert!(!own.contains("Scan the code"), "{own}");
    assert!(shown(VerifyAt::SharedLink(LINK)).contains("Scan the code or open the link"));
}

#[test]
fn lines_are_as_wide_as_the_column_at_most() {
    let none = CertificateFonts::default();
    let faces = face::Faces::load(&none).unwrap();
    let text = "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW and some words, no more. ".repeat(9);
    let lines = faces.wrap(face::Style::Regular, &text, 20.0);
    assert!(lines.len() > 9 && lines.iter().all(|it| it.width <= 20.01));
    let joined: String = lines.iter().map(|it| it.text.replace(' ', "")).collect();
    assert_eq!(joined, text.replace(' ', ""));
}
