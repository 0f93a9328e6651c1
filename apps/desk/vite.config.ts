import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // The page is built from the source of this repository's packages, so it needs no build before it.
  resolve: { conditions: ["@bailiwick/source", "module", "browser", "development|production"] },
  build: { outDir: "dist/page", emptyOutDir: true, sourcemap: false },
  // `vite` alone serves the page with hot reload; the desk's server answers behind it.
  server: { proxy: { "/api": "http://127.0.0.1:4310" } },
});
