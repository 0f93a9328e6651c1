import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The browser that `*.browser.test.ts` files drive. */
    readonly chromium: string;
    /** The folder of recorded vendor answers that `*.wire-recordings.test.ts` files read. */
    readonly wireRecordings: string;
  }
}
