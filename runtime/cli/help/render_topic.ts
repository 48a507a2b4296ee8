import { dirname, join } from "node:path/posix";

import { type ManualFile, TOPIC_NAMES, type TopicName, topicOf } from "../args/topic_table.ts";
import type { SystemName } from "../../coming/systems.ts";
import type { ForeignReader } from "../show/markdown/foreign_reader.ts";
import { showMarkdown } from "../show/markdown/show_markdown.ts";
import type { Canvas } from "../show/markdown/spans.ts";

/** The texts are in the binary; each is loaded only when a topic shows it. */
const TEXTS: Readonly<Record<ManualFile, () => Promise<{ default: string }>>> = {
  "runtime/README.md": () => import("../../README.md", { with: { type: "text" } }),
  "runtime/agent/README.md": () => import("../../agent/README.md", { with: { type: "text" } }),
  "runtime/cli/README.md": () => import("../README.md", { with: { type: "text" } }),
  "runtime/host/README.md": () => import("../../host/README.md", { with: { type: "text" } }),
  "runtime/mcp/README.md": () => import("../../mcp/README.md", { with: { type: "text" } }),
  "runtime/model/README.md": () => import("../../model/README.md", { with: { type: "text" } }),
  "runtime/programs/README.md": () => import("../../programs/README.md", { with: { type: "text" } }),
  "runtime/queue/README.md": () => import("../../queue/README.md", { with: { type: "text" } }),
  "runtime/server/README.md": () => import("../../server/README.md", { with: { type: "text" } }),
  "runtime/sources/README.md": () => import("../../sources/README.md", { with: { type: "text" } }),
  "runtime/state/README.md": () => import("../../state/README.md", { with: { type: "text" } }),
  "runtime/walls/README.md": () => import("../../walls/README.md", { with: { type: "text" } }),
  "schemas/README.md": () => import("../../../schemas/README.md", { with: { type: "text" } }),
  "tools/agents/README.md": () => import("../../../tools/agents/README.md", { with: { type: "text" } }),
  "tools/manus/README.md": () => import("../../../tools/manus/README.md", { with: { type: "text" } }),
  "tools/README.md": () => import("../../../tools/README.md", { with: { type: "text" } }),
};

/** Returns a topic of the manual; examples may be wider than the canvas, unless it has colors. */
export async function renderTopic(name: TopicName, canvas: Canvas, reader?: ForeignReader): Promise<string> {
  if (topicOf(name).isSystem) {
    const { renderPage } = await import("../../coming/render_page.ts");
    return await showMarkdown(renderPage(name as SystemName), canvas, reader);
  }
  const parts = await Promise.all(
    topicOf(name).parts.map(async ({ file, headings }) => {
      const sections = sectionsOf((await TEXTS[file]()).default);
      return headings.map((heading) => nameTopics(sections.get(heading) ?? "", { file, shown: name }));
    }),
  );
  return await showMarkdown(parts.flat().join("\n"), canvas, reader);
}

/** Returns the sections of a Markdown text by their headings, each with its heading, up to the next one. */
export function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let heading = "";
  let isCode = false;
  for (const line of text.trimEnd().split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, title] = isCode ? [] : /^#+ (.*)$/.exec(line) ?? [];
    heading = title ?? heading;
    sections.set(heading, `${sections.get(heading) ?? ""}${line}\n`);
  }
  return sections;
}

/** Adds to a link the topic that shows most of its file, and leaves the address out. */
function nameTopics(text: string, { file, shown }: { file: ManualFile; shown: TopicName }): string {
  return text.replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, words: string, path: string) => {
    const target = join(dirname(file), path);
    const shares = new Map(TOPIC_NAMES.map((name) => [name, shareOf(name, target)]));
    const [topic] = TOPIC_NAMES.toSorted((one, other) => shares.get(other)! - shares.get(one)!);
    return !topic || shares.get(topic) === 0 || shares.get(shown)! > 0
      ? words
      : `${words} (see: bulkhead help ${topic})`;
  });
}

/** How many sections of a file a topic shows. */
function shareOf(name: TopicName, file: string): number {
  return topicOf(name).parts.filter((part) => part.file === file).flatMap(({ headings }) => headings).length;
}
