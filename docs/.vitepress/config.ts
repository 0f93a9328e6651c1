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

/** What TypeDoc lists of the packages; absent until the reference is generated. */
function reference(): SidebarItem[] {
  const file = new URL("reference/typedoc-sidebar.json", docs);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SidebarItem[]) : [];
}

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
    sidebar: [
      { text: "Start", items: [page("/quickstart")] },
      { text: "Guides", items: pages("guides") },
      { text: "API reference", collapsed: true, items: reference() },
      { text: "Specification", collapsed: true, items: [...pages("spec"), page("/conformance")] },
      { text: "Decisions", collapsed: true, items: pages("decisions") },
    ].filter(({ items }) => items.length > 0),
  },
});
