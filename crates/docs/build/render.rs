//! Renders Markdown as the HTML of a page: headings with anchors, code with a button that copies
//! it, the same code in several languages as tabs, and links to other pages of the site.

use std::iter::Peekable;

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::highlight::{escape, highlight};
use crate::link::Link;

/// The languages of examples that become tabs, with their labels.
const TABS: [(&str, &str); 5] =
    [("sh", "curl"), ("python", "Python"), ("js", "JavaScript"), ("go", "Go"), ("rust", "Rust")];

/// A rendered page.
pub(crate) struct Rendered {
    pub(crate) title: String,
    pub(crate) html: String,
    /// The part before the first heading, then one part for each heading.
    pub(crate) sections: Vec<Section>,
}

/// A part of a page that begins with a heading.
#[derive(Default)]
pub(crate) struct Section {
    /// The level of the heading: 1 for the title of the page.
    pub(crate) level: u8,
    /// The anchor; empty for the title.
    pub(crate) id: String,
    pub(crate) heading: String,
    /// The text without code blocks.
    pub(crate) text: String,
}

/// A block of code.
struct Block {
    language: String,
    /// The name of the file, or where to type the code.
    caption: String,
    code: String,
}

/// Renders a document of the repository.
pub(crate) fn render(document: &str, markdown: &str) -> Rendered {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).peekable();
    let mut renderer = Renderer {
        document,
        events,
        out: vec![],
        sections: vec![Section::default()],
        unlinked: vec![],
        groups: 0,
    };
    renderer.run();
    let mut html = String::new();
    html::push_html(&mut html, renderer.out.into_iter());
    let sections = renderer.sections;
    let title = sections.iter().find(|it| it.level == 1);
    Rendered { title: title.map(|it| it.heading.clone()).unwrap_or_default(), html, sections }
}

struct Renderer<'a> {
    document: &'a str,
    events: Peekable<Parser<'a>>,
    out: Vec<Event<'a>>,
    sections: Vec<Section>,
    /// For each open link, the file that it leads to if that is not on the site.
    unlinked: Vec<Option<String>>,
    /// The number of groups of tabs.
    groups: usize,
}

impl<'a> Renderer<'a> {
    fn run(&mut self) {
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => self.heading(level as u8),
                Event::Start(Tag::CodeBlock(kind)) => self.code(&kind),
                // A wide table scrolls by itself, and by keyboard.
                Event::Start(Tag::Table(columns)) => {
                    self.raw(
                        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">",
                    );
                    // Alignments would be inline styles.
                    let columns = vec![Alignment::None; columns.len()];
                    self.out.push(Event::Start(Tag::Table(columns)));
                }
                Event::End(TagEnd::Table) => {
                    self.out.push(Event::End(TagEnd::Table));
                    self.raw("</div>\n");
                }
                Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
                // Comments are for those who edit the file; other HTML is text.
                Event::Html(text) | Event::InlineHtml(text) => {
                    if !text.starts_with("<!--") {
                        self.inline(Event::Text(text));
                    }
                }
                other => self.inline(other),
            }
        }
    }

    fn raw(&mut self, html: impl Into<CowStr<'a>>) {
        self.out.push(Event::Html(html.into()));
    }

    /// Takes over an event of a text, and remembers its words.
    fn inline(&mut self, event: Event<'a>) {
        let words = match &event {
            Event::Text(text) | Event::Code(text) => &**text,
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::TableRow) => {
                " "
            }
            _ => "",
        };
        if let Some(section) = self.sections.last_mut() {
            section.text.push_str(words);
        }
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let link = Link::of(self.document, &dest_url);
                if let Some(address) = link.address(&dest_url) {
                    let dest_url = address.into();
                    self.out.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
                self.unlinked.push(match link {
                    Link::Source(file) => Some(file),
                    _ => None,
                });
            }
            Event::End(TagEnd::Link) => match self.unlinked.pop().flatten() {
                Some(file) => self.raw(format!(" (<code>{}</code>)", escape(&file))),
                None => self.out.push(Event::End(TagEnd::Link)),
            },
            other => self.out.push(other),
        }
    }

    fn heading(&mut self, level: u8) {
        let begin = self.out.len();
        self.sections.push(Section::default());
        while let Some(event) = self.events.next() {
            if matches!(event, Event::End(TagEnd::Heading(_))) {
                break;
            }
            self.inline(event);
        }
        let mut inside = String::new();
        html::push_html(&mut inside, self.out.drain(begin..));
        let heading = self.sections.pop().map(|it| it.text).unwrap_or_default();
        let id = if level == 1 { String::new() } else { self.unique(slug(&heading)) };
        self.raw(match level {
            1 => format!("<h1>{inside}</h1>\n"),
            _ => format!("<h{level} id=\"{id}\"><a href=\"#{id}\">{inside}</a></h{level}>\n"),
        });
        self.sections.push(Section { level, id, heading, text: String::new() });
    }

    /// The anchor of a heading. Several headings with one text are numbered.
    fn unique(&self, slug: String) -> String {
        let taken = |id: &str| self.sections.iter().any(|it| it.id == id);
        if !taken(&slug) {
            return slug;
        }
        let mut numbered = (1..).map(|number| format!("{slug}-{number}"));
        numbered.find(|it| !taken(it)).unwrap_or_default()
    }

    /// Renders a block of code, and those in other languages that follow it, as tabs.
    fn code(&mut self, kind: &CodeBlockKind<'a>) {
        let mut blocks = vec![self.block(info(kind))];
        while let Some(Event::Start(Tag::CodeBlock(kind))) = self.events.peek() {
            let (language, caption) = info(kind);
            let is_tab = |name: &str| TABS.iter().any(|(it, _)| *it == name);
            let is_new = blocks.iter().all(|it| is_tab(&it.language) && it.language != language);
            if !is_new || !is_tab(&language) {
                break;
            }
            self.events.next();
            let block = self.block((language, caption));
            blocks.push(block);
        }
        let html = match blocks.as_slice() {
            [block] => code_html(block),
            _ => self.tabs(&blocks),
        };
        self.raw(html);
    }

    fn block(&mut self, (language, caption): (String, String)) -> Block {
        Block { language, caption, code: self.take_code() }
    }

    fn take_code(&mut self) -> String {
        let mut code = String::new();
        for event in self.events.by_ref() {
            match event {
                Event::Text(text) => code.push_str(&text),
                Event::End(TagEnd::CodeBlock) => break,
                _ => {}
            }
        }
        code
    }

    /// The same example in several languages. Without a script, each group is switched by itself.
    fn tabs(&mut self, blocks: &[Block]) -> String {
        self.groups += 1;
        let group = format!("example-{}", self.groups);
        let mut html = "<fieldset class=\"tabbed\"><legend>Language</legend>\n<p>".to_owned();
        for (number, Block { language, .. }) in blocks.iter().enumerate() {
            let label = TABS.iter().find(|(it, _)| it == language).map_or("", |(_, it)| it);
            let checked = if number == 0 { " checked" } else { "" };
            let input = format!(
                "<label><input type=\"radio\" name=\"{group}\" value=\"{language}\"{checked}>\
                 {label}</label>"
            );
            html.push_str(&input);
        }
        html.push_str("</p>\n");
        for block in blocks {
            html.push_str("<div class=\"tab\">");
            html.push_str(&code_html(block));
            html.push_str("</div>\n");
        }
        html + "</fieldset>\n"
    }
}

/// The language and the caption of a block.
fn info(kind: &CodeBlockKind<'_>) -> (String, String) {
    let info = match kind {
        CodeBlockKind::Fenced(info) => info.trim(),
        CodeBlockKind::Indented => "",
    };
    let (language, caption) = info.split_once(' ').unwrap_or((info, ""));
    (language.to_owned(), caption.to_owned())
}

/// A block of code with the button that copies it, which a script shows.
fn code_html(Block { language, caption, code }: &Block) -> String {
    let name = TABS.iter().find(|(it, _)| it == language).map(|(_, it)| *it);
    let label = match (language.as_str(), name) {
        (_, Some(name)) => format!("Example with {name}"),
        ("json", _) => "JSON".to_owned(),
        _ => "Example".to_owned(),
    };
    let caption = match caption.as_str() {
        "" => String::new(),
        caption => format!("<p>{}</p>", escape(caption)),
    };
    format!(
        "<div class=\"code\">{caption}<pre tabindex=\"0\" role=\"group\" aria-label=\"{label}\">\
         <code>{}</code></pre><button class=\"small\" type=\"button\" data-copy=\"\" \
         data-copied=\"Copied\" hidden>Copy</button></div>\n",
        highlight(language, code)
    )
}

/// The anchor of a heading, as most viewers of Markdown make it.
pub(crate) fn slug(heading: &str) -> String {
    let text = heading.trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|it| it.is_alphanumeric() || ['-', '_'].contains(it)).collect()
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
