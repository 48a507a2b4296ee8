/** A call that a model wrote as text. */
export interface WrittenCall {
  name: string;
  /** As an object of JSON, as its text, or one text for each parameter. */
  input: { value: Record<string, unknown> } | { text: string } | {
    parameters: [name: string, text: string][];
  };
}

/** The calls at a place of a text. */
export interface ReadCalls {
  calls: WrittenCall[];
  /** Where they end. */
  end: number;
}

/** What stands at a place that has a mark of calls: `null` calls are meant as some and cannot be read. */
export interface MarkedCalls {
  calls: WrittenCall[] | null;
  /** Where they end. */
  end: number;
}

/** Returns the first place from one on where no blank stands. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}

/** Matches a sticky expression at a place. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}
