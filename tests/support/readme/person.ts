import { dirname, join } from "@std/path";

import { EVERYBODY } from "../../attacks/frame/user.ts";
import { ROOT } from "./readme.ts";

/** Somebody at a shell, with a home below /home where that can be made, and the folder of the demo in it. */
export interface Person extends AsyncDisposable {
  home: string;
  shop: string;
  /** Hands all that was written in the home to its owner. */
  own(): Promise<void>;
  /** Runs a script in bash, in the shop, with stdout and stderr together. */
  bash(script: string, env?: Record<string, string>): Promise<{ code: number; output: string }>;
}

/** Makes an ordinary user, if root runs the tests. */
export async function makePerson(): Promise<Person> {
  const user = EVERYBODY.at(-1)!;
  const { program, denoDir } = await user.prepare();
  const home = Deno.realPathSync(await Deno.makeTempDir({ ...homes(), prefix: "bulkhead-person-" }));
  const shop = join(home, "shop");
  await copyFolder(join(ROOT, "scripts/demo"), shop);
  await Deno.mkdir(join(home, "bin"));
  const command = program.map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(join(home, "bin/bulkhead"), `#!/bin/sh\nexec ${command} "$@"\n`);
  await Deno.chmod(join(home, "bin/bulkhead"), 0o755);
  await Deno.chmod(home, 0o755);
  const own = async () => {
    if (user.id === null) return;
    await new Deno.Command("chown", { args: ["-R", `${user.id}:${user.id}`, home] }).output();
  };
  await own();
  return {
    ...{ home, shop, own },
    async bash(script, env = {}) {
      const [name = "", ...args] = [...user.before, "/bin/bash", "-c", `exec 2>&1\n${script}`];
      const { code, stdout } = await new Deno.Command(name, {
        args,
        cwd: shop,
        clearEnv: true,
        env: {
          ...{
            HOME: home,
            INIT_CWD: shop,
            NO_COLOR: "1",
            LC_ALL: "C",
            DENO_DIR: denoDir,
            DENO_NO_UPDATE_CHECK: "1",
          },
          ...env,
          PATH: `${join(home, "bin")}:${env.PATH ?? Deno.env.get("PATH")}`,
        },
        stdin: "null",
      }).output();
      return { code, output: new TextDecoder().decode(stdout) };
    },
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

/** Only root makes folders beside other homes. */
function homes(): { dir?: string } {
  const home = dirname(`${Deno.env.get("HOME")}/x`);
  if (Deno.uid() === 0) return { dir: "/home" };
  return home.startsWith("/home/") ? { dir: home } : {};
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}
