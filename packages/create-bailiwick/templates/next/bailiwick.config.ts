import { defineConfig, type BailiwickConfig } from "bailiwick";
import { openDesk } from "./src/desk.ts";

const config: BailiwickConfig = defineConfig({ agents: [openDesk().agent] });
export default config;
