import { analyseCommand } from "./runtime/commands/analyse_command.ts";
import { refuseCommand } from "./runtime/commands/refuse_command.ts";
import { programsOf } from "./runtime/commands/programs_of.ts";
const L = (level: any) => ({ name: level, level, allow: [], deny: [] });
for (const s of Deno.args) {
  const c = s.startsWith("[\"") ? { argv: JSON.parse(s) } : { script: s, shell: "bash" };
  const a = await analyseCommand(c);
  console.log("==", s);
  for (const x of a.commands) console.log("   ", x.program, JSON.stringify(x.args), x.via.length?`via ${x.via}`:"", x.assigns.length?`set ${x.assigns}`:"", x.writes.length?`> ${x.writes}`:"");
  console.log("   opaque", a.opaque, "rules", a.rules.join(), a.risk, "programs", programsOf(a).join());
  for (const l of ["free","no-write","listed"]) console.log("   ", l, refuseCommand(a, L(l))?.message ?? "ok");
}
