import type { ProgramCall, ProgramHost } from "../../programs/process/program_host.ts";
import type { Answers, AskingCall } from "../answer_ask.ts";

/** Serves the folder of programs that run apart, and returns its URL; `null` if nobody could open it. */
export type ServeApart = () => Promise<string | null>;

/** Starts programs and speaks with them, for tools that declare that they run some. */
export function programAnswers(programs: ProgramHost, serveApart: ServeApart): Answers {
  return {
    "program.check": (ask, call) => programs.check(ask.command, callOf(call), ask),
    "program.run": (ask, call) => programs.run(ask.run, callOf(call)),
    "program.open": (ask, call) => programs.open(ask.spec, callOf(call)),
    "program.command": (ask, call) => programs.command(ask.id, ask.script, callOf(call)),
    "program.write": (ask, call) => programs.write(ask.id, ask.data, callOf(call)),
    "program.read": (ask, call) => programs.read(ask.id, ask.read, callOf(call)),
    "program.signal": (ask, call) => programs.signal(ask.id, ask.signal, callOf(call)),
    "program.close": (ask, call) => programs.close(ask.id, ask, callOf(call)),
    "program.screen": (ask, call) => programs.screen(ask.id, callOf(call)),
    "program.keepScreen": (ask, call) => programs.keepScreen(ask.id, ask, callOf(call)),
    "program.serveApart": async (_, call) => {
      callOf(call);
      return await serveApart();
    },
  };
}

function callOf({ tool, program }: AskingCall): ProgramCall {
  if (tool.needs.run !== undefined) return program;
  throw new Error(`a tool of ${tool.toolset} asked for a program without having declared that it needs run`);
}
