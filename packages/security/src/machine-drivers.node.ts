/** Sandboxes that a machine with Node gives; no bundle for a browser or an edge worker has them. */
export { examine } from "./sandbox/doctor/examine.ts";
export { macosDriver } from "./sandbox/os/macos/macos-driver.ts";
export { osDriver } from "./sandbox/os/os-driver.ts";
export { processDriver } from "./sandbox/process/process-driver.ts";
