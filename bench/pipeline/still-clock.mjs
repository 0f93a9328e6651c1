/**
 * Stops the clock, for counts: runs yield after 2 ms by the clock, and a turn under valgrind takes longer. Load it
 * with `--import`, before the code under test takes its copies of these functions.
 */
performance.now = () => 1_000;
Date.now = () => 1_700_000_000_000;
