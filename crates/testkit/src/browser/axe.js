// Returns serious and critical findings, one line for each element, or that the page has no axe-core yet.
const [rules, done] = arguments;
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
if (!window.axe) {
  done({ missing: true });
  return;
}
axe.run({ runOnly: rules ?? tags, resultTypes: ["violations"] }).then(({ violations }) => {
  const grave = violations.filter((it) => ["serious", "critical"].includes(it.impact));
  done({ findings: grave.flatMap((it) => it.nodes.map((node) =>
    `${it.id} (${it.impact}): ${it.help}: ${node.target.join(" ")}`)) });
}, (error) => done({ error: String(error) }));
