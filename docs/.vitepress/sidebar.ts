import { optionPagesOf } from "../site/option-list.mjs";
import { sections } from "../site/sections.mjs";
import { existsSync, readFileSync, readdirSync } from "node:fs";

/** An entry of the sidebar in VitePress's form. */
export interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

/** The sidebar of reference pages. */
const lookUp: SidebarItem[] = [
  {
    text: "Reference",
    items: [
      { text: "Options", link: "/guides/options" },
      { text: "Options of each function", link: "/options/" },
      { text: "Events and records", link: "/events/" },
      { text: "Errors", link: "/errors/" },
      { text: "API reference", link: "/reference/" },
      { text: "All guides", link: "/quickstart" },
    ],
  },
];

const docs = new URL("../", import.meta.url);

/** The sidebars of the site, by the path for which they are shown. */
export function sidebar(): Record<string, SidebarItem[]> {
  const packages = reference();
  const model = new URL(".cache/reference.json", docs);
  const optionPages = existsSync(model) ? optionPagesOf(JSON.parse(readFileSync(model, "utf8"))) : [];
  const listed = new Set(sections.flatMap(({ pages }) => pages));
  const more = pagesIn("guides").filter((path) => !listed.has(path));
  const unlisted = more.map((path) => page(path));
  return {
    "/": [
      ...sections.map(({ title, pages, collapsed }) => ({
        text: title,
        collapsed,
        items: [...pages, ...(title === "Recipes" ? pagesIn("recipes").filter((path) => !listed.has(path)) : [])]
          .filter((path) => exists(path))
          .map((path) => page(path)),
      })),
      { text: "More guides", items: unlisted },
      {
        text: "Project",
        collapsed: true,
        items: [
          { text: "Specification", link: "/spec/" },
          { text: "Tests of each claim", link: "/conformance/" },
          { text: "Decisions", link: "/decisions/" },
        ],
      },
    ].filter(({ items }) => items.length > 0),
    // These folders have many pages, and each page contains its sidebar, so a short one links back.
    ...Object.fromEntries(["errors", "events", "decisions", "conformance"].map((folder) => [`/${folder}/`, lookUp])),
    "/options/": [
      ...lookUp,
      ...[...new Set(optionPages.map(({ topic }) => topic))].map((topic) => ({
        text: topic,
        items: optionPages
          .filter((entry) => entry.topic === topic)
          .map(({ title, slug }) => ({ text: title, link: `/options/${slug}` })),
      })),
    ],
    "/spec/": [{ text: "Specification", items: pagesIn("spec").map((path) => page(path)) }],
    "/reference/": [{ text: "API reference", items: packages.map(withoutItems) }],
    ...Object.fromEntries(
      packages.map((entry) => [
        entry.link ?? "",
        [{ text: "Reference", items: [{ text: "All packages", link: "/reference/" }] }, packageEntry(entry)],
      ]),
    ),
  };
}

/**
 * A package with its kinds of exports. Each page contains its whole sidebar, so single exports are only on their page.
 */
function packageEntry(entry: SidebarItem): SidebarItem {
  // The page of the facade lists its exports by topic.
  if (entry.text === "@bailiwick/agent") return { ...entry, collapsed: false, items: topicsOfFacade(entry.link ?? "") };
  const items = (entry.items ?? []).map(({ text, link }) => ({
    // The package page lists entry points by the name under which code imports them.
    text: link === undefined ? text : text === "main" ? entry.text : `${entry.text}/${text}`,
    link: link ?? `${entry.link}#${text.toLowerCase().replaceAll(" ", "-")}`,
  }));
  return { ...entry, collapsed: false, items };
}

/** The sections of the facade's page. */
function topicsOfFacade(link: string): SidebarItem[] {
  const text = readFileSync(new URL("reference/agent/index.md", docs), "utf8");
  return [...text.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => ({
    text: title,
    link: `${link}#${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
  }));
}

/** A page's entry, titled by its first heading. */
function page(path: string): SidebarItem {
  const text = readFileSync(fileOf(path), "utf8");
  return { text: /^#\s+(.+)$/m.exec(text)?.[1] ?? path, link: `/${path}` };
}

function exists(path: string): boolean {
  return existsSync(fileOf(path));
}

/** The Markdown file of a page; a path that ends in a slash is the index of its folder. */
function fileOf(path: string): URL {
  return new URL(path.endsWith("/") ? `${path}index.md` : `${path}.md`, docs);
}

/** The paths of all pages in a folder, without its index. */
function pagesIn(folder: string): string[] {
  const location = new URL(`${folder}/`, docs);
  if (!existsSync(location)) return [];
  return readdirSync(location)
    .filter((name) => name.endsWith(".md") && !/^(?:index|README)\.md$/.test(name))
    .sort()
    .map((name) => `${folder}/${name.slice(0, -".md".length)}`);
}

/** An entry that leads to its page and lists nothing below it. */
function withoutItems({ text, link }: SidebarItem): SidebarItem {
  return { text, ...(link === undefined ? {} : { link }) };
}

/** TypeDoc's list of the packages; empty until the reference is generated. */
function reference(): SidebarItem[] {
  const file = new URL("reference/typedoc-sidebar.json", docs);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SidebarItem[]) : [];
}
