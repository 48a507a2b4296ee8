import { join } from "@std/path";

import type { Tier } from "./tiers.ts";

/** What a group of tests cost. */
export interface Cost {
  tests: number;
  /** Processor seconds. */
  cpu: number;
  /** Programs that were started, `null` where nobody could count. */
  starts: number | null;
}

/** What each tier cost at the last landing, by group. */
export interface Figures {
  /** Processor seconds of {@linkcode measureMachine} on the machine of these figures. */
  machine: number;
  tiers: Partial<Record<Tier, Record<string, Cost>>>;
}

/** Over its budget by more than this, a tier fails. */
const TOLERANCE = 1.25;
const FILE = "tests/figures.json";

export async function readFigures(root: string): Promise<Figures> {
  return JSON.parse(await Deno.readTextFile(join(root, FILE)));
}

export async function writeFigures(root: string, figures: Figures): Promise<void> {
  await Deno.writeTextFile(join(root, FILE), `${JSON.stringify(figures, null, 2)}\n`);
}

/** Measures what this machine needs for the same work each time: the start of small programs, in processor seconds. */
export async function measureMachine(): Promise<number> {
  const start = `"$0" eval --no-lock --no-config 'for (let i = 0; i < 2e7; i++) Math.sqrt(i)'`;
  const { stdout } = await new Deno.Command("/bin/sh", {
    args: ["-c", `for i in $(seq 24); do ${start}; done; times`, Deno.execPath()],
    stdin: "null",
  }).output();
  return readTimes(new TextDecoder().decode(stdout));
}

/** Reads what the `times` of a shell says of its children: the second line, `1m2.5s 0m3.25s`, user and system. */
export function readTimes(text: string): number {
  const [, children = ""] = text.split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

/** Adds up the costs of a tier. */
export function sumOf(costs: Readonly<Record<string, Cost>>): Cost {
  const all = Object.values(costs);
  const starts = all.map(({ starts }) => starts);
  return {
    tests: all.reduce((sum, { tests }) => sum + tests, 0),
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
    starts: starts.includes(null) ? null : starts.reduce((sum: number, one) => sum + one!, 0),
  };
}

/**
 * Says whether a tier keeps to its budget. The seconds of a slower or faster machine are put in proportion.
 *
 * @param slowness This machine's time for the same work, in times of the machine of the last figures
 */
export function keepsBudget(cpu: number, budget: number, slowness: number): boolean {
  return cpu / slowness <= budget * TOLERANCE;
}

/** Draws the table of a tier: its groups, what they cost now, and what they cost at the last landing. */
export function drawCosts(
  now: Readonly<Record<string, Cost>>,
  before: Readonly<Record<string, Cost>>,
): string {
  const names = Object.keys(now).toSorted((a, b) => now[b]!.cpu - now[a]!.cpu);
  const cell = (cost: Cost | undefined) =>
    cost ? [cost.tests, cost.cpu.toFixed(1), cost.starts ?? "-"].map(String) : ["-", "-", "-"];
  const rows = [
    ["folder", "tests", "CPU s", "starts", "(before:", "CPU s", "starts)"],
    ...names.map((name) => [name, ...cell(now[name]), ...cell(before[name])]),
    ["all", ...cell(sumOf(now)), ...cell(sumOf(before))],
  ];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) =>
    row.map((text, at) => at === 0 ? text.padEnd(widths[at]!) : text.padStart(widths[at]!)).join("  ")
  ).join("\n");
}
