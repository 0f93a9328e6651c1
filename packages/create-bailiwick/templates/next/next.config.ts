import type { NextConfig } from "next";

const config: NextConfig = {
  // They run in Node as they are: an agent's store and sandboxes start threads and processes.
  serverExternalPackages: [
    "@bailiwick/agent",
    "@bailiwick/core",
    "@bailiwick/providers-openai",
    "@bailiwick/security",
    "@bailiwick/server",
    "@bailiwick/store-sqlite",
    "@napi-rs/keyring",
  ],
};

export default config;
