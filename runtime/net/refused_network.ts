import { ToolError } from "../../schemas/error.ts";

/** Returns what tells the user which flag is missing, where Deno refused this process the network; else the error itself. */
export function orRefusedNetwork(error: unknown): unknown {
  if (!(error instanceof Deno.errors.NotCapable)) return error;
  return new ToolError(
    "permission_denied",
    "Cannot reach the network: Deno was started without --allow-net, or with a list of hosts",
    { details: { kind: "net", target: "", flag: "--allow-net", flags: [] }, cause: error },
  );
}
