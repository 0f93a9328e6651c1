import { existsSync, readFileSync, readdirSync } from "node:fs";

/** An entry of the sidebar, as VitePress takes it. */
export interface SidebarItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: SidebarItem[];
}

/** The guides in the order in which a reader needs them. A guide that is not listed here comes after them. */
const guides: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    "Build",
    [
      "tools",
      "options",
      "models-and-answers",
      "people-in-the-loop",
      "extensions",
      "agents-together",
      "memory",
      "mcp",
      "sandboxes",
    ],
  ],
  ["Protect", ["security", "attacks-and-questions"]],
  ["Run", ["runs-and-effects", "workers", "stores", "postgres", "hosts", "observability"]],
  ["Test", ["testing"]],
  ["Connect", []],
  ["Migrate", ["names-elsewhere"]],
];

const docs = new URL("../", import.meta.url);

/** The sidebars of the site by the path below which they are shown. */
export function sidebar(): Record<string, SidebarItem[]> {
  const packages = reference();
  const listed = new Set(guides.flatMap(([, names]) => names));
  const more = pages("guides").filter(({ link = "" }) => !listed.has(link.slice("/guides/".length)));
  return {
    "/": [
      { text: "Start", items: [page("/quickstart")] },
      ...guides.map(([text, names]) => ({ text, items: names.map((name) => page(`/guides/${name}`)) })),
      { text: "More guides", items: more },
      { text: "API reference", collapsed: true, items: packages.map(withoutItems) },
      {
        text: "Project",
        collapsed: true,
        items: [
          { text: "Specification", link: "/spec/", collapsed: true, items: pages("spec") },
          page("/conformance/index", "/conformance/"),
          { text: "Decisions", link: "/decisions/" },
        ],
      },
    ].filter(({ items }) => items.length > 0),
    ...Object.fromEntries(
      packages.map((entry) => [
        entry.link ?? "",
        [
          { text: "API reference", items: packages.filter(({ link }) => link !== entry.link).map(withoutItems) },
          packageEntry(entry),
        ],
      ]),
    ),
  };
}

/** A package with its kinds of exports: each page has its whole sidebar in it, so single exports are on their page. */
function packageEntry(entry: SidebarItem): SidebarItem {
  // A package with several entry points lists them on its page, not by kind.
  const kinds = (entry.items ?? []).filter(({ text }) => text !== "packages");
  const items = kinds.map(({ text, link }) => ({
    text,
    link: link ?? `${entry.link}#${text.toLowerCase().replaceAll(" ", "-")}`,
  }));
  return { ...entry, collapsed: false, items };
}

/** A page's entry, titled by its first heading. */
function page(file: string, link: string = file): SidebarItem {
  const text = readFileSync(new URL(`.${file}.md`, docs), "utf8");
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

/** TypeDoc's list of the packages; empty until the reference is generated. */
function reference(): SidebarItem[] {
  const file = new URL("reference/typedoc-sidebar.json", docs);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as SidebarItem[]) : [];
}
