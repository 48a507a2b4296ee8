import type { Example } from "../schemas/manifest.ts";

/** What the help of a command shows of tools, by the command. */
export const commandExamples: Readonly<Record<string, readonly Example[]>> = {
  call: [
    { line: "call Grep pattern=TODO glob='**/*.ts'", meaning: "Search the sources of the current folder" },
    { line: 'call Read \'{"path":"a.txt"}\' --json', meaning: "Print the whole result as JSON" },
    { line: "call Bash command='ls -l' -C ~/project", meaning: "Run a command in a workspace" },
  ],
  batch: [
    {
      line: 'batch - <<< \'{"id":1,"tool":"Read","arguments":{"path":"a.txt"}}\'',
      meaning: "A list of one call",
    },
  ],
  tools: [
    { line: "tools par", meaning: "List one toolset" },
    { line: "tools Grep", meaning: "Show the arguments of a tool, with examples" },
  ],
  help: [{ line: "help Grep", meaning: "Show the arguments of a tool, with examples" }],
  schema: [{ line: "schema Grep --format openai", meaning: "A tool as an OpenAI function" }],
  explain: [{ line: "explain Write path=/etc/hosts content=x", meaning: "See which flag the call lacks" }],
};

/** Commands of a shell, and the calls that do their work. */
export const foreignCommands: Readonly<Record<string, string>> = {
  ...words("call Grep pattern=TEXT", "grep rg ag ack egrep search findstr"),
  ...words("call Read path=FILE", "cat head tail less more bat view open type read"),
  ...words("call ls path=FOLDER", "ls dir tree"),
  ...words("call Glob pattern='**/*.ts'", "find fd glob files locate"),
  ...words("call Write path=FILE content=TEXT", "write touch tee create save"),
  ...words("call Edit path=FILE patch=DIFF", "edit patch sed apply apply_patch replace nano vi vim emacs"),
  ...words("call Bash command='COMMAND'", "bash sh zsh cmd powershell"),
  ...words("exec COMMAND", "git make npm node deno cargo go docker"),
  ...words("call python_execute code='CODE'", "python python3 py ipython"),
  ...words("call calculator expression='1 + 1'", "calc bc expr"),
  ...words("call WebFetch url=URL", "curl wget http https lynx w3m links"),
  ...words("call ReadPDF path=FILE", "pdf pdftotext"),
};

function words(line: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, line]));
}
