import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

test("without a key the embedded demo model is used", () => {
  expect(readSettings({})).toMatchObject({ model: { kind: "demo" }, port: null, approvalLimit: 100 });
  expect(readSettings({ OPENAI_API_KEY: " " }).model).toEqual({ kind: "demo", paceMs: 15 });
});

test("with a key or a custom server, a real model is used", () => {
  expect(readSettings({ OPENAI_API_KEY: "k" }).model).toMatchObject({ kind: "openai", apiKey: "k" });
  expect(readSettings({ BAILIWICK_BASE_URL: "http://127.0.0.1:9/v1", BAILIWICK_MODEL: "small" }).model).toEqual({
    kind: "compatible",
    modelId: "small",
    baseURL: "http://127.0.0.1:9/v1",
    apiKey: undefined,
  });
});

test.each([
  [{ BAILIWICK_BASE_URL: "http://127.0.0.1:9/v1" }, /BAILIWICK_MODEL is not/],
  [{ BAILIWICK_BASE_URL: "nowhere", BAILIWICK_MODEL: "m" }, /not a URL: nowhere/],
  [{ BAILIWICK_MODEL: "m" }, /Say where the model is/],
  [{ PORT: "http" }, /PORT is "http"/],
  [{ PORT: "70000" }, /65535/],
  [{ DESK_DEMO_PACE: "slow" }, /DESK_DEMO_PACE/],
  [{ DESK_APPROVAL_LIMIT: "-1" }, /DESK_APPROVAL_LIMIT/],
])("the setting %j is refused with the remedy", (env, message) => {
  expect(() => readSettings(env)).toThrow(message);
});
