import type { Option } from "./option_kinds.ts";

/** The options about releases of the program itself. */
export const RELEASE_OPTIONS = {
  from: {
    kind: "text",
    value: "URL",
    group: "running",
    summary: "Folder of the newest release, https://; no other host is asked",
  },
} as const satisfies Record<string, Option>;
