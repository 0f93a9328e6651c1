import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { studio, type StudioOptions } from "@bailiwick/studio";
import type { Browser, BrowserContext, Page } from "playwright";
import { buildStudioPage } from "./build-page.fixture.ts";

/** A studio at a free port, and the requests that its pages sent to other hosts. */
export interface OpenStudio extends AsyncDisposable {
  readonly url: string;
  readonly page: Page;
  /** Requests to any other place, sockets included. */
  readonly foreign: readonly string[];
}

/**
 * Serves a studio and opens it in a browser.
 *
 * @param browser - Browser in which it is opened.
 * @param options - Options of the studio.
 */
export async function openStudio(browser: Browser, options: StudioOptions): Promise<OpenStudio> {
  await buildStudioPage();
  const served = studio(options);
  const server = serve({ fetch: (request, env) => served.fetch(request, env), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const foreign: string[] = [];
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const note = (address: string): void => {
    if (!address.startsWith(url) && !address.startsWith("data:") && !address.startsWith("blob:")) foreign.push(address);
  };
  context.on("request", (request) => note(request.url()));
  context.on("page", (opened) => opened.on("websocket", (socket) => note(socket.url())));
  const page = await context.newPage();
  await page.goto(served.link(url));
  return {
    url,
    page,
    foreign,
    async [Symbol.asyncDispose]() {
      await context.close();
      server.close();
    },
  };
}

/** Name of the element that has the focus: its label, or its text. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "";
    const { labels } = element as HTMLInputElement;
    return (element.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element.textContent ?? "").trim();
  });
}

/** Presses Tab until an element of this name has the focus, and fails after one round of the page. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const most = 80;
  for (let pressed = 0; pressed < most; pressed += 1) {
    await page.keyboard.press("Tab");
    const text = await focusedName(page);
    if (typeof name === "string" ? text === name : name.test(text)) return;
  }
  throw new Error(`Tab reaches nothing that is called ${String(name)}.`);
}
