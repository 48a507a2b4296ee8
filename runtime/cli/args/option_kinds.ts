/** The headings under which help lists options. */
export type OptionGroup = "agent" | "grants" | "tools" | "running" | "output" | "general";

/** What every option has. */
interface Described {
  group: OptionGroup;
  summary: string;
  /** One letter. */
  short?: string;
  /** What help shows for the value: `DIR`. */
  value?: string;
  /** What a shell offers for the value. */
  complete?: "file" | "folder" | "tool" | "toolset";
  /** Values that a shell offers though others are fine too. */
  offers?: readonly string[];
  /** Shown by help; whoever reads the option applies it. */
  default?: string | number;
  /** Options that cannot stand beside this one. */
  excludes?: readonly string[];
}

/**
 * An option, by the kind of its value: a flag has none; a grant may have a list after `=`, and only there; names are
 * the same with the list required; a text or number follows `=` or as the next word; several collects texts. An
 * optional id follows `=`, or as the next word if that can be one.
 */
export type Option =
  & Described
  & (
    | { kind: "flag" | "grant" | "names" | "text" | "several" | "optional" }
    | { kind: "number" | "integer"; unit: string; min: number; max: number }
    | { kind: "choice"; choices: readonly string[] }
  );
