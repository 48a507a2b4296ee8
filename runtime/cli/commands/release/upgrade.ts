import { ToolError } from "../../../../schemas/error.ts";
import { VERSION } from "../../../self/version.ts";
import { newestRelease } from "../../../self/release/newest_release.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, print } from "../../io/io.ts";

/** Where releases are, if no option says it. */
const VARIABLE = "BULKHEAD_RELEASE_URL";
const NEWER = 1;

/** `upgrade --check`: says whether there is a newer version. Exit code 1 if so, 0 if not. It changes nothing. */
export async function upgradeCommand({ options }: Invocation, io: Io): Promise<number> {
  if (!options.check) {
    throw new ToolError(
      "invalid_input",
      "bulkhead does not replace itself: pass --check to learn of a newer version, and install that as you did this one",
    );
  }
  const from = options.from ?? io.env(VARIABLE);
  if (!from) {
    throw new ToolError(
      "invalid_input",
      `It is not known where releases are: name the folder of the newest one with --from URL, or set ${VARIABLE}`,
    );
  }
  const { version, newer, url } = await newestRelease(from, { than: VERSION, signal: io.interrupt });
  const text = newer
    ? `bulkhead ${version} is there, and this is ${VERSION}: see ${onOneLine(url)}\n`
    : `bulkhead ${VERSION} is the newest version\n`;
  await print(io, options.json ? jsonLine({ version: VERSION, newest: version, newer, url }) : text);
  return newer ? NEWER : 0;
}
