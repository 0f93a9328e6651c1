/** Defects of the layout as rendered; each line names the element. Runs in the page. */
export function findDefects(): string[] {
  const defects: string[] = [];
  /** Minimum width of a text that ends with an ellipsis, in pixels: about three letters. */
  const leastCut = 40;
  const name = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${String(element.getAttribute("class"))} "${(element.textContent ?? "").trim().slice(0, 30)}"`;
  const isDrawn = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".visually-hidden, .skip") === null;
  if (document.documentElement.scrollWidth > innerWidth) defects.push("the page scrolls sideways");
  const main = document.querySelector("main");
  if (main !== null && main.scrollWidth > main.clientWidth) defects.push("main scrolls sideways");
  for (const control of document.querySelectorAll("button, a, select, input")) {
    if (!isDrawn(control) || control.closest(".json-body, .state-tabs") !== null) continue;
    const { left, right } = control.getBoundingClientRect();
    if (left < -0.5 || right > innerWidth + 0.5) defects.push(`${name(control)} is cut off at the side`);
    if (control.tagName === "BUTTON" && control.scrollWidth > control.clientWidth + 1)
      defects.push(`${name(control)} cuts its text off`);
  }
  for (const text of document.querySelectorAll<HTMLElement>(".cut")) {
    const isCut = isDrawn(text) && text.scrollWidth > text.clientWidth + 1;
    if (isCut && text.clientWidth < leastCut) defects.push(`${name(text)} is cut to ${text.clientWidth} px`);
  }
  // A box that hides overflow without an ellipsis loses text.
  for (const box of document.querySelectorAll<HTMLElement>("main *")) {
    if (!isDrawn(box) || box.closest(".cut, textarea, select, input, svg, .visually-hidden") !== null) continue;
    const { overflowX, textOverflow, clipPath } = getComputedStyle(box);
    if (
      clipPath === "none" &&
      overflowX === "hidden" &&
      textOverflow !== "ellipsis" &&
      box.scrollWidth > box.clientWidth + 1
    )
      defects.push(`${name(box)} hides ${box.scrollWidth - box.clientWidth} px of its contents`);
  }
  // A word on more than one line was broken inside: its column is narrower than the word.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const parent = node.parentElement;
    if (parent === null || !isDrawn(parent)) continue;
    if (parent.closest("pre, code, textarea, style, script, .json, .cut, option") !== null) continue;
    for (const match of (node.textContent ?? "").matchAll(/[\p{L}\p{N}$.,]+/gu)) {
      if (match[0].length > 24) continue;
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) defects.push(`the word "${match[0]}" in ${name(parent)} is broken`);
    }
  }
  return defects;
}
