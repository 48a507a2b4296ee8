/** Variable of the user that names the browser. */
export const CHROMIUM_VARIABLE = "BULKHEAD_CHROMIUM";

/** Names of browsers that speak the protocol, in the order in which they are looked for. */
const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "chrome-headless-shell",
  "microsoft-edge",
];

/** A browser of this machine. */
export interface FoundChromium {
  /** Its absolute path, or the name that the user gave. */
  path: string;
  /** The user named it. */
  named: boolean;
}

/**
 * Finds the browser that is used: the one that {@linkcode CHROMIUM_VARIABLE} names, else one of the usual names.
 *
 * @param find Returns the absolute path of a program, `null` if there is none
 * @returns `null` if there is none
 */
export function findChromium(
  env: Readonly<Record<string, string>>,
  find: (name: string) => string | null,
): FoundChromium | null {
  const own = env[CHROMIUM_VARIABLE]?.trim() ?? "";
  if (own !== "") {
    const path = own.includes("/") ? own : find(own);
    return path === null ? null : { path, named: true };
  }
  for (const name of NAMES) {
    const path = find(name);
    if (path !== null) return { path, named: false };
  }
  return null;
}
