/** The modules that workers start with, in `runtime/entries/`; the bundle consists of these and `main.ts`. */
export const ENTRIES = [
  "room",
  "thread",
  "model",
  "schema_check",
  "foreign_text",
  "gate",
  "mcp",
  "server",
  "mcp_client",
  "login_return",
  "browser",
  "desktop",
  "traces",
  "queue",
  "release",
] as const;

/** Returns where an entry lies: beside this folder, or in the bundle below the chunk that this code is in. */
export function entryUrl(name: typeof ENTRIES[number]): URL {
  const path = import.meta.url.endsWith(".ts") ? `../entries/${name}.ts` : `./runtime/entries/${name}.js`;
  return new URL(path, import.meta.url);
}

/** URL of the program's main module: rooms are processes of it. */
export const MAIN_URL: string =
  new URL(import.meta.url.endsWith(".ts") ? "../../main.ts" : "./main.js", import.meta.url).href;
