import { defineConfig, type BailiwickConfig } from "bailiwick";
import { desk } from "./src/desk.ts";

const config: BailiwickConfig = defineConfig({ agents: [desk] });
export default config;
