import { assert, assertEquals } from "@std/assert";

import { attackTests, read, write } from "./attack.ts";

attackTests(14, [
  {
    id: "14-20",
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
]);
