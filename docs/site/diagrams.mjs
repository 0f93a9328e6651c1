// Renders Mermaid diagrams at build time, without a browser, for the light and the dark theme.
import { renderMermaidSVG } from "beautiful-mermaid";

/** Colours of VitePress in its two themes. */
const themes = {
  light: { bg: "#ffffff", fg: "#3c3c43", accent: "#3451b2", line: "#67676c", muted: "#3c3c43" },
  dark: { bg: "#1b1b1f", fg: "#dfdfd6", accent: "#a8b1ff", line: "#98989f", muted: "#dfdfd6" },
};

/**
 * Drawn diagrams, by source: VitePress renders each page for its HTML and for the search.
 *
 * @type {Map<string, string>}
 */
const drawn = new Map();

/**
 * A diagram as two images: one for each theme. The images are complete, so they load nothing.
 *
 * @param {string} source Mermaid
 * @returns {string} HTML
 */
export function diagram(source) {
  const html = drawn.get(source) ?? draw(source);
  drawn.set(source, html);
  return html;
}

/** @type {(source: string) => string} */
function draw(source) {
  const words = [...source.matchAll(/[[{(|]+([^\][{}()|]+)[\]})|]+|-- ([^-]+) --?>/g)].map(([, a, b]) => a ?? b ?? "");
  const description = `Diagram: ${words.join(", ")}`.replaceAll('"', "");
  return Object.entries(themes)
    .map(([theme, colours]) => {
      const svg = renderMermaidSVG(source, { ...colours, font: "system-ui", transparent: true }).replace(
        /@import url\([^)]*\);?/g,
        "",
      );
      if (/https?:\/\/(?!www\.w3\.org\/)/.test(svg)) throw new Error("A diagram loads something from another host.");
      const data = Buffer.from(svg).toString("base64");
      return `<img class="diagram diagram-${theme}" alt="${description}" src="data:image/svg+xml;base64,${data}">`;
    })
    .join("");
}
