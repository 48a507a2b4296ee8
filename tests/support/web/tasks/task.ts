/** A small web task: a page, and how it is solved by what the tool shows of it. A page that is solved has the title `won`. */
export interface Task {
  name: string;
  /** The page, or all pages by their paths. */
  page: string | Readonly<Record<string, string>>;
  solve(player: Player): Promise<void>;
}

const WIN = "globalThis.win = (is = true) => { document.title = is ? 'won' : 'lost'; };";

/** A page whose scripts can tell that it is solved: with `win()`, or `win(false)`. */
export function page(html: string, script = ""): string {
  return `<script>${WIN}</script>${html}<script>${script}</script>`;
}

/** Uses the tool as a model does: it sees the text of results alone. */
export interface Player {
  readonly shown: string;
  look(): Promise<string>;
  /** Returns the number of the first element whose line matches. Throws without one. */
  number(line: RegExp): Promise<number>;
  lines(line: RegExp): Promise<string[]>;
  click(line: RegExp): Promise<void>;
  type(line: RegExp, text: string): Promise<void>;
  choose(line: RegExp, text: string): Promise<void>;
  keys(keys: string): Promise<void>;
  act(input: Record<string, unknown>): Promise<string>;
}

type Use = (input: Record<string, unknown>) => Promise<{ text: string; ok: boolean }>;

export function player(use: Use): Player {
  let shown = "";
  const act = async (input: Record<string, unknown>) => {
    const { text, ok } = await use(input);
    if (!ok) throw new Error(`${JSON.stringify(input)}: ${text}\nafter\n${shown}`);
    return shown = text;
  };
  const look = () => act({ action: "wait", seconds: 0 });
  const lines = async (line: RegExp) => (await look()).split("\n").filter((one) => line.test(one));
  const number = async (line: RegExp) => {
    const found = (await lines(line)).map((one) => /^\[(\d+)\]/.exec(one)?.[1]).find((one) => one);
    if (found === undefined) throw new Error(`no element ${line} in\n${shown}`);
    return Number(found);
  };
  const on = async (action: string, line: RegExp, text?: string) => {
    await act({ action, index: await number(line), ...text !== undefined && { text } });
  };
  return {
    get shown() {
      return shown;
    },
    act,
    look,
    lines,
    number,
    click: (line) => on("click_element", line),
    type: (line, text) => on("input_text", line, text),
    choose: (line, text) => on("select_dropdown_option", line, text),
    keys: async (keys) => void await act({ action: "send_keys", keys }),
  };
}
