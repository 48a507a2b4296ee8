import type { ErrorInfo } from "../../../schemas/error.ts";

/** Returns the function that words a failure of a tool that reaches the network: `[WebFetch] …`. */
export function webErrorText(tool: string): (error: ErrorInfo) => string {
  return ({ message }) => `[${tool}] ${message}`;
}
