import { assert, assertEquals } from "@std/assert";

import { type Attack, attackTests } from "./attack.ts";

const CALL = ["call", "Read", "path=a"];

/** The binary is made with Deno 2.6. */
const BLIND = Deno.env.get("BULKHEAD_BIN") !== undefined;

/** Runs the program with bytes that Deno cannot give to it. */
const shell = (script: string) => ["/bin/bash", "-c", `${script}; exec "$@"`, "-"];

/** What a run stands in, with bytes that are not UTF-8. */
const SURROUNDINGS: readonly { id: string; title: string; script: string; says: string }[] = [
  ["11-40", "HOME"],
  ["11-41", "PATH"],
  ["11-42", "LANG"],
  ["11-43", "USER"],
  ["11-44", "XDG_STATE_HOME"],
  ["11-45", "XDG_CONFIG_HOME"],
  ["11-46", "OPENAI_API_KEY"],
].map(([id, name]) => ({
  id: id!,
  title: `the variable ${name} is not UTF-8`,
  script: `export ${name}=$'${name === "PATH" ? "/usr/bin:/bin:" : ""}/x\\xff'`,
  says: `the variable ${name}`,
}));

attackTests(11, [
  ...SURROUNDINGS.map(({ id, title, script, says }): Attack => ({
    id,
    title,
    files: { "ws/a": "text" },
    async act(place) {
      const { code, stderr } = await place.run([...CALL, ...place.flags], { before: shell(script) });
      assertEquals(code, 6, stderr);
      assert(stderr.includes(`${says}: it is not UTF-8`), stderr);
      assert(!/ {4}at |panicked/.test(stderr), stderr);
    },
    unchanged: ["."],
  })),
  {
    id: "11-47",
    title: "the folder of the user is not UTF-8",
    files: { "ws/a": "text" },
    setup: "mkdir $'d\\xff'",
    async act(place) {
      const before = shell(`cd $'d\\xff'; [ -z "$INIT_CWD" ] || export INIT_CWD=$PWD`);
      const { code, stderr } = await place.run([...CALL, ...place.flags], { before });
      assertEquals(code, 6, stderr);
      assert(stderr.includes("not UTF-8"), stderr);
      assert(!/ {4}at |panicked/.test(stderr), stderr);
    },
  },
  {
    id: "11-48",
    title: "tools that list and search tell what they leave out",
    ...BLIND && { open: "Deno 2.6 shows no entry whose name is not UTF-8, so that no tool can count it" },
    setup: "printf word > $'caf\\xe9'; mkdir $'d\\xff'; printf word > $'d\\xff/in'",
    calls: [
      { tool: "Glob", arguments: { pattern: "**/*", path: "<at>" } },
      { tool: "Grep", arguments: { pattern: "word", path: "<at>" } },
      { tool: "par/find", arguments: { pattern: "*", path: "<at>" } },
      { tool: "par/grep", arguments: { pattern: "word", path: "<at>" } },
      { tool: "par/ls", arguments: { path: "<at>" } },
    ].map((call) => ({
      ...call,
      refusal: "ok" as const,
      ...!BLIND && { says: "Left out 2 entries whose names are not UTF-8" },
    })),
    unchanged: ["."],
  },
]);
