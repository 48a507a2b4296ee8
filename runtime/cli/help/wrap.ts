/** Breaks a text at spaces into lines of at most `width`; all but the first begin with the indent. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join(`\n${indent}`);
}
