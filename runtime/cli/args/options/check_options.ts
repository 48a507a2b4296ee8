import type { Option } from "./option_kinds.ts";

/** The options with which a command looks closer: at what a program said, at what there is besides this program. */
export const CHECK_OPTIONS = {
  check: {
    kind: "flag",
    group: "running",
    summary: "A program that ends with a code other than 0 is a failure of its call",
    says: { upgrade: "Look, and change nothing" },
  },
  from: {
    kind: "text",
    value: "URL",
    group: "running",
    summary: "Folder of the newest release, https://; no other host is asked",
  },
} as const satisfies Record<string, Option>;
