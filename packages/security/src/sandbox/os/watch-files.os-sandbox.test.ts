import { afterEach, expect, test, vi } from "vitest";
import { watchFiles } from "./watch-files.ts";

afterEach(() => void vi.useRealTimers());

test("the files of this machine do not count while the first process still has our root [sandbox.os.files]", () => {
  vi.useFakeTimers();
  const onExcess = vi.fn();
  // This process has our root, and our file system has more than one file.
  const stop = watchFiles(process.pid, 4_096, onExcess);
  vi.advanceTimersByTime(1_000);
  stop();
  expect(onExcess).not.toHaveBeenCalled();
});
