import type { CallEnd, Carrier } from "../../../runtime/calls/catalog/carrier.ts";
import type { CatalogEntry } from "../../../runtime/calls/catalog/catalog.ts";
import type { MakeSource, ToolSource } from "../../../runtime/sources/source.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { entryOf } from "../manifest_entry.ts";

/** What a made-up source notes of the calls of its tools. */
export interface Notes {
  log: string[];
  closed: boolean;
}

export interface MadeSourceOptions extends Partial<Pick<ToolSource, "loadMs" | "isRequired">> {
  notes?: Notes;
  load?: ToolSource["load"];
  until?: Promise<unknown>;
}

/** A source of made-up tools: each gives its input back. */
export function madeSource(
  name: string,
  tools: readonly ManifestEntry[],
  { notes = { log: [], closed: false }, load, until, ...rest }: MadeSourceOptions = {},
): MakeSource {
  const entries: CatalogEntry[] = tools.map((tool) => ({ tool, carrier: echo(notes, until) }));
  return () => ({
    name,
    ...rest,
    load: load ?? (() => Promise.resolve(entries)),
    [Symbol.asyncDispose]() {
      notes.closed = true;
      return Promise.resolve();
    },
  });
}

export function madeTool(fullName: string, changes: Partial<ManifestEntry> = {}): ManifestEntry {
  return entryOf(fullName, { needs: {}, error_lead: "", ...changes });
}

function echo({ log }: Notes, until: Promise<unknown> | undefined): Carrier {
  return {
    async call({ full_name }, input, { onProgress }): Promise<CallEnd> {
      log.push(`begin ${JSON.stringify(input)}`);
      onProgress?.({ message: "half" });
      await until;
      log.push(`end ${JSON.stringify(input)}`);
      const nothing = { images: [], artifacts: [], warnings: [], error: null };
      const metadata = { duration_ms: 1, place: "none" as const };
      const facts = {
        targets: [{ kind: "read" as const, value: "a.txt" }],
        ...{ analyses: [], programs: [], connections: [] },
      };
      const text = JSON.stringify(input);
      return {
        result: { tool_name: full_name, ok: true, result: input, text, ...nothing, metadata },
        facts,
      };
    },
    explain: () =>
      Promise.resolve({
        targets: [{ kind: "read", value: "a.txt" }],
        ...{ analyses: [], warnings: [], preview: null, error: null },
      }),
  };
}
