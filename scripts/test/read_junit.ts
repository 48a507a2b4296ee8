/** A test that ran. */
export interface Ran {
  /** Path from the root, `./` left out. */
  file: string;
  name: string;
  outcome: "passed" | "failed" | "ignored";
  /** Why it failed. */
  text: string;
  seconds: number;
}

const CASE = /<testcase name="([^"]*)" classname="([^"]*)" time="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g;

/** Reads the report that `deno test --junit-path` writes. */
export function readJunit(xml: string): Ran[] {
  return [...xml.matchAll(CASE)].map(([, name = "", file = "", time, body = ""]) => ({
    name: plain(name),
    file: plain(file).replace(/^\.\//, ""),
    outcome: /<(?:failure|error)\b/.test(body) ? "failed" : /<skipped\b/.test(body) ? "ignored" : "passed",
    text: plain(/<(?:failure|error)\b[^>]*>([^]*?)<\//.exec(body)?.[1] ?? ""),
    seconds: Number(time),
  }));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal, hex, name) =>
      decimal || hex ? String.fromCodePoint(Number(decimal ?? `0x${hex}`)) : ENTITIES[name] ?? whole,
  );
}
