//! Renders the documentation: each page as HTML and as Markdown, the search index, and the script
//! that shows the OpenAPI documents.

#![expect(clippy::print_stdout, reason = "Cargo reads what a build script prints")]

mod contents;
mod highlight;
mod link;
mod render;

use std::error::Error;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::contents::{Entry, GROUPS, REFERENCE, address};
use crate::render::{Rendered, Section, render, slug};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The OpenAPI documents: the name in the address, the file, and the prefix of paths.
const DOCUMENTS: [(&str, &str, &str); 2] = [
    ("external", "docs/openapi/external.json", ""),
    ("console", "docs/openapi/console.json", "/v1.0.1"),
];

/// The title of the reference in the results of a search.
const REFERENCE_TITLE: &str = "API reference";

/// What is written for the library.
struct Site {
    root: PathBuf,
    target: PathBuf,
    /// The elements of the lists, as code.
    pages: Vec<String>,
    sections: Vec<String>,
    assets: Vec<String>,
    /// The search index: for each section its address, page, heading and text.
    index: Vec<Value>,
}

#[expect(clippy::disallowed_methods, reason = "Cargo tells build scripts where to write")]
fn main() -> Outcome<()> {
    println!("cargo::rerun-if-changed=build");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let target = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let (pages, sections, assets, index) = (vec![], vec![], vec![], vec![]);
    let mut site = Site { root, target, pages, sections, assets, index };
    for group in GROUPS {
        for entry in group.pages {
            site.page(group.name, entry)?;
        }
    }
    for document in DOCUMENTS {
        site.operations(document)?;
    }
    let index = serde_json::to_vec(&site.index)?;
    site.asset("search.json", "application/json", &index)?;
    let script = scalar_api_reference::get_asset("scalar.js").ok_or("Scalar has no script")?;
    site.asset("scalar.js", "text/javascript; charset=utf-8", &script)?;
    for (name, list) in
        [("pages", &site.pages), ("sections", &site.sections), ("assets", &site.assets)]
    {
        fs::write(site.target.join(format!("{name}.rs")), format!("&[{}]", list.join(",\n")))?;
    }
    Ok(())
}

impl Site {
    fn read(&self, file: &str) -> Outcome<String> {
        let path = self.root.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read_to_string(path).map_err(|error| format!("{file}: {error}").into())
    }

    fn page(&mut self, group: &str, entry: &Entry) -> Outcome<()> {
        let Entry { slug, file, about } = entry;
        let markdown = self.read(file)?;
        let Rendered { title, html, sections } = render(file, &markdown);
        if title.is_empty() {
            return Err(format!("{file}: no title").into());
        }
        let html = self.write(&format!("{slug}.html"), html.as_bytes())?;
        let markdown = link::rewrite(file, &markdown);
        let markdown = self.write(&format!("{slug}.md"), markdown.as_bytes())?;
        let (path, mut headings) = (address(slug), vec![]);
        for Section { level, id, heading, text } in sections {
            if level > 1 {
                headings
                    .push(format!("Heading {{ level: {level}, id: {id:?}, text: {heading:?} }}"));
            }
            let anchor = if id.is_empty() { String::new() } else { format!("#{id}") };
            // The part before the title is empty.
            if level > 0 {
                self.section(&format!("{path}{anchor}"), &title, &heading, &text);
            }
        }
        let headings = headings.join(", ");
        self.pages.push(format!(
            "Page {{ group: {group:?}, slug: {slug:?}, path: {path:?}, file: {file:?}, \
             title: {title:?}, about: {about:?}, html: include_str!({html:?}), \
             markdown: include_str!({markdown:?}), headings: &[{headings}] }}"
        ));
        Ok(())
    }

    /// Adds what a search finds.
    fn section(&mut self, path: &str, page: &str, heading: &str, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.index.push(json!([path, page, heading, text]));
        self.sections.push(format!(
            "Section {{ path: {path:?}, page: {page:?}, heading: {heading:?}, text: {text:?} }}"
        ));
    }

    /// Adds the operations of an OpenAPI document to the search. Their anchors are those of Scalar.
    fn operations(&mut self, (name, file, prefix): (&str, &str, &str)) -> Outcome<()> {
        let document: Value = serde_json::from_str(&self.read(file)?)?;
        let paths = document["paths"].as_object().ok_or("no paths")?;
        for (path, methods) in paths {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                let method = method.to_uppercase();
                let tag = slug(operation["tags"][0].as_str().unwrap_or_default());
                let summary = operation["summary"].as_str().unwrap_or_default();
                let anchor = format!("{name}/tag/{tag}/{method}{path}");
                let heading = format!("{method} {prefix}{path}");
                let address = format!("{}#{anchor}", address(REFERENCE));
                self.section(&address, REFERENCE_TITLE, &heading, summary);
            }
        }
        Ok(())
    }

    /// Adds a file that pages load. Its address has its hash, so browsers can keep it.
    fn asset(&mut self, name: &str, content_type: &str, bytes: &[u8]) -> Outcome<()> {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let hash = hasher.finish();
        let mut encoder = GzEncoder::new(vec![], Compression::best());
        encoder.write_all(bytes)?;
        let file = self.write(&format!("{name}.gz"), &encoder.finish()?)?;
        self.assets.push(format!(
            "Asset {{ name: {name:?}, path: \"/docs/assets/{hash:016x}/{name}\", \
             content_type: {content_type:?}, gzip: include_bytes!({file:?}) }}"
        ));
        Ok(())
    }

    /// Writes a file and returns its path.
    fn write(&self, name: &str, bytes: &[u8]) -> Outcome<String> {
        let path = self.target.join(name);
        fs::write(&path, bytes)?;
        let text = path.to_str().ok_or("the path of the build is not UTF-8")?;
        Ok(text.to_owned())
    }
}
