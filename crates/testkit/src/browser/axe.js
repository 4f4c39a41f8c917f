// Runs after axe-core. Returns serious and critical findings, one line for each element.
const done = arguments[arguments.length - 1];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
axe.run({ runOnly: tags, resultTypes: ["violations"] }).then(({ violations }) => {
  const grave = violations.filter((it) => ["serious", "critical"].includes(it.impact));
  done({ findings: grave.flatMap((it) => it.nodes.map((node) =>
    `${it.id} (${it.impact}): ${it.help}: ${node.target.join(" ")}`)) });
}, (error) => done({ error: String(error) }));
