import type { Io } from "./io.ts";

/** What decides on colors beside the environment. */
export interface ColorWish {
  /** `--no-color`. @default false */
  noColor?: boolean | undefined;
  /** The text goes to a terminal. */
  isTerminal: boolean;
}

/** Says whether a text for a person gets colors. Needs `env`, only now. */
export function wantsColors(io: Io, { noColor = false, isTerminal }: ColorWish): boolean {
  if (noColor || io.env("NO_COLOR")) return false;
  return (isTerminal && io.env("TERM") !== "dumb") || isForced(io.env("FORCE_COLOR"));
}

function isForced(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
