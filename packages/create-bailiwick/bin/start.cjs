// Loads the command line once the version of Node is known to be supported.
"use strict";
import("#main").then(
  function (main) {
    return main.start();
  },
  function (error) {
    console.error("create-bailiwick could not be loaded. Run it again: npm create bailiwick@latest\n" + error.message);
    process.exitCode = 1;
  },
);
