#!/usr/bin/env node
// The first file that runs. Written for any Node, including old ones: it reads the version before
// it loads files that an old Node cannot parse.
"use strict";
var needed = [22, 20];
var version = process.versions.node.split(".");
var major = Number(version[0]);
var minor = Number(version[1]);
if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  require("./start.cjs");
} else {
  console.error(
    "create-bailiwick needs Node " +
      needed.join(".") +
      " or newer, and this is Node " +
      process.versions.node +
      ".\n" +
      "Install a current Node from https://nodejs.org, or with a version manager: nvm install 24",
  );
  process.exitCode = 1;
}
