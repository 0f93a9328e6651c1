// The published Markdown: pages without the marks that only the documentation checks need.
import { diagram } from "./diagrams.mjs";

/**
 * Removes the build marks of a page: the comments `<!-- model: … -->`, `<!-- file: … -->`, `<!-- beside: … -->`,
 * `<!-- prints -->`, `<!-- runs -->` and `<!-- killed -->` before a code block. Text inside code blocks that shows a mark stays.
 *
 * @param {string} markdown
 * @returns {string}
 */
export function readerMarkdown(markdown) {
  /** @type {string[]} */
  const lines = [];
  /** @type {string | undefined} */
  let fence;
  for (const line of markdown.split("\n")) {
    if (fence === undefined) {
      if (/^\s*<!--\s*(?:(?:model|file|beside):.*|(?:prints|runs|killed)\s*)-->\s*$/.test(line)) continue;
      fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    } else if (line.trim().startsWith(fence) && line.trim().replace(/[`~]/g, "") === "") fence = undefined;
    lines.push(line);
  }
  return lines.join("\n");
}

/**
 * Writes template braces as character references: Vue compiles the HTML of a page, and evaluates `{{…}}` in it.
 *
 * @param {string} html
 * @returns {string}
 */
export function withoutTemplates(html) {
  return html.replaceAll("{{", "&#123;&#123;");
}

/**
 * Makes every page of the site pass through {@link readerMarkdown} and {@link withoutTemplates}, and renders diagrams.
 * Coloured code is cached: VitePress renders each page for the browser and for the server, and signatures repeat.
 *
 * @param {{ render(source: string, environment?: any): string, renderer?: any, options?: any }} renderer the Markdown renderer of VitePress
 */
export function renderForReaders(renderer) {
  const highlight = renderer.options?.highlight;
  if (typeof highlight === "function")
    renderer.options.highlight = (/** @type {string[]} */ ...code) => {
      const key = JSON.stringify(code);
      const known = coloured.get(key) ?? highlight(...code);
      coloured.set(key, known);
      return known;
    };
  const fence = renderer.renderer?.rules?.fence;
  if (fence !== undefined)
    renderer.renderer.rules.fence = (
      /** @type {any} */ tokens,
      /** @type {number} */ index,
      /** @type {any[]} */ ...rest
    ) => (tokens[index].info.trim() === "mermaid" ? diagram(tokens[index].content) : fence(tokens, index, ...rest));
  const render = renderer.render.bind(renderer);
  renderer.render = (source, environment) => withoutTemplates(render(readerMarkdown(source), environment));
}

/**
 * Coloured code, by code, language and attributes.
 *
 * @type {Map<string, string>}
 */
const coloured = new Map();
