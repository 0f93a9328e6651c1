import { expect, test } from "vitest";
import { BailiwickError, ConfigurationError } from "../index.ts";
import { docsAddress } from "./docs-address.ts";

test("each error has the URL of its page, separate from its message", () => {
  const error = new ConfigurationError("UNKNOWN_OPTION", "There is no such option.");
  expect(error.docs).toBe(`${docsAddress}/errors/UNKNOWN_OPTION`);
  expect(error.message).not.toContain(docsAddress);
  // A copy of the error, such as one in a journal, has only the code: the address follows the version that reads it.
  expect(Object.keys(error)).not.toContain("docs");
  expect(new BailiwickError("RUN_BUSY", "Busy.").docs).toContain("RUN_BUSY");
});
