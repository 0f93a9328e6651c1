// Draws the picture of the README: the data flow of a phishing mail that was stopped. `pnpm --filter @bailiwick/desk picture`,
// with the path of a Chromium in CHROMIUM.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright";
import { DeskFolder } from "./desk-process.ts";

const path = fileURLToPath(new URL("../../../docs/public/flow.png", import.meta.url));

await using folder = new DeskFolder();
const server = await folder.start();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  timeout: 240_000,
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, colorScheme: "light" });
  page.setDefaultTimeout(240_000);
  await page.goto(`${server.url}/#/mail/m-032`);
  await page.getByRole("button", { name: "Handle this mail" }).click();
  await page.getByRole("link", { name: "How its data flowed" }).click();
  await page.locator(".flow-node", { hasText: "forward_mail" }).waitFor();
  // The page updates during the run, so the screenshot waits until the lines are drawn.
  await page.locator(".flow-line").first().waitFor({ state: "attached" });
  await page.locator(".flow").screenshot({ path, animations: "disabled" });
} finally {
  await browser.close();
}
