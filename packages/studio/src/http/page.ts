import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Context } from "hono";

/** Folder of the built page; the same from the sources and from the built package. */
const folder = new URL("../dist/web/", new URL("../", import.meta.url));
const bundled = new URL("./web/", import.meta.url);

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
}

const zip = promisify(gzip);

/** The page cannot load anything from other hosts, run text as code, or be shown in another page's frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Serves the files of the page; each is read once. */
export function pageFiles(): (context: Context, name: string) => Promise<Response> {
  const files = new Map<string, Promise<PageFile | undefined>>();
  return async (context, name) => {
    if (!files.has(name)) {
      const reading = readPageFile(name);
      files.set(name, reading);
      // Not remembered, so that a page that is built later is found.
      if ((await reading) === undefined) files.delete(name);
    }
    const file = await files.get(name);
    if (file === undefined)
      return name === "index.html" ? notBuilt(context) : context.text("There is no such file.", 404);
    const zipped = /\bgzip\b/u.test(context.req.header("accept-encoding") ?? "");
    return new Response(zipped ? file.zipped : file.bytes, {
      headers: {
        "content-type": file.type,
        ...(zipped && { "content-encoding": "gzip" }),
        vary: "accept-encoding",
        "cache-control": name === "index.html" ? "no-store" : "public, max-age=31536000, immutable",
        ...safeHeaders,
      },
    });
  };
}

/** Headers of every answer. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

async function readPageFile(name: string): Promise<PageFile | undefined> {
  const extension = name.split(".").at(-1) ?? "";
  const type = types[extension];
  if (type === undefined || !/^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/u.test(name)) return undefined;
  const root = await rootOf();
  try {
    const bytes = new Uint8Array(await readFile(new URL(name, root)));
    return { type, bytes, zipped: new Uint8Array(await zip(bytes)) };
  } catch {
    return undefined;
  }
}

async function rootOf(): Promise<URL> {
  const built = await readdir(bundled).catch(() => undefined);
  return built === undefined ? folder : bundled;
}

function notBuilt(context: Context): Response {
  return context.text(
    `The page of the studio is not built: ${fileURLToPath(folder)} is missing. In the repository, run pnpm --filter @bailiwick/studio build.`,
    503,
  );
}
