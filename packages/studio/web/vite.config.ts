import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Addresses are relative: the studio may be mounted anywhere.
  base: "./",
  plugins: [react()],
  // The page is built from the source of this repository's packages, so it needs no build before it.
  resolve: { conditions: ["@bailiwick/source", "module", "browser", "development|production"] },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    sourcemap: false,
    // The content security policy would refuse an image that is inlined in a style sheet.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
