import { existsSync, readFileSync, readdirSync } from "node:fs";
import { defineConfig } from "vitepress";

interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

const docs = new URL("../", import.meta.url);

/** A page's entry in the sidebar, titled by its first heading. */
function page(link: string): SidebarItem {
  const text = readFileSync(new URL(`.${link}.md`, docs), "utf8");
  return { text: /^#\s+(.+)$/m.exec(text)?.[1] ?? link, link };
}

/** The entries of all pages in a folder. */
function pages(folder: string): SidebarItem[] {
  const location = new URL(`${folder}/`, docs);
  if (!existsSync(location)) return [];
  return readdirSync(location)
    .filter((name) => name.endsWith(".md") && !/^(?:index|README)\.md$/.test(name))
    .sort()
    .map((name) => page(`/${folder}/${name.slice(0, -".md".length)}`));
}

/** An entry that leads to its page and lists nothing below it. */
function withoutItems({ text, link }: SidebarItem): SidebarItem {
  return { text, ...(link === undefined ? {} : { link }) };
}

/** What TypeDoc lists of the packages; absent until the reference is generated. */
function reference(): SidebarItem[] {
  const file = new URL("reference/typedoc-sidebar.json", docs);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SidebarItem[]) : [];
}

const packages = reference();

export default defineConfig({
  title: "Bailiwick",
  description: "A TypeScript framework for agents that act.",
  cleanUrls: true,
  lastUpdated: false,
  srcExclude: ["node_modules/**", ".cache/**"],
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Quickstart", link: "/quickstart" },
      { text: "API reference", link: "/reference/" },
      { text: "Specification", link: "/spec/" },
    ],
    sidebar: {
      "/": [
        { text: "Start", items: [page("/quickstart")] },
        { text: "Guides", items: pages("guides") },
        { text: "API reference", collapsed: true, items: packages.map(withoutItems) },
        { text: "Specification", collapsed: true, items: [...pages("spec"), page("/conformance")] },
        { text: "Decisions", collapsed: true, items: pages("decisions") },
      ].filter(({ items }) => items.length > 0),
      // Each page has its sidebar in it, so a page of the reference lists the exports of its own package alone.
      ...Object.fromEntries(
        packages.map((entry) => [
          entry.link,
          [
            { text: "API reference", items: packages.filter(({ link }) => link !== entry.link).map(withoutItems) },
            { ...entry, collapsed: false },
          ],
        ]),
      ),
    },
  },
});
