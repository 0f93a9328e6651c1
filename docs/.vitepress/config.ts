import { defineConfig } from "vitepress";
import { summaryOf } from "../llms.mjs";
import { renderForReaders } from "../site/reader-markdown.mjs";
import { site } from "../site/site.mjs";
import { beginningOf, isLookedUp, keywordsOf, namesOf, rankProjectLast, wordsOf } from "./search.ts";
import { sidebar } from "./sidebar.ts";
import { readFileSync } from "node:fs";

/**
 * The browser loads nothing from another host. VitePress writes scripts and styles into its pages, and sends the
 * functions of its configuration as text.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
].join("; ");

export default defineConfig({
  title: site.siteTitle,
  description: site.siteDescription,
  head: [
    ["link", { rel: "icon", href: "data:," }],
    ["meta", { "http-equiv": "Content-Security-Policy", content: policy }],
  ],
  cleanUrls: true,
  lastUpdated: false,
  // The list of all pages is one script of the site, so that it is not repeated in each page.
  metaChunk: true,
  srcExclude: ["node_modules/**", ".cache/**"],
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  markdown: { config: renderForReaders },
  transformPageData(page) {
    const summary =
      page.description || summaryOf(readFileSync(new URL(`../${page.filePath}`, import.meta.url), "utf8"));
    const description = summary || `${page.title}: a page of the Bailiwick documentation.`;
    // VitePress writes the description into an attribute without escaping quotes.
    return { description: description.replaceAll('"', "'") };
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        _render(source, environment, markdown) {
          // The index contains text only, so colouring code would be wasted.
          const { highlight } = markdown.options;
          markdown.options.highlight = null;
          try {
            // A reference page is found by its title and first paragraph; its tables would only fill the index.
            const shown = namesOf(source) ?? (isLookedUp(environment.relativePath) ? beginningOf(source) : source);
            // Keywords belong to the first section, which has the title of the page. They count more than other words.
            const keywords = `${keywordsOf(source)}\n\n`.repeat(6);
            const text = shown.replace(/^# .+$/m, (title) => `${title}\n\n${keywords}`);
            return markdown.render(text, environment);
          } finally {
            markdown.options.highlight = highlight;
          }
        },
        miniSearch: { options: { tokenize: wordsOf }, searchOptions: { boostDocument: rankProjectLast } },
      },
    },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/quickstart", activeMatch: "^/(?:quickstart|guides/(?!compare|options))" },
      { text: "Recipes", link: "/recipes/", activeMatch: "^/recipes/" },
      { text: "Options", link: "/guides/options", activeMatch: "^/(?:guides/options|options/)" },
      { text: "API reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "Compare", link: "/guides/compare" },
    ],
    sidebar: sidebar(),
  },
});
