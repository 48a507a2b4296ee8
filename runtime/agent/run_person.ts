import { ToolError } from "../../schemas/error.ts";
import type { Machine } from "../calls/machine.ts";
import type { AgentParts } from "./loop/parts.ts";

/** Where a run finds its person. */
export interface PersonPlace {
  machine: Machine;
  /** Hears of questions, so that the view can make room for them. */
  onQuestion?: (state: "asked" | "answered") => void;
}

/** Where the model's questions go, and where plans are found. */
export function personOf({ machine, onQuestion }: PersonPlace): Pick<AgentParts, "askPerson" | "readPlans"> {
  const { control: { ask }, plans } = machine;
  return {
    ...(ask && {
      async askPerson({ tool, text, isAnswer }, signal) {
        onQuestion?.("asked");
        try {
          return await ask({ question: text, tool, isAnswer }, { signal });
        } catch (error) {
          if (error instanceof ToolError && error.code === "unavailable") return null;
          throw error;
        } finally {
          onQuestion?.("answered");
        }
      },
    }),
    ...(plans && { readPlans: ({ full_name, keeps_plans }) => plans(full_name, keeps_plans ?? "") }),
  };
}
