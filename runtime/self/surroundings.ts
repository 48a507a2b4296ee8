import { ToolError } from "../../schemas/error.ts";

/**
 * Variables that this program, its tools or its programs read. The system's list leaves out each that is not UTF-8, as
 * if it were not set: then a home would be missing, or a key.
 */
const KNOWN: readonly string[] = [
  ...[
    "HOME",
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "TERM",
    "USER",
    "EMAIL",
    "TMPDIR",
    "CI",
    "NO_COLOR",
    "FORCE_COLOR",
  ],
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"],
  ...["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_MODEL", "MODEL_NAME", "OLLAMA_HOST"],
  ...["ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY", "OLLAMA_API_KEY"],
  ...["VLLM_API_KEY", "XAI_API_KEY", "DEEPSEEK_API_KEY", "GROQ_API_KEY", "MISTRAL_API_KEY"],
  ...["BULKHEAD_CONFIG", "BULKHEAD_BELL", "BULKHEAD_RELEASE_URL"],
  ...["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_CONFIG_GLOBAL", "GITHUB_STEP_SUMMARY"],
];

/** The sign that stands for bytes which are not UTF-8. */
const REPLACEMENT = "\ufffd";

/**
 * Reads a variable of the environment.
 *
 * @throws {ToolError} `configuration` if it is not UTF-8
 */
export function readVariable(name: string, read: (name: string) => string | undefined): string | undefined {
  try {
    return read(name);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.InvalidData)) throw cause;
    throw new ToolError(
      "configuration",
      `Cannot use the variable ${name}: it is not UTF-8; give it another value, or remove it with: unset ${name}`,
      { details: { variable: name }, cause },
    );
  }
}

/**
 * Returns the whole environment.
 *
 * @throws {ToolError} `configuration` if a variable that this program knows is not UTF-8
 */
export function readVariables(
  { list, read }: { list(): Record<string, string>; read(name: string): string | undefined },
): Record<string, string> {
  const found = list();
  for (const name of KNOWN) if (found[name] === undefined) readVariable(name, read);
  return found;
}

/**
 * Returns the current folder.
 *
 * @throws {ToolError} `configuration` if its path is not UTF-8, or it was deleted
 */
export function currentFolder(read: () => string): string {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof Deno.errors.NotCapable) throw cause;
    const why = cause instanceof Deno.errors.InvalidData
      ? "its path is not UTF-8"
      : "it is gone, or may not be read";
    throw new ToolError("configuration", `Cannot use the current folder: ${why}; go to another one with cd`, {
      cause,
    });
  }
}

/**
 * Refuses words of a command line that are not UTF-8: as they arrive they name something else.
 *
 * @throws {ToolError} `invalid_input`
 */
export function checkArgv(words: readonly string[]): void {
  const at = words.findIndex((word) => word.includes(REPLACEMENT));
  if (at < 0) return;
  throw new ToolError(
    "invalid_input",
    `Cannot read word ${at + 1} of the command line, ${
      JSON.stringify(words[at])
    }: it is not UTF-8, or holds the sign ` +
      "U+FFFD that stands for such bytes; rename the file, or give the text on stdin or in a file",
    { details: { word: at + 1 } },
  );
}
