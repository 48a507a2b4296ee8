import { VERSION } from "../../../self/version.ts";
import { type Io, print } from "../../io/io.ts";
import { jsonLine } from "../../../text/json_line.ts";
import type { Invocation } from "../../args/parse_argv.ts";

/** `version`: the program's, and with `--json` also those of what it runs on. */
export async function printVersion({ options }: Invocation, io: Io): Promise<number> {
  const { deno, v8 } = Deno.version;
  const all = { version: VERSION, deno, v8, target: Deno.build.target, compiled: Deno.build.standalone };
  await print(io, options.json ? jsonLine(all) : `bulkhead ${VERSION}\n`);
  return 0;
}
