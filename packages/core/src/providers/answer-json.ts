import { beginningOf } from "./foreign-text.ts";

/** An HTML page instead of an answer: the address is wrong, or a proxy answers. Another attempt gets the same page. */
export class PageError extends SyntaxError {
  /** Name of the class. */
  override readonly name: string = "PageError";
}

/**
 * True for an HTML page.
 *
 * @param body - A body, or the beginning of one.
 */
export function isPage(body: unknown): boolean {
  return typeof body === "string" && /^\s*<[!h]/i.test(beginningOf(body));
}

/**
 * Parses the body of an answer.
 *
 * @param text - The whole body.
 * @throws PageError for an HTML page.
 * @throws SyntaxError for other text that is not JSON.
 */
export function answerJson(text: string): unknown {
  if (isPage(text)) throw new PageError("it is an HTML page");
  return JSON.parse(text);
}
