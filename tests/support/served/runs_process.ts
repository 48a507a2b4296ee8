// A server's runs in a process of their own, which a test kills: WORKSPACE URL, then a prompt a line; prints their ids.
import { join } from "@std/path";

import { servedRuns } from "./served_runs.ts";

const [path = "", url = ""] = Deno.args;
const runs = servedRuns({ path, at: (name) => join(path, name) }, url, { maxRuns: 1 });
for (const prompt of ["One", "Two"]) console.log((await runs.start({ prompt })).id);
// It ends only by being killed.
setInterval(() => {}, 1_000);
