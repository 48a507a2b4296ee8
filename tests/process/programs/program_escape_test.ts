import { assert, assertEquals } from "@std/assert";

import { OFFLINE_VARIABLES } from "../../../runtime/programs/network/offline_variables.ts";
import { boxTest } from "../../support/box.ts";
import {
  all,
  type Attack,
  attackFiles,
  POWER_ATTACKS,
  type Prey,
  readingAttacks,
  results,
  TRY_ALL,
  writingAttacks,
} from "../../support/cli/attacks.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";
import { snapshot } from "../../support/cli/snapshot.ts";
import { said, SURFACE_CONFIG, SURFACES } from "../../support/cli/surfaces.ts";

const SECRET = "hunter2-do-not-show";
const TOKEN = "planted-0123456789abcdef";
const ENV = { PLANTED_SECRET_TOKEN: TOKEN };
const STILL_HERE = { tool: "Bash", arguments: { command: "echo still here" } };

/** What lies around the workspace. */
const OUTSIDE = {
  "outside/secret.txt": `${SECRET}\n`,
  "outside/append.txt": "kept\n",
  "outside/remove.txt": "kept\n",
  "outside/move.txt": "kept\n",
  "home/.ssh/id_rsa": `${SECRET}\n`,
  "home/.bashrc": "kept\n",
  "config.json": SURFACE_CONFIG,
  "state/bulkhead/here": "",
};

function preyOf(scene: Scene): Prey {
  return { outside: scene.at("outside"), home: scene.at("home"), secret: SECRET, token: TOKEN };
}

function plant(scene: Scene, attacks: readonly Attack[]): void {
  for (const [name, content] of Object.entries(attackFiles(attacks))) scene.write(name, content);
}

/** Everything of a scene but the workspace and what bulkhead itself keeps. */
function surroundings(scene: Scene): Record<string, string> {
  const own = [scene.ws, scene.at("state"), scene.at("audit.jsonl")];
  return Object.fromEntries(
    Object.entries(snapshot(scene.root)).filter(([path]) => !own.some((start) => path.startsWith(start))),
  );
}

function expectNothingPlanted(): void {
  const found = ["/usr/bin", "/etc", "/"].filter((folder) =>
    [...Deno.readDirSync(folder)].some(({ name }) => name === "bulkhead-planted")
  );
  assertEquals(found, []);
}

Deno.test("without walls, every attack is a way out", async () => {
  using scene = makeScene(OUTSIDE);
  const attacks = [...readingAttacks(preyOf(scene)), ...writingAttacks(preyOf(scene))];
  plant(scene, attacks);
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", `${TRY_ALL} ${SECRET}`],
    cwd: scene.ws,
    env: ENV,
  }).output();
  assertEquals(results(new TextDecoder().decode(stdout)), all("BREACHED", attacks));
});

for (const { name, calls } of SURFACES) {
  boxTest(`no command leads out of the box, by ${name}`, async () => {
    using scene = makeScene(OUTSIDE);
    const attacks = [...readingAttacks(preyOf(scene)), ...writingAttacks(preyOf(scene)), ...POWER_ATTACKS];
    plant(scene, attacks);
    const before = surroundings(scene);
    const { answers, stderr } = await scene.batch(
      [...calls(TRY_ALL), STILL_HERE],
      ["--config", scene.at("config.json"), "--audit", scene.at("audit.jsonl")],
      { env: ENV },
    );
    const told = said(answers.slice(0, -1));
    assertEquals(results(told), all("refused", attacks), told);
    assertEquals([answers.at(-1)!.text, stderr], ["exit_code: 0\nstdout:\nstill here\n", ""]);
    assertEquals(surroundings(scene), before);
    const kept = JSON.stringify([answers, scene.read("audit.jsonl"), snapshot(scene.at("state"))]);
    assert(!kept.includes(TOKEN) && !kept.includes(SECRET));
    expectNothingPlanted();
  });
}

boxTest("with everything granted, secrets and the machine stay out of reach", async () => {
  using scene = makeScene(OUTSIDE);
  const wanted = ["ssh-key", "environment-of-any", "command-of-any", "environment", "environment-of-shell"];
  const open = ["system-folder", "root-folder", "authorized-keys"];
  const attacks = [
    ...readingAttacks(preyOf(scene)).filter(({ name }) => wanted.includes(name)),
    ...POWER_ATTACKS.filter(({ name }) => !open.includes(name)),
  ];
  plant(scene, attacks);
  const { answers } = await scene.batch(
    [
      { tool: "Bash", arguments: { command: `${TRY_ALL}; ls -d /var/lib` } },
      STILL_HERE,
    ],
    ["-A"],
    { env: ENV },
  );
  assertEquals(results(said(answers.slice(0, 1))), all("refused", attacks), said(answers));
  // The control: all else is granted.
  assert(answers[0]!.text.endsWith("/var/lib\n"), answers[0]!.text);
  assertEquals(answers[1]!.text, "exit_code: 0\nstdout:\nstill here\n");
});

boxTest("a home that is granted keeps its secrets", async () => {
  using scene = makeScene({
    ...OUTSIDE,
    "home/.aws/credentials": SECRET,
    "home/.config/gh/hosts.yml": SECRET,
    "home/.netrc": SECRET,
    "home/notes.txt": "plain\n",
  });
  const home = scene.at("home");
  const command = `cat ${home}/notes.txt; grep -rs hunter2 ${home}; cp -r ${home}/.ssh key; ` +
    `tar -cf all.tar ${home}; grep -ac hunter2 all.tar; grep -rs hunter2 .; echo x >> ${home}/.bashrc`;
  for (const grant of [`--allow-read=${home}`, `--allow-read=${scene.root}`]) {
    const { answers } = await scene.batch([{ tool: "Bash", arguments: { command } }], [grant]);
    const { stdout } = answers[0]!.result as { stdout: string };
    assertEquals(stdout, "plain\n0\n", answers[0]!.text);
    assert(!JSON.stringify(answers).includes(SECRET));
    assertEquals(scene.read("home/.bashrc"), "kept\n");
  }
});

boxTest("programs see the few variables that they need, and those that the user names", async () => {
  using scene = makeScene();
  const env = {
    ...ENV,
    OTHER: "other",
    LD_PRELOAD_X: "x",
    SSH_AUTH_SOCK: "/run/agent",
    OPENAI_API_KEY: TOKEN,
    // The test's own toolchains would add theirs.
    PATH: "/usr/bin:/bin",
  };
  const names = async (flags: string[]) => {
    const { answers } = await scene.batch(
      [{ tool: "par/bash", arguments: { argv: ["env", "-0"] } }],
      flags,
      { env },
    );
    const { stdout } = answers[0]!.result as { stdout: string };
    return stdout.split("\0").filter((line) => line !== "").map((line) => line.split("=")[0]!).sort();
  };
  const offline = Object.keys(OFFLINE_VARIABLES);
  const usual = ["GIT_TERMINAL_PROMPT", "HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR"];
  const seen = await names([]);
  assertEquals(seen.filter((name) => !["LC_ALL", "TZ", "USER", ...offline].includes(name)), usual);
  assertEquals(new Set(offline).isSubsetOf(new Set(seen)), true);
  assertEquals(await names(["--allow-env=OTHER"]), [...seen, "OTHER"].sort());
});
