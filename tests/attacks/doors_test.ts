import { assert, assertEquals } from "@std/assert";

import { attackTests, read, write } from "./attack.ts";

const CALL = ["call", "calculator", "expression=1"];

attackTests(14, [
  {
    id: "14-20",
    quick: true,
    title: "a file with the name of a temporary one: seen by searches, and not removed by a write beside it",
    files: { "ws/.bulkhead-1a2b3c4d-5e6f7a8b.tmp": "mark\n", "ws/.bulkhead-notes.tmp": "mark\n" },
    setup: "touch -d '2 days ago' .bulkhead-*",
    calls: [
      ...[".bulkhead-1a2b3c4d-5e6f7a8b.tmp", ".bulkhead-notes.tmp"].flatMap((name) => [
        { tool: "Grep", arguments: { path: "<at>", pattern: "mark" }, refusal: "ok" as const, says: name },
        { tool: "Glob", arguments: { path: "<at>", pattern: "**/*" }, refusal: "ok" as const, says: name },
        {
          tool: "par/grep",
          arguments: { path: "<at>", pattern: "mark" },
          refusal: "ok" as const,
          says: name,
        },
        ...read(`<at>/${name}`, "ok"),
      ]),
      ...write("<at>/new", "x", "ok"),
    ],
    after: "test $(cat .bulkhead-*.tmp | grep -c mark) = 2",
  },
  {
    id: "14-21",
    title: "a second configuration file of the project",
    files: {
      "ws/.bulkhead/config.json": '{"policy":"read-only"}',
      "ws/bulkhead.json": '{"policy":"read-only-no-net"}',
    },
    async act(place) {
      const { code, stderr } = await place.run(["call", "Write", "path=x", "content=x", ...place.flags]);
      assertEquals(code, 3, stderr);
      assert(stderr.includes("not read, because there is"), stderr);
    },
    absent: ["x"],
  },
  {
    id: "14-22",
    title: "a hook of the user's in the workspace, changed by a call",
    files: {
      "ws/hook.sh": "#!/bin/sh\nexit 0\n",
      "ws/config.json": '{"hooks":{"before":[["<ws>/hook.sh"],["/bin/sh","<ws>/hook.sh"]]}}',
    },
    setup: 'chmod 755 hook.sh; sed -i "s#<ws>#$PWD#g" config.json',
    alone: true,
    flags: ["--config", "<ws>/config.json"],
    calls: [
      ...write("hook.sh", "#!/bin/sh\ntouch planted\n"),
      {
        tool: "Bash",
        arguments: { command: "echo touch planted >> hook.sh; mv hook.sh other; rm -f hook.sh" },
      },
      { tool: "calculator", arguments: { expression: "1" }, refusal: "ok" },
    ],
    unchanged: ["hook.sh"],
    absent: ["planted"],
  },
  {
    id: "14-23",
    title: "a hook, bubblewrap and prlimit from folders of PATH that calls, or everybody, can write",
    files: { "ws/bin/keep": "", "outside/open/keep": "" },
    setup: "for d in bin <outside>/open; do for p in bwrap prlimit hook-14-23; do " +
      "printf '#!/bin/sh\\ntouch <ws>/planted\\nexit 0\\n' > $d/$p; chmod 755 $d/$p; done; done; chmod 777 <outside>/open; " +
      'echo \'{"hooks":{"before":[["hook-14-23"]]}}\' > config.json',
    async act(place) {
      const PATH = `${place.ws}/bin:${place.outside}/open:/usr/bin:/bin`;
      await place.run([...CALL, ...place.flags], { env: { PATH } });
      const { code, stderr } = await place.run([...CALL, "--config", "config.json", ...place.flags], {
        env: { PATH },
      });
      assertEquals(code, 6, stderr);
      assert(stderr.includes("calls can write there"), stderr);
      const told = await place.run(["doctor"], { env: { PATH } });
      assert(told.stdout.replace(/\s+/g, " ").includes("calls can write there"), told.stdout);
    },
    absent: ["planted"],
  },
]);
