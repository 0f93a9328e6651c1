// Loads the command line once the version of Node is known to be supported.
"use strict";
// Keeps the compiled modules for the next command. NODE_DISABLE_COMPILE_CACHE=1 turns it off.
require("node:module").enableCompileCache();
import("#main").then(
  function (main) {
    return main.start();
  },
  function (error) {
    console.error("bailiwick could not be loaded. Install it again: npm install bailiwick\n" + error.message);
    process.exitCode = 1;
  },
);
