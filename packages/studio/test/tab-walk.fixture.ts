import type { Page } from "playwright";

/** Maximum number of stops on one page. */
const mostStops = 400;

/**
 * Presses Tab through a page until the focus is back at the start.
 *
 * @returns The defects: a control that Tab does not reach, or a focus that cannot be seen. Each line names the element.
 */
export async function walkByTab(page: Page): Promise<readonly string[]> {
  const defects: string[] = [];
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press("Tab");
    const { again, defect } = await page.evaluate(lookAtFocus);
    if (defect !== "") defects.push(defect);
    if (again) return [...defects, ...(await page.evaluate(controlsNotReached))];
  }
  throw new Error(`The focus does not come round within ${mostStops} stops: Tab is caught in a part of the page.`);
}

/** Marks the element with the focus and returns its style. It runs in the page. */
async function lookAtFocus(): Promise<{ readonly again: boolean; readonly defect: string }> {
  // Between the last control and the first one, the browser has the focus.
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return { again: false, defect: "" };
  if (element.dataset["reached"] !== undefined) return { again: true, defect: "" };
  element.dataset["reached"] = "";
  await new Promise(requestAnimationFrame);
  // A field with its name in front has the outline around both.
  const { outlineStyle, outlineWidth } = getComputedStyle(element.closest("label.choice") ?? element);
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  const name = `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? "").trim().slice(0, 30)}"`;
  if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 1)
    return { again: false, defect: `${name} has the focus without an outline` };
  if (width < 1 || height < 1 || bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth)
    return { again: false, defect: `${name} has the focus out of sight` };
  return { again: false, defect: "" };
}

/** Controls without the mark. It runs in the page. */
function controlsNotReached(): string[] {
  const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  return [...document.querySelectorAll<HTMLElement>(controls)].flatMap((control) => {
    const isUsable = control.checkVisibility({ visibilityProperty: true }) && !control.matches(":disabled");
    if (!isUsable || control.dataset["reached"] !== undefined) return [];
    return [`Tab does not reach ${control.tagName.toLowerCase()}.${control.className} "${control.textContent ?? ""}"`];
  });
}
