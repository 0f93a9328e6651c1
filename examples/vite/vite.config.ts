import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // The packages of this repository are linked: there is one React, this example's.
  resolve: { dedupe: ["react", "react-dom", "ai", "@ai-sdk/react"] },
  server: { proxy: { "/api": "http://127.0.0.1:3000" } },
});
