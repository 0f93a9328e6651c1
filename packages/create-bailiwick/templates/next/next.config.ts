import type { NextConfig } from "next";

const config: NextConfig = {
  // These packages are not bundled: an agent's store and sandboxes start threads and processes.
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
