// deno-lint-ignore-file no-console
// Measures the program against its peers on this machine: `deno task bench [PDF…]`; given PDFs replace the
// generated ones. Needs ripgrep, fd and find; rows about documents also poppler-utils and imagemagick, those about
// queues nats-server, the row about exec also srt (npm install --global @anthropic-ai/sandbox-runtime), those about MCP
// a server on Node (npm install --global @modelcontextprotocol/server-filesystem), that beside pi its own package
// (npm install --global @mariozechner/pi-coding-agent).
//   BULKHEAD_BIN=PATH also measures that binary; BULKHEAD_EMPTY=PATH is an empty program compiled the same way.
import { fromFileUrl, join, resolve } from "@std/path";

import { findProgram } from "../runtime/walls/files/find_program.ts";
import { OUTER_PERMISSIONS, V8_FLAGS } from "../runtime/self/find_self.ts";
import type { Manifest } from "../schemas/manifest.ts";
import { benchPeer } from "./bench/agent/peer.ts";
import { benchAgent } from "./bench/agent/rounds.ts";
import { benchBrowser } from "./bench/browser.ts";
import { benchMemory, benchStart, benchWarmCalls } from "./bench/calls.ts";
import { benchCharts } from "./bench/charts.ts";
import { benchDocuments } from "./bench/documents.ts";
import { benchExec } from "./bench/exec.ts";
import { benchGate } from "./bench/net/gate.ts";
import { benchImages } from "./bench/images.ts";
import { benchMcp } from "./bench/mcp/serve.ts";
import { benchWrap } from "./bench/mcp/wrap.ts";
import { OpenBatch, treeMemory } from "./bench/measure.ts";
import { benchOutput, benchPrograms } from "./bench/programs.ts";
import { renderRatio } from "./bench/report.ts";
import { benchQueue } from "./bench/queue/calls.ts";
import { benchServe } from "./bench/server/calls.ts";
import { benchEvents } from "./bench/server/events.ts";
import { benchSearch } from "./bench/search.ts";
import { makeHugeFile, makeTree, TREE_FILES } from "./bench/tree.ts";
import { benchThinking } from "./bench/agent/thinking.ts";
import { benchWeb } from "./bench/web.ts";

const main = fromFileUrl(new URL("../main.ts", import.meta.url));
const source = [
  Deno.execPath(),
  ...["run", "--quiet", "--no-prompt", ...OUTER_PERMISSIONS, `--v8-flags=${V8_FLAGS}`, main],
];
const binary = Deno.env.get("BULKHEAD_BIN");
const empty = Deno.env.get("BULKHEAD_EMPTY");
const searchPath = Deno.env.get("PATH") ?? "";
const fd = findProgram("fdfind", searchPath) ?? findProgram("fd", searchPath);
if (fd === null || findProgram("rg", searchPath) === null) {
  throw new Error("the benchmarks need ripgrep and fd: apt-get install ripgrep fd-find");
}

const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-bench-" }));
try {
  const tree = join(root, "tree");
  const bytes = makeTree(tree);
  console.log(`${TREE_FILES} files, ${Math.round(bytes / 1e6)} MB in ${tree}`);
  print(await benchSearch("source", source, { tree, fd, bounds: { literal: 2, pattern: 3.5 } }));
  if (binary) {
    print(await benchSearch("binary", [binary], { tree, fd, bounds: { literal: 3, pattern: 3.5 } }));
  }
  await huge("source", source);
  if (binary) await huge("binary", [binary]);
  const small = join(root, "small.txt");
  Deno.writeTextFileSync(small, "one small file\n");
  if (binary && empty) print(await benchStart(binary, empty, small));
  const manifest = JSON.parse(await Deno.readTextFile(new URL("../tools/manifest.json", import.meta.url)));
  print(await benchWarmCalls(new URL("../main.ts", import.meta.url).href, manifest as Manifest));
  print(await benchGate());
  for (
    const [label, argv] of [["source", source], ...(binary ? [["binary", [binary]] as const] : [])] as const
  ) {
    for (const line of await benchAgent(label, argv, root)) console.log(line);
    await peer(label, argv);
    print(await benchThinking(label, argv, root));
    await documents(label, argv);
    print(await benchImages(label, argv, root));
    print(await benchCharts(label, argv, root));
    print(await benchWeb(label, argv, root));
    await browser(label, argv);
    const grown = await benchMemory(argv, root, small);
    print(await benchPrograms(label, argv, root));
    await exec(label, argv);
    await mcp(label, argv, small);
    print(await benchServe(label, argv, { folder: root, file: small }));
    console.log(
      `${label} serve, one client: ${(await benchEvents(argv, root)).toFixed(0)} events a second (≥ 10000)`,
    );
    await queue(label, argv, small);
    const output = await benchOutput(argv, root);
    console.log(
      `${label} Bash 100 MB of output: ${output.ms.toFixed(0)} ms, memory grew by ${
        output.grown.toFixed(0)
      } MB`,
    );
    console.log(
      `${label} 1,000 reads in one batch: memory grew by ${grown.toFixed(0)} MB after the first hundred`,
    );
  }
} finally {
  Deno.removeSync(root, { recursive: true });
}

function print(ratios: readonly Parameters<typeof renderRatio>[0][]): void {
  for (const ratio of ratios) console.log(renderRatio(ratio));
}

/** Runs an agent, beside the coding agent of the field. */
async function peer(label: string, argv: readonly string[]): Promise<void> {
  const bench = await benchPeer(label, argv, { folder: root, searchPath });
  if (typeof bench === "string") return console.log(`${label} agent beside pi: skipped, ${bench}`);
  print(bench);
}

/** Uses pages in a browser, beside its bare driver. */
async function browser(label: string, argv: readonly string[]): Promise<void> {
  const bench = await benchBrowser(label, argv, { folder: root, searchPath });
  if (typeof bench === "string") return console.log(`${label} browser: skipped, ${bench}`);
  print(bench);
}

/** Runs a command in the sandbox, beside the field's own runner of sandboxes. */
async function exec(label: string, argv: readonly string[]): Promise<void> {
  const bench = await benchExec(label, argv, { folder: root, searchPath });
  if (typeof bench === "string") return console.log(`${label} exec: skipped, ${bench}`);
  print(bench);
}

/** Serves tools to a client, beside the field's own server of files. */
async function mcp(label: string, argv: readonly string[], small: string): Promise<void> {
  const bench = await benchMcp(label, argv, { folder: root, file: small, searchPath });
  if (typeof bench === "string") return console.log(`${label} mcp serve: skipped, ${bench}`);
  print(bench.ratios);
  console.log(await benchWrap(label, argv, { folder: root, file: small, searchPath }));
  console.log(
    `${label} mcp serve, 10,000 calls: memory grew by ${bench.grown.toFixed(0)} MB after the first thousand`,
  );
}

/** Has calls done through a queue, beside the same calls without one. */
async function queue(label: string, argv: readonly string[], file: string): Promise<void> {
  const bench = await benchQueue(label, argv, { folder: root, file, searchPath });
  if (typeof bench === "string") return console.log(`${label} queue: skipped, ${bench}`);
  console.log(bench.added);
  print(bench.ratios);
}

/** Reads whole PDFs and measures the memory. */
async function documents(label: string, argv: readonly string[]): Promise<void> {
  const bench = await benchDocuments(label, argv, {
    folder: root,
    files: Deno.args.map((file) => resolve(file)),
  });
  if (bench === null) return console.log(`${label} ReadPDF: skipped, pdftotext is not installed`);
  print(bench.ratios);
  console.log(`${label} ReadPDF: all processes together hold ${bench.memory.toFixed(0)} MB`);
}

/** Reads 100 lines from the middle of a gigabyte and measures the memory. */
async function huge(label: string, argv: readonly string[]): Promise<void> {
  const path = join(root, "huge.txt");
  const lines = makeHugeFile(path);
  const batch = new OpenBatch(argv, root);
  await batch.call("Read", { path: join(root, "huge.txt"), start_line: 1, end_line: 1 });
  const before = await treeMemory(batch.pid);
  const middle = lines >> 1;
  const { ms } = await batch.call("Read", { path, start_line: middle, end_line: middle + 99 });
  const grown = await treeMemory(batch.pid) - before;
  await batch.close();
  console.log(
    `${label} Read 100 lines in the middle of 1 GB: ${ms.toFixed(0)} ms, memory grew by ${
      grown.toFixed(0)
    } MB`,
  );
}
