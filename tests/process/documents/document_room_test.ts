import { assert, assertEquals, assertNotEquals } from "@std/assert";

import { makePdf, showLines } from "../../../scripts/bench/make_pdf.ts";
import { boxTest } from "../../support/box.ts";
import { docx, paragraph } from "../../support/documents/office_files.ts";
import { png } from "../../support/documents/png.ts";
import type { Running } from "../../support/program.ts";
import {
  descendants,
  descendantsNaming,
  isAlive,
  type ProcessInfo,
  until,
} from "../../support/cli/processes.ts";
import { type Answer, type Call, makeScene } from "../../support/cli/scene.ts";

/** A reader gets less than other rooms, which tells it from them. */
const READER_DATA_BYTES = 3 * 1024 * 1024 * 1024;
const PAGE = showLines([{ x: 50, y: 700, text: "Some words" }]);
const FULL_PAGE = showLines(
  Array.from({ length: 50 }, (_, row) => ({ x: 50, y: 800 - row * 15, text: "Some words ".repeat(7) })),
);
const FILES = {
  "ws/a.pdf": makePdf([PAGE]),
  "ws/a.png": png({ colour: 0, depth: 1, width: 40, height: 20 }),
  "ws/a.docx": docx(paragraph("text")),
};
const READ_PDF = { tool: "ReadPDF", arguments: { path: "a.pdf" } };
const READ_LONG = { tool: "ReadPDF", arguments: { path: "long.pdf" } };
const READS: readonly Call[] = [
  READ_PDF,
  { tool: "ReadImage", arguments: { path: "a.png" } },
  { tool: "ReadDocument", arguments: { path: "a.docx" } },
];

/** What reads images reads office files, too. */
const READERS = 2;

/** A document that takes the reader some time. */
function longPdf(pages: number): Uint8Array {
  return makePdf(Array.from({ length: pages }, () => FULL_PAGE));
}

/** Makes one call of a batch that gets its calls through a pipe. */
async function call(running: Running, { tool, arguments: input }: Call): Promise<Answer> {
  await running.write(`${JSON.stringify({ id: 1, tool, arguments: input })}\n`);
  const line = await running.nextLine();
  assert(line !== null, "the batch ended");
  return JSON.parse(line);
}

async function end(running: Running): Promise<void> {
  await running.closeInput();
  await running.ended();
}

function shell(command: string): string {
  const { stdout } = new Deno.Command("/bin/sh", { args: ["-c", command], stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}

/** Returns the readers below a process: of each box the process inside. */
function readers(pid: number): ProcessInfo[] {
  const below = descendants(pid);
  const isInner = ({ pid }: ProcessInfo) => !below.some(({ parent }) => parent === pid);
  return below.filter((info) => isInner(info) && dataLimit(info.pid) === READER_DATA_BYTES);
}

function dataLimit(pid: number): number {
  return Number(shell(`awk '/^Max data size/ { print $4 }' /proc/${pid}/limits`));
}

/** Waits until a reader is at work: has used half a second more than before. */
async function untilReading(pid: number, { ticks } = { ticks: 0 }): Promise<ProcessInfo> {
  let found: ProcessInfo | undefined;
  await until("a reader at work", () => {
    found = readers(pid).find((reader) => reader.ticks > ticks + 50);
    return found !== undefined;
  }, 30_000);
  return found!;
}

for (const [box, signal] of [["auto", "SIGKILL"], ["off", "SIGINT"]] as const) {
  Deno.test(`a reader that is killed fails its call and nothing else, --sandbox=${box}`, async () => {
    using scene = makeScene({ ...FILES, "ws/long.pdf": longPdf(3_000) });
    const running = scene.start(["batch", "-", `--sandbox=${box}`]);
    await call(running, READ_PDF);
    const failing = call(running, READ_LONG);
    const { pid } = await untilReading(running.pid, readers(running.pid)[0]);
    Deno.kill(pid, "SIGKILL");
    const { error, text } = await failing;
    assertEquals(error?.code, "internal", text);
    assert(text.startsWith("[ReadPDF] Error reading PDF: The room ended unexpectedly: "), text);
    await until("the end of the reader", () => !isAlive(pid));
    assertEquals((await call(running, { ...READ_PDF, arguments: { path: "a.pdf", pages: "1" } })).ok, true);
    await end(running);
  });

  Deno.test(`${signal} in the middle of a PDF leaves no reader, --sandbox=${box}`, async () => {
    using scene = makeScene({ "ws/long.pdf": longPdf(1_000) });
    const running = scene.start(["call", "ReadPDF", "path=long.pdf", `--sandbox=${box}`]);
    await untilReading(running.pid);
    const rooms = descendants(running.pid).map(({ pid }) => pid);
    running.kill(signal);
    await running.ended();
    await until("the end of the rooms", () => !rooms.some(isAlive));
  });

  Deno.test(`readers stay for the next calls, and none after a failure, --sandbox=${box}`, async () => {
    using scene = makeScene({ ...FILES, "ws/broken.docx": FILES["ws/a.docx"].subarray(0, 300) });
    const running = scene.start(["batch", "-", `--sandbox=${box}`]);
    for (const read of READS) assertEquals((await call(running, read)).ok, true);
    const rooms = () => descendants(running.pid).map(({ pid }) => pid).sort();
    const before = rooms();
    for (const max_chars of [100, 200, 300]) {
      // The same question again would need no reader.
      const readPdf = { ...READ_PDF, arguments: { path: "a.pdf", max_chars } };
      for (const read of [readPdf, ...READS.slice(1)]) assertEquals((await call(running, read)).ok, true);
    }
    assertEquals(rooms(), before);
    assertEquals(
      (await call(running, { tool: "ReadDocument", arguments: { path: "broken.docx" } })).ok,
      false,
    );
    assertEquals((await call(running, READS.at(-1)!)).ok, true);
    assertNotEquals(rooms(), before);
    assertEquals(readers(running.pid).length, READERS);
    await end(running);
  });
}

Deno.test("a reader has nothing of the user's environment", async () => {
  using scene = makeScene(FILES);
  const running = scene.start(["batch", "-", "--sandbox=off"], { env: { CANARY: "canary" } });
  for (const read of READS) await call(running, read);
  const pids = readers(running.pid).map(({ pid }) => pid);
  assertEquals(pids.length, READERS);
  for (const pid of pids) {
    const names = shell(`tr '\\0' '\\n' < /proc/${pid}/environ | sed 's/=.*//'`).split("\n");
    const known = ["HOME", "LANG", "NO_COLOR", "DENO_DIR", "DENO_NO_UPDATE_CHECK"];
    assertEquals(names.filter((name) => !known.includes(name)), []);
  }
  await end(running);
});

boxTest("the box of a reader does not show the workspace", async () => {
  using scene = makeScene(FILES);
  const running = scene.start(["batch", "-"]);
  for (const read of READS) await call(running, read);
  const boxes = descendants(running.pid).filter(({ pid }) => dataLimit(pid) === READER_DATA_BYTES);
  const naming = descendantsNaming(running.pid, scene.ws);
  assert(boxes.length > READERS);
  assertEquals(boxes.filter(({ pid }) => naming.includes(pid)), []);
  await end(running);
});
