/** The headings under which help lists options. */
export type OptionGroup = "agent" | "grants" | "tools" | "running" | "output" | "general";

/** What every option has. */
interface Described {
  group: OptionGroup;
  summary: string;
  /** What it means for a command by itself, by the command's name. */
  says?: Readonly<Record<string, string>>;
  /** One letter. */
  short?: string;
  /** What help shows for the value: `DIR`. */
  value?: string;
  /** What a shell offers for the value. */
  complete?: "file" | "folder" | "tool" | "toolset" | "session" | "agent";
  /** Values that a shell offers though others are fine too. */
  offers?: readonly string[];
  /** Shown by help; the code that reads the option applies it. */
  default?: string | number;
  /** Options that cannot stand beside this one. */
  excludes?: readonly string[];
}

/**
 * An option, by the kind of its value. A flag has no value. A grant may have a list after `=`, and only
 * there; for names the list is required. A text or number follows `=` or is the next word; several collects
 * texts. An optional id follows `=`, or is the next word if that can be an id.
 */
export type Option =
  & Described
  & (
    | { kind: "flag" | "grant" | "names" | "text" | "several" | "optional" }
    | { kind: "number" | "integer"; unit: string; min: number; max: number }
    | { kind: "choice"; choices: readonly string[] }
  );
