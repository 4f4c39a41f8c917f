//! The fonts of the certificate and the shaping of text: `DejaVu` Serif Condensed, and additional
//! fonts for characters that it lacks.

use std::cell::RefCell;
use std::iter;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use dejavu::serif_condensed;
use krilla::Data;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer, script, ttf_parser};
use unicode_bidi::{Level, ParagraphBidiInfo};
use unicode_script::UnicodeScript as _;

use super::font::CertificateFonts;
use super::lines::is_invisible;

/// A weight or slant of the built-in font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Regular,
    Italic,
    Bold,
}

/// The loaded fonts.
pub(super) struct Faces<'a> {
    regular: Loaded<'a>,
    italic: Loaded<'a>,
    bold: Loaded<'a>,
    /// Tried in this order for what the built-in font lacks.
    others: Vec<Loaded<'a>>,
}

/// Glyphs of one font, from left to right. Lengths are in units of the font size.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) font: Font,
    pub(super) glyphs: Vec<KrillaGlyph>,
}

impl Run {
    pub(super) fn width(&self) -> f32 {
        self.glyphs.iter().map(|it| it.x_advance).sum()
    }
}

impl<'a> Faces<'a> {
    /// Loads the fonts, or returns `None` if one is malformed.
    pub(super) fn load(fonts: &'a CertificateFonts) -> Option<Self> {
        let built_in = |data: &'static [u8]| Loaded::new(data, data.into(), 0);
        let other = |(data, index): (&'a Arc<Vec<u8>>, u32)| {
            Loaded::new(data.as_slice(), Arc::clone(data).into(), index)
        };
        Some(Self {
            regular: built_in(serif_condensed::regular())?,
            italic: built_in(serif_condensed::italic())?,
            bold: built_in(serif_condensed::bold())?,
            others: fonts.each().map(other).collect::<Option<_>>()?,
        })
    }

    /// The glyphs of a text, from left to right, or `None` if a character is in no font. `base` is
    /// the direction of its paragraph; without it, the first letter decides.
    pub(super) fn runs(&self, style: Style, text: &str, base: Option<Level>) -> Option<Vec<Run>> {
        if text.is_empty() {
            return Some(vec![]);
        }
        let fonts: Vec<_> = iter::once(self.loaded(style)).chain(&self.others).collect();
        let bidi = ParagraphBidiInfo::new(text, base);
        let (levels, parts) = bidi.visual_runs(0..text.len());
        let mut runs = vec![];
        for part in parts {
            let mut direction = Direction::LeftToRight;
            let is_reversed = levels[part.start].is_rtl();
            let mut segments = segments(text, part);
            if is_reversed {
                segments.reverse();
                direction = Direction::RightToLeft;
            }
            for segment in segments {
                shape(&fonts, text, segment, direction, &mut runs)?;
            }
        }
        Some(runs)
    }

    fn loaded(&self, style: Style) -> &Loaded<'a> {
        match style {
            Style::Regular => &self.regular,
            Style::Italic => &self.italic,
            Style::Bold => &self.bold,
        }
    }
}

struct Loaded<'a> {
    font: Font,
    face: Face<'a>,
    /// Plans by script and direction. Making one takes much longer than shaping a line with it.
    plans: RefCell<Vec<(Script, Direction, Rc<ShapePlan>)>>,
}

/// The glyphs of a few characters that cannot be separated, such as a letter with its accents.
struct Cluster {
    range: Range<usize>,
    glyphs: Vec<KrillaGlyph>,
    /// Whether the font has all of it.
    is_drawn: bool,
}

impl<'a> Loaded<'a> {
    fn new(data: &'a [u8], shared: Data, index: u32) -> Option<Self> {
        let face = Face::from_slice(data, index)?;
        Some(Self { font: Font::new(shared, index)?, face, plans: RefCell::default() })
    }

    /// The plan for texts of a script, made once.
    fn plan(&self, script: Script, direction: Direction) -> Rc<ShapePlan> {
        let mut plans = self.plans.borrow_mut();
        if let Some((_, _, plan)) = plans.iter().find(|it| (it.0, it.1) == (script, direction)) {
            return Rc::clone(plan);
        }
        let plan = Rc::new(ShapePlan::new(&self.face, direction, Some(script), None, &[]));
        plans.push((script, direction, Rc::clone(&plan)));
        plan
    }

    /// The glyphs of a part of a text, from left to right.
    fn clusters(&self, text: &str, range: Range<usize>, direction: Direction) -> Vec<Cluster> {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text[range.clone()]);
        buffer.guess_segment_properties();
        buffer.set_direction(direction);
        if buffer.script() == script::UNKNOWN {
            buffer.set_script(script::LATIN);
        }
        let plan = self.plan(buffer.script(), direction);
        let shaped = rustybuzz::shape_with_plan(&self.face, &plan, buffer);
        let glyphs: Vec<_> = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).collect();
        let mut starts: Vec<_> =
            glyphs.iter().map(|(info, _)| range.start + info.cluster as usize).collect();
        starts.sort_unstable();
        let em = |units: i32| ratio(units, self.face.units_per_em());
        let clusters = glyphs.chunk_by(|one, next| one.0.cluster == next.0.cluster);
        clusters
            .map(|glyphs| {
                let start = range.start + glyphs[0].0.cluster as usize;
                let next = starts.partition_point(|it| *it <= start);
                let covered = start..starts.get(next).copied().unwrap_or(range.end);
                let is_drawn = glyphs.iter().all(|(info, _)| info.glyph_id != 0)
                    && (is_blank(&text[covered.clone()])
                        || glyphs.iter().any(|(info, _)| self.is_visible(info.glyph_id)));
                let glyphs = glyphs.iter().map(|(info, position)| {
                    KrillaGlyph::new(
                        GlyphId::new(info.glyph_id),
                        em(position.x_advance),
                        em(position.x_offset),
                        em(position.y_offset),
                        em(position.y_advance),
                        covered.clone(),
                        None,
                    )
                });
                Cluster { glyphs: glyphs.collect(), is_drawn, range: covered }
            })
            .collect()
    }

    /// Whether a glyph has lines to draw. The pictures of some emoji fonts have none.
    fn is_visible(&self, glyph: u32) -> bool {
        u16::try_from(glyph).map(ttf_parser::GlyphId).is_ok_and(|it| {
            self.face.glyph_bounding_box(it).is_some() || self.face.is_color_glyph(it)
        })
    }
}

/// Adds the glyphs of a part of a text: what the first font lacks is taken from the others.
fn shape(
    fonts: &[&Loaded<'_>],
    text: &str,
    range: Range<usize>,
    direction: Direction,
    runs: &mut Vec<Run>,
) -> Option<()> {
    let (font, others) = fonts.split_first()?;
    let clusters = font.clusters(text, range, direction);
    for group in clusters.chunk_by(|one, next| one.is_drawn == next.is_drawn) {
        if group[0].is_drawn {
            let glyphs = group.iter().flat_map(|it| it.glyphs.clone()).collect();
            runs.push(Run { font: font.font.clone(), glyphs });
        } else {
            let start = group.iter().map(|it| it.range.start).min()?;
            let end = group.iter().map(|it| it.range.end).max()?;
            shape(others, text, start..end, direction, runs)?;
        }
    }
    Some(())
}

/// The parts of a text that are written in one script each. Punctuation and the like belongs to
/// what precedes it.
fn segments(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    use unicode_script::Script::{Common, Inherited};
    let mut segments: Vec<Range<usize>> = vec![];
    let mut current = Common;
    for (at, letter) in text[range.clone()].char_indices() {
        let start = range.start + at;
        let (end, script) = (start + letter.len_utf8(), letter.script());
        let is_shared = matches!(script, Common | Inherited);
        let joins = is_shared || current == Common || script == current;
        match segments.last_mut() {
            Some(last) if joins => last.end = end,
            _ => segments.push(start..end),
        }
        if !is_shared {
            current = script;
        }
    }
    segments
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|it| it.is_whitespace() || is_invisible(it))
}

#[expect(clippy::cast_precision_loss, reason = "font units are far below 2^24")]
fn ratio(units: i32, per_em: i32) -> f32 {
    units as f32 / per_em as f32
}
