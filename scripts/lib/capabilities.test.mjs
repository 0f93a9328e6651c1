import { afterEach, expect, test, vi } from "vitest";
import { capabilities, requiredCapabilities } from "./capabilities.mjs";

afterEach(() => vi.unstubAllEnvs());

test("a required capability that does not exist is refused by its name", () => {
  vi.stubEnv("BAILIWICK_REQUIRE", "browser,telepathy");
  expect(() => requiredCapabilities()).toThrow('"telepathy"');
});

test("required capabilities are a list with or without blanks", () => {
  vi.stubEnv("BAILIWICK_REQUIRE", " browser, os-sandbox,");
  expect(requiredCapabilities()).toEqual(["browser", "os-sandbox"]);
});

test("each capability has instructions to get it", () => {
  for (const { name, howToGet } of capabilities) expect(howToGet, name).not.toBe("");
});
