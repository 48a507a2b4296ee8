import { assertEquals } from "@std/assert";

import { readGantt } from "../../../../../../../runtime/server/page/show/code/read_gantt.ts";

const DAY_MS = 86_400_000;
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);

Deno.test("tasks begin at a date, after others, or where the one above ends", () => {
  const text = `gantt
    title The plan
    dateFormat YYYY-MM-DD
    excludes weekends
    %% a remark
    section One
    Design :done, a, 2026-01-01, 2d
    Build :crit, active, b, after a, 2026-01-10
    Check :1w
    section Two
    Wait :c, 2026-01-02, until b
    Both :after a b, 12h
    Ship :milestone, 2026-02-01, 0d`;
  const gantt = readGantt(text)!;
  assertEquals(gantt.title, "The plan");
  const rows = gantt.tasks.map(({ name, section, start, end, kind }) => [name, section, start, end, kind]);
  const [one, two] = [day("2026-01-01"), day("2026-01-10")];
  assertEquals(rows.slice(0, 3), [
    ["Design", "One", one, one + 2 * DAY_MS, "done"],
    ["Build", "One", one + 2 * DAY_MS, two, "crit"],
    ["Check", "One", two, two + 7 * DAY_MS, "plain"],
  ]);
  assertEquals(readGantt(text.replace("until b", "until x")), null);
  assertEquals(
    readGantt(text.replace(/\n.*until b/, ""))!.tasks.slice(3).map(({ start, isMilestone }) => [
      start,
      isMilestone,
    ]),
    [[two, false], [day("2026-02-01"), true]],
  );
});

Deno.test("dates have the form that the plan tells, with times", () => {
  const read = (format: string, date: string) =>
    readGantt(`gantt\ndateFormat ${format}\nA :${date}, 1h`)?.tasks[0]?.start;
  assertEquals(read("DD/MM/YYYY", "02/01/2026"), day("2026-01-02"));
  assertEquals(read("YYYY-MM-DD HH:mm", "2026-01-02 06:30"), day("2026-01-02") + 6.5 * 3_600_000);
  assertEquals(read("HH:mm", "01:00"), 3_600_000);
  assertEquals(read("YYYY-MM-DD", "2026-13-02"), undefined);
});

Deno.test("what is no plan, or is not understood, is told as such", () => {
  const texts = [
    "graph TD",
    "gantt",
    "gantt\nA :x, 1d",
    "gantt\nA :1d",
    "gantt\nA",
    "gantt\nA :2026-01-02, 2026-01-01",
  ];
  for (const text of texts) assertEquals(readGantt(text), null, text);
  assertEquals(readGantt(`gantt\n${"A :2026-01-01, 1d\n".repeat(101)}`), null);
});
