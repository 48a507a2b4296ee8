// Makes dist/bulkhead-VERSION.tgz, a package for npm and Deno: the bundled program, its modules, and their types.
//   deno task package [--output FILE]
import { parseArgs } from "node:util";
import { fromFileUrl, join, resolve } from "@std/path";

import config from "../deno.json" with { type: "json" };
import { ENTRIES } from "../runtime/self/entry_urls.ts";
import { bundle } from "./compile/bundle.ts";
import { packageJson } from "./package/package_json.ts";
import { writeTypes } from "./package/write_types.ts";

const root = fromFileUrl(new URL("..", import.meta.url));
const { values } = parseArgs({
  args: Deno.args,
  options: { output: { type: "string", default: join(root, "dist", `bulkhead-${config.version}.tgz`) } },
});
const output = resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), values.output);
const staging = await Deno.makeTempDir({ prefix: "bulkhead-package-" });
try {
  const folder = join(staging, "package");
  const modules = Object.values(config.exports);
  const entries = ENTRIES.map((name) => `runtime/entries/${name}.ts`);
  await bundle(root, ["main.ts", ...modules, ...entries], join(folder, "program"));
  await writeTypes(root, join(folder, "types"));
  await Deno.writeTextFile(join(folder, "package.json"), `${JSON.stringify(packageJson(config), null, 2)}\n`);
  await Deno.copyFile(join(root, "scripts/package/package_page.md"), join(folder, "README.md"));
  await Deno.copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
  await Deno.mkdir(join(output, ".."), { recursive: true });
  // The same files make the same archive.
  await run("tar", [
    ...["--create", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"],
    ...["--mode=u=rwX,go=rX", "--use-compress-program=gzip -n", `--file=${output}`, "package"],
  ]);
} finally {
  await Deno.remove(staging, { recursive: true });
}

async function run(program: string, args: string[]): Promise<void> {
  const { success, code } = await new Deno.Command(program, { args, cwd: staging, stdout: "inherit" })
    .output();
  if (!success) throw new Error(`${program} failed with exit code ${code}`);
}
