import { chromium, type Browser } from "playwright";
import { inject } from "vitest";

/** Maximum wait for the browser and for an element, in milliseconds: ends a hanging test, also on a busy machine. */
const waitMs = 240_000;

/** Launches the browser of the tests. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: inject("chromium"),
    timeout: waitMs,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(waitMs);
    return context;
  };
  return browser;
}
