use super::*;

fn html(markdown: &str) -> String {
    render("docs/guide/index.md", markdown).html
}

#[test]
fn headings_have_anchors_that_differ() {
    let page = render("docs/guide/index.md", "# A `b`\n\nOne.\n\n## Get it\n\nTwo.\n\n## Get it\n");
    assert_eq!(page.title, "A b");
    let expected = "<h1>A <code>b</code></h1>\n<p>One.</p>\n\
                    <h2 id=\"get-it\"><a href=\"#get-it\">Get it</a></h2>\n<p>Two.</p>\n\
                    <h2 id=\"get-it-1\"><a href=\"#get-it-1\">Get it</a></h2>\n";
    assert_eq!(page.html, expected);
    let sections: Vec<_> =
        page.sections.iter().map(|it| (it.level, it.id.as_str(), it.text.trim())).collect();
    assert_eq!(
        sections,
        [(0, "", ""), (1, "", "One."), (2, "get-it", "Two."), (2, "get-it-1", "")]
    );
}

#[test]
fn the_same_example_in_several_languages_becomes_tabs() {
    let page = html("```sh\na\n```\n\n```python\nb\n```\n\n```json\n1\n```\n");
    assert_eq!(page.matches("<input type=\"radio\" name=\"example-1\"").count(), 2, "{page}");
    assert_eq!(page.matches("<div class=\"tab\">").count(), 2, "{page}");
    assert_eq!(page.matches("<div class=\"code\">").count(), 3, "{page}");
    let first = "value=\"sh\" checked>curl</label><label><input";
    assert!(page.contains(first), "{page}");
    assert!(html("```python a.py\nb\n```\n").contains("<div class=\"code\"><p>a.py</p><pre "));
    // Two steps in one language are no tabs.
    assert!(!html("```sh\na\n```\n\n```sh\nb\n```\n").contains("tabbed"));
}

#[test]
fn links_lead_to_the_site_or_name_the_file() {
    let page = html("[a](../verifying.md#b) [c](../decisions/1.md) [d](#e)");
    assert_eq!(
        page,
        "<p><a href=\"/docs/verifying#b\">a</a> c (<code>docs/decisions/1.md</code>) \
         <a href=\"#e\">d</a></p>\n"
    );
}

#[test]
fn nothing_becomes_html_or_a_style() {
    assert_eq!(
        html("<!-- x -->\n\n<b>a</b> <script>"),
        "<p>&lt;b&gt;a&lt;/b&gt; &lt;script&gt;</p>\n"
    );
    let table = html("| a |\n|--:|\n| 1 |\n");
    assert!(table.starts_with("<div class=\"wide\" tabindex=\"0\""), "{table}");
    assert!(!table.contains("style"), "{table}");
}
