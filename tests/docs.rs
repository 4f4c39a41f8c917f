//! Every path, identifier, link and anchor in the documentation exists. `site.rs` has the tests of
//! the documentation site, `scaling.rs` those of the figures on its page.

mod scaling;
mod site;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

const DOCUMENTS: [&str; 7] = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/adding-an-endpoint.md",
    "docs/asking-to-proof.md",
    "docs/glossary.md",
    "docs/testing.md",
];
/// Parts of names that the tree does not contain, and why the documents have them.
const EXCEPTIONS: [(&str, &str); 4] = [
    ("data/", "the server creates it"),
    ("target/", "the build creates it"),
    ("grantor.toml", "the operator writes it"),
    ("Inquiry", "the example in adding-an-endpoint.md"),
];
const EXTENSIONS: [&str; 9] = ["rs", "md", "toml", "sql", "py", "css", "js", "json", "snap"];
const SKIPPED: [&str; 4] = [".git", "data", "node_modules", "target"];
const KEYWORDS: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "mod"];

struct Tree {
    root: PathBuf,
    /// Files and folders relative to the root, as `/docs/testing.md/`.
    paths: Vec<String>,
    /// The path and the text of each source.
    sources: Vec<(String, String)>,
    words: HashSet<String>,
}

impl Tree {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (mut paths, mut sources, mut next) = (vec!["/".to_owned()], Vec::new(), 0_usize);
        while let Some(folder) = paths.get(next).cloned() {
            next += 1;
            let path = root.join(folder.trim_matches('/'));
            if ["rs", "py"].contains(&extension(&folder)) {
                sources.push((folder, fs::read_to_string(path).unwrap()));
            } else if path.is_dir() {
                let entries = fs::read_dir(path).unwrap();
                let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
                let names = names.filter(|it| !SKIPPED.contains(&it.as_str()));
                paths.extend(names.map(|it| format!("{folder}{it}/")));
            }
        }
        let words = sources.iter().flat_map(|(_, text)| words(text)).map(str::to_owned).collect();
        Self { root, paths, sources, words }
    }

    /// Whether a span of code names only what exists. URL paths, commands, headers and phrases
    /// name nothing, and a path ends at its first placeholder.
    fn has(&self, span: &str) -> bool {
        let (path, item) = span.split_once("::").unwrap_or((span, ""));
        let is_call = span.contains('(');
        if EXCEPTIONS.iter().any(|(part, _)| format!("{span}/").contains(part)) {
            true
        } else if !is_call && (path.contains('/') || EXTENSIONS.contains(&extension(path))) {
            let cut = path.find(['<', '{', '*']).map(|at| path[..at].rfind('/').unwrap_or(0));
            let path = cut.map_or(path, |at| &path[..at]);
            span.starts_with('/') || span.contains(' ') || self.has_path(path, item)
        } else {
            span.contains('-') || span.contains(' ') && !is_call || self.has_code(span)
        }
    }

    /// Whether a path exists, possibly below other folders, and defines the item.
    fn has_path(&self, path: &str, item: &str) -> bool {
        let ends = ["/", ".rs/"].map(|end| format!("/{}{end}", path.trim_end_matches('/')));
        let is_it = |whole: &str| path.is_empty() || ends.iter().any(|it| whole.contains(it));
        if item.is_empty() {
            return self.paths.iter().any(|it| is_it(it));
        }
        let item = item.rsplit("::").next();
        let is_item = |(word, next): (&str, &str)| KEYWORDS.contains(&word) && Some(next) == item;
        let mut sources = self.sources.iter().filter(|(path, _)| is_it(path));
        sources.any(|(_, text)| words(text).zip(words(text).skip(1)).any(is_item))
    }

    /// Whether the words of an expression exist, or those of other code that look like names.
    fn has_code(&self, code: &str) -> bool {
        let all = code.contains(['(', '!']) || code.contains("::");
        let is_name = |it: &str| all || it.starts_with(char::is_uppercase) || it.contains('_');
        let mut names = code.split('"').step_by(2).flat_map(words);
        let path = code.split(['(', '<', ' ']).next().unwrap_or_default();
        let (name, rest) = path.trim_start_matches("grantor_").split_once("::").unwrap_or_default();
        let path = format!("{name}/src/{}", rest.replace("::", "/"));
        let (module, item) = path.rsplit_once('/').unwrap_or_default();
        names.all(|it| self.words.contains(it) || !is_name(it))
            && (!self.paths.contains(&format!("/crates/{name}/src/"))
                || self.has_path(&path, "")
                || self.has_path(module, item))
    }

    fn has_link(&self, document: &str, link: &str) -> bool {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let document = self.root.join(document);
        let target = if path.is_empty() { document } else { document.parent().unwrap().join(path) };
        let text = fs::read_to_string(&target).unwrap_or_default();
        let is_anchor = |line: &str| line.starts_with('#') && slug(line) == anchor;
        link.contains("://") || target.exists() && anchor.is_empty() || text.lines().any(is_anchor)
    }

    fn missing(&self, document: &str, text: &str) -> Vec<String> {
        let prose: String = text.split("```").step_by(2).collect();
        let spans = prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
        let spans = spans.filter(|it| !self.has(it)).map(|it| format!("`{it}`"));
        let links = prose.split("](").skip(1).filter_map(|it| Some(it.split_once(')')?.0));
        let links = links.filter(|it| !self.has_link(document, it)).map(|it| format!("[]({it})"));
        spans.chain(links).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
}

fn extension(path: &str) -> &str {
    path.trim_end_matches('/').rsplit_once('.').map_or("", |(_, it)| it)
}

fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    text.chars().filter(|it| it.is_alphanumeric() || ['-', '_'].contains(it)).collect()
}

#[test]
fn every_path_and_identifier_in_the_docs_exists() {
    let tree = Tree::read();
    for document in DOCUMENTS {
        let text = fs::read_to_string(tree.root.join(document)).unwrap();
        assert_eq!(tree.missing(document, &text), Vec::<String>::new(), "{document}");
    }
}

#[test]
fn a_made_up_path_or_identifier_is_noticed() {
    let real = "`docs/` `act.rs::record` `domain::license::License` [](testing.md#servers)";
    let made_up = "`docs/@/` `@.rs` `act.rs::@` `domain::mention::License` `@` `@::of()` \
                   [](@.md) [](testing.md#@)";
    // Concatenated, because the words of this file count as existing.
    let made_up = made_up.replace('@', &["No", "Such"].concat());
    let missing = Tree::read().missing("docs/testing.md", &format!("{real} {made_up}"));
    assert_eq!(missing.join(" "), made_up);
}
