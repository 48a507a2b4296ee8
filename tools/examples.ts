import type { Example } from "../schemas/manifest.ts";

/** What the help of a command shows of tools, by the command. */
export const commandExamples: Readonly<Record<string, readonly Example[]>> = {
  call: [
    { line: "call Grep pattern=TODO glob='*.ts'", meaning: "Search the current folder" },
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
