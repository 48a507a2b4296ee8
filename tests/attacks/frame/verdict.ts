import { KINDS, SECRET } from "../attack.ts";
import type { Attack, AttackCall, Expected, Place } from "../attack.ts";
import type { Answer } from "../../support/cli/scene.ts";
import { startedNot } from "./behind_landlock.ts";

/** Says which calls of a case did not end as they must, or told what nobody may read. */
export function wrongAnswers(attack: Attack, { boxed, wall }: Place, answers: readonly Answer[]): string[] {
  const { id, calls = [] } = attack;
  return calls.flatMap((call, at): string[] => {
    const answer = answers[at];
    const which = `${id} of the kind "${KINDS[Number(id.split("-")[0]) as keyof typeof KINDS]}", call ${
      at + 1
    }`;
    if (!answer) return [`${which}: no answer`];
    const expected = boxed ? call.refusal : call.unboxed ?? call.refusal;
    const ended = answer.error?.code ?? "ok";
    const told = JSON.stringify(answer);
    if (wall === "landlock" && startedNot(answer)) return [];
    return [
      ...(fits(ended, expected ?? "any")
        ? []
        : [`${which}: ended with ${ended}, expected ${String(expected)}`]),
      ...(says(call, answer) ? [] : [`${which}: does not say "${call.says}"`]),
      ...(told.includes(SECRET) && !JSON.stringify(call).includes(SECRET)
        ? [`${which}: tells the secret`]
        : []),
    ];
  });
}

function fits(ended: string, expected: Expected): boolean {
  return expected === "any" ? ended !== "internal" : [expected].flat().some((one) => one === ended);
}

function says({ says }: AttackCall, { text, warnings }: Answer): boolean {
  return says === undefined || [text, ...warnings].some((part) => part.includes(says));
}
