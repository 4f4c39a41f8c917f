// The API reference: Scalar shows both OpenAPI documents. It sends requests to this server only.
"use strict";

const { theme } = document.documentElement.dataset;

Scalar.createApiReference("#reference", {
  sources: [
    { title: "External API", slug: "external", url: "/openapi/external.json", default: true, servers: [{ url: location.origin }] },
    { title: "Console API", slug: "console", url: "/openapi/console.json", servers: [{ url: `${location.origin}/v1.0.1` }] },
  ],
  theme: "none",
  // Otherwise it follows the system.
  ...(theme === "auto" ? {} : { forceDarkModeState: theme }),
  hideDarkModeToggle: true,
  // What would ask other servers is off.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
});
