import { assertEquals } from "@std/assert";

import planning from "../../../../tools/manus/planning.ts";
import { workspace } from "../../../support/run_tool.ts";

const BASIC = `Plan: Ship it (ID: p1)
=======================

Progress: 0/3 steps completed (0.0%)
Status: 0 completed, 0 in progress, 0 blocked, 3 not started

Steps:
0. [ ] build
1. [ ] test
2. [ ] release
`;

/** Makes calls in turn, in one session, and returns what the model sees of the last. */
async function seeLast(...calls: Record<string, unknown>[]): Promise<string> {
  using ws = workspace();
  let text = "";
  for (const call of calls) text = (await ws.run(planning, call)).text;
  return text;
}

function create(id = "p1", steps = ["build", "test", "release"]) {
  return { command: "create", plan_id: id, title: "Ship it", steps };
}

function mark(step_index: number, more: Record<string, unknown>) {
  return { command: "mark_step", step_index, ...more };
}

for (
  const { title, calls, text } of [
    { title: "creates a plan", calls: [create()], text: `Plan created successfully with ID: p1\n\n${BASIC}` },
    { title: "shows the active plan", calls: [create(), { command: "get" }], text: BASIC },
    {
      title: "shows a plan by its id",
      calls: [create(), create("p2"), { command: "get", plan_id: "p1" }],
      text: BASIC,
    },
    {
      title: "draws each status and notes",
      calls: [
        create("p1", ["a", "b", "c", "d"]),
        mark(1, { step_status: "in_progress" }),
        mark(2, { step_status: "completed", step_notes: "done\ntoday" }),
        mark(3, { step_status: "blocked", plan_id: "p1" }),
      ],
      text: `Step 3 updated in plan 'p1'.

Plan: Ship it (ID: p1)
=======================

Progress: 1/4 steps completed (25.0%)
Status: 1 completed, 1 in progress, 1 blocked, 1 not started

Steps:
0. [ ] a
1. [→] b
2. [✓] c
   Notes: done
today
3. [!] d
`,
    },
    {
      title: "marks nothing without status and notes, and keeps notes that are empty",
      calls: [create(), mark(0, { step_notes: "n" }), mark(0, { step_notes: "" }), mark(0, {})],
      text: `Step 0 updated in plan 'p1'.\n\n${
        BASIC.replace("0. [ ] build\n", "0. [ ] build\n   Notes: n\n")
      }`,
    },
    {
      title: "keeps the status of a step that stays at its place, and of no other",
      calls: [
        create(),
        mark(0, { step_status: "completed" }),
        mark(1, { step_status: "completed", step_notes: "n" }),
        { command: "update", plan_id: "p1", title: "New", steps: ["build", "lint", "test"] },
      ],
      text: `Plan updated successfully: p1

Plan: New (ID: p1)
===================

Progress: 1/3 steps completed (33.3%)
Status: 1 completed, 0 in progress, 0 blocked, 2 not started

Steps:
0. [✓] build
1. [ ] lint
2. [ ] test
`,
    },
    {
      title: "changes nothing by an update that is empty",
      calls: [create(), { command: "update", plan_id: "p1", title: "", steps: [] }],
      text: `Plan updated successfully: p1\n\n${BASIC}`,
    },
    {
      title: "lists plans in the order in which they were made",
      calls: [create(), create("p2", ["x"]), mark(0, { step_status: "completed" }), { command: "list" }],
      text:
        "Available plans:\n• p1: Ship it - 0/3 steps completed\n• p2 (active): Ship it - 1/1 steps completed\n",
    },
    {
      title: "says that there are none",
      calls: [{ command: "list" }],
      text: "No plans available. Create a plan with the 'create' command.",
    },
    {
      title: "makes a plan the active one",
      calls: [create(), create("p2"), { command: "set_active", plan_id: "p1" }],
      text: `Plan 'p1' is now the active plan.\n\n${BASIC}`,
    },
    {
      title: "deletes a plan",
      calls: [create(), { command: "delete", plan_id: "p1" }],
      text: "Plan 'p1' has been deleted.",
    },
    {
      title: "has no active plan after that was deleted",
      calls: [create(), { command: "delete", plan_id: "p1" }, { command: "get" }],
      text: "Error: No active plan. Please specify a plan_id or set an active plan.",
    },
    {
      title: "keeps the active plan when another is deleted",
      calls: [create("p2"), create(), { command: "delete", plan_id: "p2" }, { command: "get" }],
      text: BASIC,
    },
  ]
) {
  Deno.test(`planning() ${title}`, async () => assertEquals(await seeLast(...calls), text));
}

const NAMELESS = ["create", "update", "set_active", "delete"].map((command) =>
  [{ command }, `Parameter \`plan_id\` is required for command: ${command}`] as const
);
const UNKNOWN = ["update", "get", "set_active", "mark_step", "delete"].map((command) =>
  [{ command, plan_id: "no", step_index: 0 }, "No plan found with ID: no"] as const
);

const REFUSED: readonly (readonly [call: Record<string, unknown>, words: string])[] = [
  ...NAMELESS,
  ...UNKNOWN,
  [
    { command: "create", plan_id: "p1" },
    "A plan with ID 'p1' already exists. Use 'update' to modify existing plans.",
  ],
  [{ command: "create", plan_id: "p2" }, "Parameter `title` is required for command: create"],
  ...[undefined, [], "build", [1]].map((steps) =>
    [
      { command: "create", plan_id: "p2", title: "t", steps },
      "Parameter `steps` must be a non-empty list of strings for command: create",
    ] as const
  ),
  [
    { command: "update", plan_id: "p1", title: "changed", steps: ["a", 1] },
    "Parameter `steps` must be a list of strings for command: update",
  ],
  [{ command: "mark_step" }, "Parameter `step_index` is required for command: mark_step"],
  [mark(-1, {}), "Invalid step_index: -1. Valid indices range from 0 to 2."],
  [mark(3, {}), "Invalid step_index: 3. Valid indices range from 0 to 2."],
  [create("p2", Array(501).fill("s")), "A plan has at most 500 steps, got 501"],
  [
    mark(0, { step_notes: "n".repeat(10_001) }),
    "A text of a plan has at most 10000 characters, got one of 10001: say it in short",
  ],
];

Deno.test("planning() changes nothing by a call that it refuses", async () => {
  using ws = workspace();
  await ws.run(planning, create());
  for (const [call, words] of REFUSED) {
    assertEquals((await ws.run(planning, call)).text, `Error: ${words}`, JSON.stringify(call).slice(0, 90));
    assertEquals((await ws.run(planning, { command: "list" })).text.split("\n").length, 3);
    assertEquals((await ws.run(planning, { command: "get", plan_id: "p1" })).text, BASIC);
  }
});

Deno.test("planning() words unknown commands and states as its document", () => {
  const table: [input: Record<string, unknown>, words: string][] = [
    [
      { command: "plan" },
      "Unrecognized command: plan. Allowed commands are: create, update, list, get, set_active, mark_step, delete",
    ],
    [
      mark(0, { step_status: "done" }),
      "Invalid step_status: done. Valid statuses are: not_started, in_progress, completed, blocked",
    ],
  ];
  for (const [input, words] of table) {
    assertEquals(planning.input.safeParse(input).error?.issues.map(({ message }) => message), [words]);
  }
});

Deno.test("planning() rounds half a tenth of a percent to the even tenth", async () => {
  const rounded = [[1, 16, "6.2"], [3, 16, "18.8"], [5, 16, "31.2"], [2, 3, "66.7"], [
    1,
    1,
    "100.0",
  ]] as const;
  for (const [done, all, percent] of rounded) {
    const steps = Array.from({ length: all }, (_, n) => `s${n}`);
    const marks = steps.slice(0, done).map((_, n) => mark(n, { step_status: "completed" }));
    const text = await seeLast(create("p", steps), ...marks, { command: "get" });
    assertEquals(text.split("\n")[3], `Progress: ${done}/${all} steps completed (${percent}%)`);
  }
});

Deno.test("planning() counts characters, not units, under the heading", async () => {
  const text = await seeLast({ command: "create", plan_id: "𝟙", title: "😀", steps: ["a"] });
  assertEquals(text.split("\n").slice(2, 4), ["Plan: 😀 (ID: 𝟙)", "=".repeat(16)]);
});

Deno.test("planning() keeps at most 100 plans", async () => {
  using ws = workspace();
  for (let n = 0; n < 100; n++) await ws.run(planning, create(`p${n}`, ["a"]));
  assertEquals(
    (await ws.run(planning, create("more", ["a"]))).text,
    "Error: A session keeps at most 100 plans: delete one first",
  );
});
