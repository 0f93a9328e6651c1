import type { Browser, Page, Route } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { words } from "../../server/src/http/suspicious-refund.fixture.ts";
import { launchBrowser } from "../../studio/test/launch-browser.fixture.ts";
import { cardChat } from "./card-chat.fixture.ts";
import { cardPages } from "./card-pages.fixture.ts";
import { serveCards } from "./card-server.fixture.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser.close());

const start = '{"type":"start","messageId":"run-that-is-cut"}';

/** Faults of one request. Requests after it are answered. */
const faults: Readonly<Record<string, (route: Route, page: Page) => Promise<void>>> = {
  lost: async (route) => route.abort("connectionreset"),
  "answered by a proxy whose server is away": async (route) => route.fulfill({ status: 502, body: "Bad gateway" }),
  // The request stays open; the page's clock goes past the time that it waits.
  "never answered": async (_route, page) => page.clock.fastForward(15_000),
  "cut after its first bytes": async (route) =>
    route.request().url().endsWith("/stream")
      ? route.fulfill({ status: 200, contentType: "text/event-stream", body: `data: ${start}\n\n` })
      : route.abort("connectionreset"),
};

/** Opens the page, and lets a fault meet the request at a position. Returns the paths of the page's requests. */
async function opened(url: string, at: number, fault: string): Promise<readonly string[]> {
  const page = await browser.newPage();
  const paths: string[] = [];
  await page.clock.install();
  await page.route("**/api/**", async (route) => {
    paths.push(new URL(route.request().url()).pathname);
    const isMet = paths.length - 1 === at;
    await (isMet ? faults[fault]?.(route, page) : route.continue());
  });
  await page.goto(`${url}?chat=${cardChat}`);
  await expect
    .poll(async () => page.locator("body").innerText(), { message: `request ${at} is ${fault}: ${paths.join(" ")}` })
    .toContain("Reject…");
  // The question stays, and nothing on the page says that it is broken.
  await expect.poll(async () => page.getByRole("alert").count()).toBe(0);
  await page.close();
  return paths;
}

test.each(cardPages)(
  "the page of the %s shows its question though any one request of its start fails [react.start]",
  async (name, entry, styles) => {
    const { url, close } = await serveCards(words.attack, entry, styles);
    const requests = await opened(url, -1, "lost");
    expect(requests.length).toBeGreaterThan(2);
    const played = name === "cards" ? Object.keys(faults) : ["lost"];
    for (const fault of played) for (let at = 0; at < requests.length; at += 1) await opened(url, at, fault);
    close();
  },
);
