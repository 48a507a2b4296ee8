// A server's runs in a process of their own, which a test kills: WORKSPACE URL; prints the ids of two runs.
import { join } from "@std/path";

import { servedRuns } from "./served_runs.ts";

const [path = "", url = ""] = Deno.args;
const runs = servedRuns({ path, at: (name) => join(path, name) }, url, { maxRuns: 1 });
for (const prompt of ["One", "Two"]) {
  const { id } = await runs.start({ prompt });
  Deno.stdout.writeSync(new TextEncoder().encode(`${id}\n`));
}
// It ends only by being killed.
setInterval(() => {}, 1_000);
