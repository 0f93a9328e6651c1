import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPage as buildFresh, buildStudioPage } from "../../../packages/studio/test/build-page.fixture.ts";

const app = fileURLToPath(new URL("..", import.meta.url));

/** Builds the desk's page and the studio's, each unless it is newer than its sources. */
export async function buildPage(): Promise<void> {
  await buildFresh({
    folder: app,
    built: join(app, "dist", "page"),
    config: "vite.config.ts",
    sources: ["src", "index.html", "vite.config.ts", "package.json"],
  });
  await buildStudioPage();
}
