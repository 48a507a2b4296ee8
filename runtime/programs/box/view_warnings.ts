import { showPath } from "../bytes/odd_names.ts";
import type { Finding } from "../protected/scan_folder.ts";
import type { ProgramView } from "./program_view.ts";

/** Says what was granted and is not shown all the same. */
export function notShown({ absent }: ProgramView, findings: readonly Finding[]): string[] {
  const unseen = findings.filter(({ kind }) => kind === "closed").map(({ path }) => showPath(path));
  return [
    ...absent.map((path) =>
      `Programs cannot write "${path}": a sandbox shows only what is there, make it first`
    ),
    ...unseen.map((path) => `Programs do not see "${path}": it could not be looked through for secrets`),
  ];
}
