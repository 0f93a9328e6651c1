// Reads a built page: its text, its links, and the addresses that a browser loads for it.
import { parse } from "parse5";

/**
 * @typedef {import("parse5").DefaultTreeAdapterTypes.Element} Element
 * @typedef {import("parse5").DefaultTreeAdapterTypes.ParentNode} ParentNode
 *
 * @typedef {object} Page
 * @property {string} title
 * @property {string} description
 * @property {string} policy the `Content-Security-Policy` of the page
 * @property {string} text the main text without its heading, with single spaces
 * @property {Set<string>} ids the anchors that a link can point to
 * @property {string[]} links the targets of its links
 * @property {string[]} loads the addresses that a browser loads by itself
 */

/** Attributes with an address that the browser loads, by element. */
const loading = new Map([
  ["script", "src"],
  ["img", "src"],
  ["iframe", "src"],
  ["source", "src"],
  ["video", "src"],
  ["audio", "src"],
  ["embed", "src"],
  ["object", "data"],
  ["link", "href"],
]);

/** Links in the head that only name an address. */
const named = /\b(?:canonical|alternate|author|license|help|next|prev)\b/;

/**
 * @param {string} html
 * @returns {Page}
 */
export function readPage(html) {
  const elements = elementsBelow(parse(html));
  const meta = (/** @type {string} */ key, /** @type {string} */ value) =>
    attribute(
      elements.find((element) => element.tagName === "meta" && attribute(element, key)?.toLowerCase() === value),
      "content",
    )?.trim() ?? "";
  const title = elements.find((element) => element.tagName === "title");
  const main = elements.find(
    (element) => element.tagName === "main" || attribute(element, "class")?.split(/\s+/).includes("VPHome"),
  );
  /** @type {Page} */
  const page = {
    title: title === undefined ? "" : textOf(title, () => false),
    description: meta("name", "description"),
    policy: meta("http-equiv", "content-security-policy"),
    text: main === undefined ? "" : textOf(main, (element) => element.tagName === "h1"),
    ids: new Set(),
    links: [],
    loads: [],
  };
  for (const element of elements) {
    const id = attribute(element, "id") ?? (element.tagName === "a" ? attribute(element, "name") : undefined);
    if (id !== undefined) page.ids.add(id);
    if (element.tagName === "a" || element.tagName === "area") {
      const href = attribute(element, "href");
      if (href !== undefined) page.links.push(href);
    }
    const address = attribute(element, loading.get(element.tagName) ?? "");
    if (address !== undefined && !(element.tagName === "link" && named.test(attribute(element, "rel") ?? "")))
      page.loads.push(address);
    for (const candidate of attribute(element, "srcset")?.split(",") ?? [])
      page.loads.push(candidate.trim().split(/\s/)[0] ?? "");
  }
  return page;
}

/**
 * @param {ParentNode} parent
 * @returns {Element[]} in the order of the page
 */
function elementsBelow(parent) {
  return parent.childNodes.flatMap((node) =>
    "tagName" in node ? [node, ...elementsBelow("content" in node ? node.content : node)] : [],
  );
}

/**
 * @param {Element | undefined} element
 * @param {string} name
 */
function attribute(element, name) {
  return element?.attrs.find((one) => one.name === name)?.value;
}

/**
 * @param {ParentNode} parent
 * @param {(element: Element) => boolean} skip
 * @returns {string}
 */
function textOf(parent, skip) {
  let text = "";
  for (const node of parent.childNodes) {
    if (node.nodeName === "#text" && "value" in node) text += node.value;
    else if ("tagName" in node && !skip(node)) text += ` ${textOf(node, skip)}`;
  }
  return text.replace(/[\s\u200b]+/g, " ").trim();
}
