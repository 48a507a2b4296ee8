import type { Mutation } from "../mutation.ts";

/** Of the browser, the desktop and pages. */
export const SCREENS: readonly Mutation[] = [
  {
    id: "browser-loopback-bypass",
    file: "runtime/browser/chromium_words.ts",
    find: '    "--proxy-bypass-list=<-loopback>",\n',
    replace: "",
    promise: "pages reach this machine by the gate alone",
    caughtBy: ["tests/unit/runtime/browser/chromium_words_test.ts"],
  },
  {
    id: "browser-schemes",
    file: "runtime/browser/reached.ts",
    find: 'const SCHEMES = ["http:", "https:", "data:"];',
    replace: 'const SCHEMES = ["http:", "https:", "data:", "file:"];',
    promise: "the browser opens no files",
    caughtBy: ["tests/unit/runtime/browser/reached_test.ts"],
  },
  {
    id: "browser-password-in-url",
    file: "runtime/browser/reached.ts",
    find: 'if (username !== "" || password !== "") {',
    replace: 'if (username === "" && password !== "") {',
    promise: "the browser opens no address with a password",
    caughtBy: ["tests/unit/runtime/browser/reached_test.ts"],
  },
  {
    id: "browser-unreached",
    file: "runtime/browser/reached.ts",
    find: 'own.some(({ decision }) => decision === "allowed")) return null;',
    replace: 'own.some(({ decision }) => decision !== "refused")) return null;',
    promise: "a host that failed is told",
    caughtBy: ["tests/unit/runtime/browser/reached_test.ts"],
  },
];
