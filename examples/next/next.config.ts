import type { NextConfig } from "next";
import { fileURLToPath } from "node:url";

const config: NextConfig = {
  // They run in Node as they are: an agent's store and sandboxes start threads and processes.
  serverExternalPackages: [
    "@bailiwick/agent",
    "@bailiwick/security",
    "@napi-rs/keyring",
    "@bailiwick/core",
    "@bailiwick/providers-openai",
    "@bailiwick/server",
    "@bailiwick/store-sqlite",
  ],
  // The packages of this repository are linked: they are outside of the example's folder.
  turbopack: { root: fileURLToPath(new URL("../../", import.meta.url)) },
};

export default config;
