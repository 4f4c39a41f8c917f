//! The font of the certificate, `DejaVu` Serif Condensed, and the measuring and breaking of text.

use std::cell::RefCell;
use std::rc::Rc;

use dejavu::serif_condensed;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer, script};

/// A weight or slant of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Regular,
    Italic,
    Bold,
}

/// The loaded font.
pub(super) struct Faces {
    regular: Loaded,
    italic: Loaded,
    bold: Loaded,
}

struct Loaded {
    font: Font,
    face: Face<'static>,
    /// Plans by script. Making one takes much longer than shaping a line with it.
    plans: RefCell<Vec<(Script, Rc<ShapePlan>)>>,
}

impl Loaded {
    fn new(data: &'static [u8]) -> Option<Self> {
        let face = Face::from_slice(data, 0)?;
        Some(Self { font: Font::new(data.into(), 0)?, face, plans: RefCell::default() })
    }

    /// The plan for texts of a script, made once.
    fn plan(&self, script: Script) -> Rc<ShapePlan> {
        let mut plans = self.plans.borrow_mut();
        if let Some((_, plan)) = plans.iter().find(|it| it.0 == script) {
            return Rc::clone(plan);
        }
        let direction = Direction::LeftToRight;
        let plan = Rc::new(ShapePlan::new(&self.face, direction, Some(script), None, &[]));
        plans.push((script, Rc::clone(&plan)));
        plan
    }
}

/// A line of glyphs. Widths are in units of the font size.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) glyphs: Vec<KrillaGlyph>,
    pub(super) width: f32,
}

impl Faces {
    pub(super) fn load() -> Option<Self> {
        Some(Self {
            regular: Loaded::new(serif_condensed::regular())?,
            italic: Loaded::new(serif_condensed::italic())?,
            bold: Loaded::new(serif_condensed::bold())?,
        })
    }

    pub(super) fn font(&self, style: Style) -> Font {
        self.loaded(style).font.clone()
    }

    /// Shapes a text into one line. `tracking` is extra space after each glyph.
    pub(super) fn line(&self, style: Style, tracking: f32, text: &str) -> Line {
        self.shape(style, tracking, self.spell(style, text))
    }

    /// Breaks a text into lines of at most this width. Line breaks in the text are kept.
    pub(super) fn wrap(&self, style: Style, text: &str, width: f32) -> Vec<Line> {
        let paragraphs = text.lines().map(|it| self.spell(style, it));
        paragraphs.flat_map(|it| self.wrap_paragraph(style, &it, width)).collect()
    }

    /// Breaks a text like [`Self::wrap`], but into lines of similar width.
    pub(super) fn balance(&self, style: Style, text: &str, width: f32) -> Vec<Line> {
        let widest = self.wrap(style, text, width);
        let narrower = [0.55_f32, 0.65, 0.75, 0.85, 0.95].into_iter();
        narrower
            .map(|part| self.wrap(style, text, width * part))
            .find(|lines| lines.len() == widest.len())
            .unwrap_or(widest)
    }

    fn wrap_paragraph(&self, style: Style, text: &str, width: f32) -> Vec<Line> {
        let space = self.shape(style, 0.0, " ".to_owned()).width;
        let mut lines = vec![];
        let (mut current, mut used) = (String::new(), 0.0);
        let words = text.split_whitespace().flat_map(|word| self.pieces(style, word, width));
        for (word, length) in words {
            if !current.is_empty() && used + space + length > width {
                lines.push(self.shape(style, 0.0, std::mem::take(&mut current)));
            }
            if current.is_empty() {
                used = length;
            } else {
                current.push(' ');
                used += space + length;
            }
            current.push_str(&word);
        }
        lines.push(self.shape(style, 0.0, current));
        lines
    }

    /// The word with its width, in pieces if it is wider than a line.
    fn pieces(&self, style: Style, word: &str, width: f32) -> Vec<(String, f32)> {
        let whole = self.shape(style, 0.0, word.to_owned());
        if whole.width <= width {
            return vec![(whole.text, whole.width)];
        }
        let (mut cuts, mut used) = (vec![0], 0.0);
        for glyphs in whole.glyphs.chunk_by(|one, next| one.text_range == next.text_range) {
            let length = glyphs.iter().map(|it| it.x_advance).sum::<f32>();
            if used > 0.0 && used + length > width {
                cuts.push(glyphs[0].text_range.start);
                used = 0.0;
            }
            used += length;
        }
        cuts.push(word.len());
        let pieces = cuts.windows(2).filter_map(|it| word.get(it[0]..it[1]));
        let shaped = pieces.map(|it| self.shape(style, 0.0, it.to_owned()));
        shaped.map(|it| (it.text, it.width)).collect()
    }

    /// The text in characters that the font has.
    fn spell(&self, style: Style, text: &str) -> String {
        let face = &self.loaded(style).face;
        let has = |it: char| face.glyph_index(it).is_some();
        let mut spelled = String::with_capacity(text.len());
        for letter in text.chars() {
            if letter.is_whitespace() {
                spelled.push(' ');
            } else if letter.is_control() || is_invisible(letter) {
                // Left out: no glyph, or one that reorders its neighbors.
            } else if has(letter) && !is_special(letter) {
                spelled.push(letter);
            } else {
                let known = deunicode::deunicode_char(letter).unwrap_or("?");
                spelled.extend(known.chars().filter(|it| has(*it)));
            }
        }
        spelled.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn shape(&self, style: Style, tracking: f32, text: String) -> Line {
        let loaded = self.loaded(style);
        let face = &loaded.face;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        if buffer.script() == script::UNKNOWN {
            buffer.set_script(script::LATIN);
        }
        let plan = loaded.plan(buffer.script());
        let shaped = rustybuzz::shape_with_plan(face, &plan, buffer);
        let (infos, positions) = (shaped.glyph_infos(), shaped.glyph_positions());
        let mut glyphs = Vec::with_capacity(infos.len());
        for (index, (info, position)) in infos.iter().zip(positions).enumerate() {
            let next = infos[index..].iter().find(|it| it.cluster != info.cluster);
            let end = next.map_or(text.len(), |it| it.cluster as usize);
            let em = |units: i32| ratio(units, face.units_per_em());
            glyphs.push(KrillaGlyph::new(
                GlyphId::new(info.glyph_id),
                em(position.x_advance) + tracking,
                em(position.x_offset),
                em(position.y_offset),
                em(position.y_advance),
                info.cluster as usize..end,
                None,
            ));
        }
        let width = glyphs.iter().map(|it| it.x_advance).sum::<f32>() - tracking;
        Line { text, glyphs, width: width.max(0.0) }
    }

    fn loaded(&self, style: Style) -> &Loaded {
        match style {
            Style::Regular => &self.regular,
            Style::Italic => &self.italic,
            Style::Bold => &self.bold,
        }
    }
}

/// Joiners, variation selectors, and marks that change the direction of text.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Characters that are transliterated even if the font has them: scripts written from right to
/// left, which would need reordering, and private characters, which mean nothing elsewhere.
fn is_special(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

#[expect(clippy::cast_precision_loss, reason = "font units are far below 2^24")]
fn ratio(units: i32, per_em: i32) -> f32 {
    units as f32 / per_em as f32
}
