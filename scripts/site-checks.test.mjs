// Tests the checks of the built documentation site with sites that are broken on purpose.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkSite, errorsInOutput, pageLimit } from "../docs/site/check-site.mjs";
import { keywordsOf } from "../docs/.vitepress/search.ts";
import { writeErrorPages } from "../docs/site/error-pages.mjs";
import { readerMarkdown, renderForReaders, withoutTemplates } from "../docs/site/reader-markdown.mjs";
import { undescribedParameters, undocumentedMembers } from "../docs/site/reference-gaps.mjs";
import { adaptReferencePage } from "../docs/site/reference-page.mjs";
import { shareSmallPages } from "../docs/site/shared-pages.mjs";

const site = { siteTitle: "Bailiwick", siteDescription: "A framework." };
const sound = {
  title: "Tools | Bailiwick",
  description: "Tools have rights.",
  head: '<link rel="stylesheet" href="/assets/style.css"><link rel="canonical" href="https://docs.example/tools">',
  main: '<h1 id="tools">Tools</h1><p>A tool is a function. <a href="https://example.com/">More</a></p>',
};

/** @type {string} */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "site-"));
  write(
    "index.html",
    page({ title: "Bailiwick", description: "A framework.", main: '<a href="/guides/tools">Go</a>' }),
  );
  write("guides/tools.html", page({}));
  write(
    "assets/style.css",
    "@font-face { src: url(/assets/a.woff2) } p { background: url('data:image/png;base64,AA') }",
  );
  write("assets/app.js", "fetch('/hashmap.json')");
  write("404.html", "<title>404</title>");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param {Partial<typeof sound>} changes */
function page(changes) {
  const { title, description, head, main } = { ...sound, ...changes };
  return `<!doctype html><html><head><title>${title}</title><meta name="description" content="${description}">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'">${head}</head>
<body><nav><a href="#content">Skip</a></nav><main id="content">${main}</main></body></html>`;
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe("checkSite()", () => {
  test("accepts a sound site, with links to other hosts in its text", () => {
    expect(checkSite(folder, site)).toEqual([]);
  });

  /** @type {[problem: string, changes: Partial<typeof sound>][]} */
  const pages = [
    ["an empty main text", { main: "" }],
    ["an empty main text", { main: "<h1>Tools</h1>\u200b<!-- nothing -->" }],
    ["a dead link: /guides/none", { main: '<p>See <a href="/guides/none">this</a></p>' }],
    ["a dead link: ./tool.html", { main: '<p>See <a href="./tool.html">this</a></p>' }],
    ["a dead link: /guides", { main: '<p>See <a href="/guides">this</a></p>' }],
    ["a dead link: /none.png", { main: '<p>Look <img src="/none.png"></p>' }],
    ["a dead anchor: #none", { main: '<p>See <a href="#none">this</a></p>' }],
    ["a dead anchor: ../index#none", { main: '<p>See <a href="../index#none">this</a></p>' }],
    ["an address that cannot be read: /%E0%A4%A", { main: '<p>See <a href="/%E0%A4%A">this</a></p>' }],
    ["an address of an unknown kind: javascript:run()", { main: '<p>See <a href="javascript:run()">this</a></p>' }],
    ["no distinct title", { title: "" }],
    ["no distinct title", { title: "Bailiwick" }],
    ["no distinct description", { description: "A framework." }],
    [
      "a request to another host: https://cdn.example/a.js",
      { head: '<script src="https://cdn.example/a.js"></script>' },
    ],
    [
      "a request to another host: //fonts.example/a.css",
      { head: '<link rel="stylesheet" href="//fonts.example/a.css">' },
    ],
    [
      "a request to another host: https://img.example/a.png",
      { main: '<p>Look <img srcset="https://img.example/a.png 2x"></p>' },
    ],
    [`over the limit of ${pageLimit}`, { main: `<p>${"long ".repeat(pageLimit / 5)}</p>` }],
  ];
  test.each(pages)("finds %s", (problem, changes) => {
    write("guides/tools.html", page(changes));
    const problems = checkSite(folder, site);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^guides\/tools\.html: /);
    expect(problems[0]).toContain(problem);
  });

  test("finds a page that loads something from another host", () => {
    write("guides/tools.html", page({}).replace(/<meta http-equiv[^>]+>/, ""));
    expect(checkSite(folder, site)).toEqual(["guides/tools.html: no Content-Security-Policy with default-src 'self'"]);
  });

  test.each([
    ["assets/style.css", "@import 'https://fonts.example/inter.css';", "https://fonts.example/inter.css"],
    ["assets/style.css", "a { background: url(//img.example/a.png) }", "//img.example/a.png"],
    ["assets/app.js", 'await import("https://cdn.example/x.js")', "https://cdn.example/x.js"],
  ])("finds a request of %s to another host", (path, text, address) => {
    write(path, text);
    expect(checkSite(folder, site)).toEqual([`${path}: a request to another host: ${address}`]);
  });

  test("reports a problem of many pages once", () => {
    for (const name of ["a", "b", "c"]) write(`${name}.html`, page({ main: '<p><a href="/none">none</a></p>' }));
    expect(checkSite(folder, site)).toEqual(["a.html and 2 more: a dead link: /none"]);
  });

  test("a folder without pages is not a site", () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect(checkSite(folder, site)).toEqual([`${folder} has no page`]);
  });
});

describe("errorsInOutput()", () => {
  test("finds the errors that VitePress prints while its build succeeds", () => {
    const output = [
      "- rendering pages...",
      "\u001b[31mTypeError: Cannot read properties of undefined (reading 'name')",
      "    at _sfc_ssrRender (guides_tools.md.js:86:826)",
      "[Vue warn]: Failed to resolve component: T",
      "build complete in 28.15s.",
    ];
    expect(errorsInOutput(output.join("\n"))).toEqual([
      "TypeError: Cannot read properties of undefined (reading 'name')",
      "[Vue warn]: Failed to resolve component: T",
    ]);
  });

  test("accepts a build whose own text mentions errors", () => {
    expect(errorsInOutput("\u2713 rendering pages...\nErrors are documented.\nbuild complete in 1s.")).toEqual([]);
  });
});

describe("the Markdown of readers", () => {
  test("has no template braces, however the page writes them", () => {
    const renderer = { render: (/** @type {string} */ source) => `<p>${source}</p>` };
    renderForReaders(renderer);
    expect(renderer.render("`{{shop.name}}` and {{{x}}}")).not.toContain("{{");
    expect(withoutTemplates("<code>{{a}}</code>")).toBe("<code>&#123;&#123;a}}</code>");
  });

  test("has the code of an example without its build marks", () => {
    const source =
      '# T\n\n<!-- model: ["Hi."] -->\n<!-- prints -->\n<!-- file: a.ts -->\n<!-- killed -->\n<!-- runs -->\n\n```ts\nconst a = 1;\n```\n\nThe mark `<!-- runs -->` stays.';
    expect(readerMarkdown(source)).toBe("# T\n\n\n```ts\nconst a = 1;\n```\n\nThe mark `<!-- runs -->` stays.");
  });

  test("shows the marks where a page explains them", () => {
    const source = '````md\n<!-- model: ["Hi."] -->\n<!-- runs -->\n\n```ts\n```\n````';
    expect(readerMarkdown(source)).toBe(source);
  });

  test("names entry points as code imports them, and links to members as the site writes anchors", () => {
    const page = "[API reference](../index.md) / main\n\n# main\n\nDefined in: packages/mcp/src/index.ts:1\n\nTools.";
    expect(adaptReferencePage(page, "mcp/main/index.md", [])).toBe(
      "[API reference](../index.md)\n\n# @bailiwick/mcp\n\nTools.\n",
    );
    expect(adaptReferencePage("# server", "mcp/server/index.md", [])).toBe("# @bailiwick/mcp/server\n");
    expect(adaptReferencePage("| [server](server/index.md) | A. |", "mcp/index.md", [])).toBe(
      "| [@bailiwick/mcp/server](server/index.md) | A. |\n",
    );
    expect(adaptReferencePage('<a id="property-a_b"></a>', "mcp/main/A.md", [])).toBe('<a id="property-a-b"></a>\n');
  });

  const toolPage = {
    topic: "Tools",
    slug: "tool",
    title: "tool()",
    module: "core/main",
    type: "ToolOptions",
    of: "core/main:tool",
    guide: "guides/tools",
  };

  test("has a short title, a signature of one line for each parameter, and type parameters last", () => {
    const page = [
      "[API reference](../../../index.md) / [@bailiwick/core](../../index.md) / [@bailiwick/core](../index.md) / tool",
      "# Tool\\<Name *extends* `string`\\>",
      "```ts\nfunction tool<Name extends (a: string) => void, Output>(options: ToolOptions<Name, Output>, more: readonly [Name, Output]): Tool<Name>;\n```",
      "## Type Parameters\n\n| Type Parameter |\n| ------ |\n| `Name` |",
      "## Returns\n\n| `a` | `string` | - |",
    ].join("\n\n");
    expect(adaptReferencePage(page, "core/main/functions/tool.md", [toolPage])).toBe(
      `${[
        "[API reference](../../../index.md) / [@bailiwick/core](../index.md) / tool",
        "# Tool",
        "```ts\nfunction tool(\n  options: ToolOptions<Name, Output>,\n  more: readonly [Name, Output],\n): Tool<Name>;\n```",
        "## Returns\n\n| `a` | `string` |  |",
        "## Type Parameters\n\n| Type Parameter |\n| ------ |\n| `Name` |",
        "## See also\n\n- Options: [tool()](../../../../options/tool.md)\n- [Guide](../../../../guides/tools.md)",
      ].join("\n\n")}\n`,
    );
  });

  test("has the words that a page names for the search", () => {
    expect(keywordsOf("---\ntitle: A\nkeywords: RAG, vectors\n---\n\n# A")).toBe("RAG, vectors");
    expect(keywordsOf("# A\n\n---\nkeywords: none\n---\n")).toBe("");
  });
});

test("each error code has a page with the event, the reason and the remedy", () => {
  const codes = writeErrorPages(join(folder, "errors"));
  expect(codes.length).toBeGreaterThan(200);
  const index = readFileSync(join(folder, "errors/index.md"), "utf8");
  for (const code of codes) {
    expect(index, code).toContain(`[\`${code}\`](./${code}.md)`);
    expect(readFileSync(join(folder, `errors/${code}.md`), "utf8")).toMatch(/## Why it happens[\s\S]+## What to do/);
  }
  // A code that a command names too has the topic of the package that throws it.
  expect(readFileSync(join(folder, "errors/RUN_BUSY.md"), "utf8")).toContain("[Runs, decisions and sessions](");
});

describe("shared pages of the reference", () => {
  test("have the small exports of an entry point, each under an anchor that links lead to", () => {
    const folder = mkdtempSync(join(tmpdir(), "shared-"));
    const pages = {
      "index.md": "# API reference\n\n[kept()](mcp/main/functions/kept.md)\n",
      "mcp/main/index.md": "# @bailiwick/mcp\n\nTools.\n\n## Interfaces\n\n| [A](interfaces/A.md) |\n",
      "mcp/main/interfaces/A.md":
        '# A\n\nOne.\n\n## Properties\n\n| <a id="property-b"></a> `b` | [B](B.md) |\n\n## Methods\n\n### c()\n\nSee [b](#property-b).\n',
      "mcp/main/interfaces/B.md": "# B\n\nTwo, beside [A](A.md#c) and [A](A.md#inherited).\n",
      "mcp/main/interfaces/Long.md": `# Long\n\n${"Many words. ".repeat(300)}[A](A.md)\n`,
      "mcp/main/functions/kept.md": "# kept()\n\nReturns a [B](../interfaces/B.md).\n",
    };
    for (const [path, text] of Object.entries(pages)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    shareSmallPages({ children: [{ name: "@bailiwick/mcp", children: [{ kind: 2, name: "main" }] }] }, folder);
    const read = (/** @type {string} */ path) => readFileSync(join(folder, path), "utf8");
    const types = read("mcp/main/types.md");
    expect(types).toContain('## A {#A}\n\nOne.\n\n| <a id="A-property-b"></a> `b` | [B](#B) |');
    expect(types).toContain("#### c() {#A-c}\n\nSee [b](#A-property-b).");
    expect(types).toContain("## B {#B}\n\nTwo, beside [A](#A-c) and [A](#A).");
    expect(read("mcp/main/interfaces/Long.md")).toContain("[A](../types.md#A)");
    expect(read("mcp/main/functions/kept.md")).toContain("[B](../types.md#B)");
    expect(read("mcp/main/index.md")).toContain("Small exports share a page: [Types](types.md).");
    expect(existsSync(join(folder, "mcp/main/interfaces/A.md"))).toBe(false);
  });
});

test("the reference fails on a member without a doc comment, except constructors and inherited members", () => {
  const comment = { summary: [{ kind: "text", text: "The id." }] };
  const members = [
    { name: "constructor" },
    { name: "id", comment },
    { name: "size" },
    { name: "name", inheritedFrom: {} },
  ];
  const pack = {
    name: "@bailiwick/mcp",
    children: [{ kind: 2, name: "main", children: [{ name: "Shop", children: members }] }],
  };
  expect(undocumentedMembers({ children: [pack] })).toEqual(["@bailiwick/mcp: Shop.size has no doc comment"]);
});

test("the reference fails on a parameter without a description, of functions, function types, methods and constructors", () => {
  const comment = { summary: [{ kind: "text", text: "The id." }] };
  const signatures = [{ parameters: [{ name: "this" }, { name: "id", comment }, { name: "size" }] }];
  const exported = [
    { name: "order", signatures },
    { name: "Order", type: { declaration: { signatures } } },
    {
      name: "Shop",
      children: [
        { name: "constructor", signatures },
        { name: "find", signatures },
        { name: "close", signatures, inheritedFrom: {} },
        { name: "again", variant: "reference", signatures: [] },
      ],
    },
    { name: "order", variant: "reference", signatures },
  ];
  const project = { children: [{ name: "@bailiwick/mcp", children: [{ kind: 2, name: "main", children: exported }] }] };
  const missing = (/** @type {string} */ name) =>
    `@bailiwick/mcp: the parameter "size" of ${name}() has no description: add an @param`;
  expect(undescribedParameters(project)).toEqual(
    ["order", "Order", "Shop.constructor", "Shop.find"].map((name) => missing(name)),
  );
});
