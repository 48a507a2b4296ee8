// Makes dist/bulkhead-VERSION.tgz, a package for npm and Deno: the bundled program, its modules, and their types.
//   deno task package [--output FILE]
import { parseArgs } from "node:util";
import { fromFileUrl, join, resolve } from "@std/path";

import config from "../deno.json" with { type: "json" };
import { makePackage } from "./package/make_package.ts";

const root = fromFileUrl(new URL("..", import.meta.url));
const { values } = parseArgs({
  args: Deno.args,
  options: { output: { type: "string", default: join(root, "dist", `bulkhead-${config.version}.tgz`) } },
});
const output = resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), values.output);
await Deno.mkdir(join(output, ".."), { recursive: true });
await makePackage({ root, config, output });
