/**
 * Writes a diagram in the words that the drawing library knows: a statement a line, without settings, and mind maps and time
 * lines as flow charts.
 */
export function plainMermaid(text: string): string {
  const plain = text.replace(/^\s*---\n[^]*?\n---\n/, "").replace(/%%\{[^]*?\}%%/g, "").trim();
  if (/^mindmap\b/.test(plain)) return flowOfMindmap(plain);
  if (/^timeline\b/.test(plain)) return flowOfTimeline(plain);
  return /^(?:graph|flowchart)\b/.test(plain) ? statements(plain).map(spaced).join("\n") : plain;
}

/** Arrows stand free with their words, where they are not part of other words. */
function spaced(line: string): string {
  return line.replace(
    /"[^"]*"|[[({][^\])}]*[\])}]+|\s*(<?(?:-{2,}|={2,}|-\.+-)[>xo]?)\s*(\|[^|]*\|)?\s*/g,
    (part, arrow?: string, words = "") => arrow === undefined ? part : ` ${arrow}${words} `,
  );
}

/** Semicolons end statements, outside of texts. */
function statements(text: string): string[] {
  const parts = text.match(/"[^"\n]*"|&[#\w]+;|[;\n]|[^";&\n]+|["&]/g) ?? [];
  const lines = [""];
  for (const part of parts) {
    if (part === ";" || part === "\n") lines.push("");
    else lines[lines.length - 1] += part;
  }
  return lines.filter((line) => line.trim() !== "");
}

/** What stands further in belongs to the line above it. */
function flowOfMindmap(text: string): string {
  const open: { indent: number; id: string }[] = [];
  const lines = ["graph LR"];
  for (const [at, line] of text.split("\n").slice(1).entries()) {
    const words = line.trim();
    if (words === "" || /^(?:::|%%)/.test(words)) continue;
    const indent = line.length - line.trimStart().length;
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const id = `n${at}`;
    lines.push(`${id}["${wordsOf(words)}"]`);
    const above = open.at(-1);
    if (above) lines.push(`${above.id} --- ${id}`);
    open.push({ indent, id });
  }
  return lines.join("\n");
}

/** Times stand in a row, and below each what happened then: `2024 : one : another`. */
function flowOfTimeline(text: string): string {
  const lines = ["graph TD"];
  let above = "";
  for (const [at, line] of text.split("\n").slice(1).entries()) {
    const words = line.trim();
    if (words === "" || /^(?:title|section)\s|^%%/.test(words)) continue;
    const [time = "", ...events] = words.split(/\s*:\s*/).map((part) => part.replaceAll('"', "'"));
    // A line that begins with a colon goes on with the time above.
    if (time !== "") lines.push(`${above = `t${at}`}["${time}"]`);
    for (const [number, event] of events.entries()) {
      const id = `e${at}_${number}`;
      lines.push(`${id}("${event}")`, ...above === "" ? [] : [`${above} --- ${id}`]);
      above = id;
    }
  }
  return lines.join("\n");
}

/** A line may name itself, and has brackets of many shapes around its words: `root((Words))`. */
function wordsOf(line: string): string {
  const [, inner] = /^[\w-]*(?:\(\(|\)\)|\{\{|\[|\(|\))(.+?)(?:\)\)|\(\(|\}\}|\]|\)|\()$/.exec(line) ?? [];
  return (inner ?? line).replace(/^"(.*)"$/, "$1").replaceAll('"', "'");
}
