import { SHELL_MARK } from "../../../schemas/program.ts";

// How a shell that stays tells that a command has ended: before each prompt it prints, on both streams, a mark that no
// command can print by chance. The variable that makes it holds escapes, so that showing it does not look like the mark.

/** What the shell started with, kept open for the mark, wherever commands redirect its streams. */
const STDOUT_COPY = 198;
const STDERR_COPY = 199;
/** Function of the shell that sets its prompt right after each command: virtual environments and start files change it. */
const SETTLE = "__bulkhead_settle";

/** Returns the first line for a new interactive bash: no prompts, no history, and the mark after each command. */
export function setupLine(nonce: string): string {
  const octal = `\\${SHELL_MARK.charCodeAt(0).toString(8).padStart(3, "0")}`;
  const mark = `printf '${octal}%s${octal}${nonce}${octal}'`;
  // What a command was typed and did not read would be taken for the next command.
  const drain = "while read -t 0 && IFS= read -r -t 0.05 -N 4096 _; do :; done";
  const prompt =
    `{ ${mark} "$?" >&${STDOUT_COPY}; ${drain}; ${mark} 0 >&${STDERR_COPY}; PS1= PS2=; } 2>/dev/null`;
  const settle = `${SETTLE}() { set -- "$?"; PROMPT_COMMAND=${quote(prompt)}; return "$1"; }`;
  return `set +H +o history; history -c; PS1= PS2=; exec ${STDOUT_COPY}>&1 ${STDERR_COPY}>&2; ${settle}; ${SETTLE}\n`;
}

/** Returns the line that has the shell run a command, however many lines it has and whatever is wrong with it. */
export function commandLine(command: string): string {
  return `eval ${quote(command)}; { ${SETTLE}; } 2>/dev/null\n`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
