import { type Attack, attackTests } from "../attack.ts";

const MANY = 2_147_483_647;
/** Output that would take a terminal's screen very long, if its numbers were believed. */
const OUTPUTS: Readonly<Record<string, string>> = {
  "inserts lines": `\\033[${MANY}L`,
  "removes lines": `\\033[${MANY}M`,
  "scrolls up": `\\033[${MANY}S`,
  "scrolls down": `\\033[${MANY}T`,
  "goes to tabs": `\\033[${MANY}I`,
  "goes back to tabs": `x\\033[${MANY}Z`,
  "repeats a character": `x\\033[${MANY}b`,
  "inserts blanks": `\\033[${MANY}@`,
  "removes characters": `\\033[${MANY}P`,
  "erases characters": `\\033[${MANY}X`,
  "goes to a place": `\\033[${MANY};${MANY}H`,
  "goes far down": `\\033[${MANY}B\\033[${MANY}E`,
  "sets many tabs": "\\033[1C\\033H".repeat(200),
  "has a number of 1,000 digits": `\\033[${"9".repeat(1000)}L`,
  "has 1,000 numbers": `\\033[${"1;".repeat(1000)}m`,
  "names itself at length": `\\033]0;${"t".repeat(5000)}\\007`,
  "begins a picture and does not end": `\\033P${"q".repeat(5000)}`,
  "sets a region and scrolls in it": `\\033[2;3r\\033[${MANY}S\\033[${MANY}L`,
  "switches screens": "\\033[?1049h\\033[?1049l".repeat(300),
  "combines 3,000 marks": `e${"\\314\\201".repeat(1500)}`,
};

attackTests(
  8,
  Object.entries(OUTPUTS).map(([what, output], at): Attack => {
    const session = `term_${at + 1}`;
    return {
      id: `8-${101 + at}`,
      title: `output that ${what}`,
      files: { "ws/output": output },
      calls: [
        { tool: "TerminalStart", arguments: {}, refusal: "ok" },
        {
          tool: "TerminalWrite",
          arguments: {
            session_id: session,
            input: "printf \"$(cat <at>/output)\"; printf 'do''ne\\n'\n",
            view: "screen",
            yield_time_ms: 300,
          },
          refusal: "ok",
        },
        {
          tool: "TerminalWrite",
          arguments: { session_id: session, input: "\n", view: "screen" },
          refusal: "ok",
        },
        { tool: "TerminalKill", arguments: { session_id: session }, refusal: "ok" },
      ],
      flags: ["--allow-run=bash"],
      unchanged: ["."],
    };
  }),
);
