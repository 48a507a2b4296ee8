/** What the page shows: the form for a new run, the recorded run, the list of runs (where it is not beside), or a run. */
export type PageRoute = { at: "new" } | { at: "demo" } | { at: "list" } | { at: "run"; id: string };

/** Reads the part of the address behind `#`. */
export function readRoute(hash: string): PageRoute {
  const path = hash.replace(/^#/, "");
  if (path === "/runs") return { at: "list" };
  if (path === "/demo") return { at: "demo" };
  const [, id] = /^\/runs\/([^/]+)$/.exec(path) ?? [];
  if (id === undefined) return { at: "new" };
  try {
    return { at: "run", id: decodeURIComponent(id) };
  } catch {
    return { at: "new" };
  }
}

/** Writes the address of a run. */
export function runAddress(id: string): string {
  return `#/runs/${encodeURIComponent(id)}`;
}
