import type { GrantFlags } from "../grants/make_grants.ts";
import { readHostWord, readPrivateWord } from "./host_word.ts";

/**
 * Checks the words about hosts among flags: one that means nothing would allow or deny nothing, unseen.
 *
 * @throws {ToolError} `invalid_input` for a word that is none
 */
export function checkHostWords({ allow, deny, allowPrivateNet }: GrantFlags): void {
  for (const words of [allow?.net, deny?.net]) {
    if (words !== undefined && words !== true) words.forEach(readHostWord);
  }
  if (allowPrivateNet !== undefined && allowPrivateNet !== true) allowPrivateNet.forEach(readPrivateWord);
}
