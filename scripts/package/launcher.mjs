#!/usr/bin/env node
// Starts the program for this system, which a package of its own brought, and hands on streams, signals and exit code.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { isatty } from "node:tty";

const system = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "bulkhead.exe" : "bulkhead";
const SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGCONT", "SIGWINCH"];
/** A terminal sends these to the program as well. */
const FROM_TERMINAL = ["SIGINT", "SIGQUIT", "SIGWINCH"];

function say(message) {
  process.stderr.write(`${message}\n`);
}

let program;
try {
  program = createRequire(import.meta.url).resolve(`@bulkhead/${system}/${file}`);
} catch {
  say(
    `bulkhead: the package @bulkhead/${system} is not installed: either there is no program for this system, ` +
      "or npm left optional packages out; install it with: npm install --include=optional bulkhead",
  );
  process.exit(6);
}
// Heard before the program runs: none of them may end this process alone.
const atTerminal = [0, 1, 2].some(isatty);
if (process.platform !== "win32") {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!(atTerminal && FROM_TERMINAL.includes(signal))) child.kill(signal);
    });
  }
} else {
  process.on("SIGINT", () => {});
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", ({ message }) => {
  say(`bulkhead: ${program} cannot be started: ${message}`);
  process.exit(6);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const name of SIGNALS) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // It may be one that does not end a process.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
});
