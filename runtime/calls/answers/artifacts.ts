import type { Answers } from "../answer_ask.ts";

/** Keeps the files that calls leave. */
export const artifactAnswers: Answers = {
  "artifact.write": ({ name, bytes }, { artifacts }) => artifacts.write(name, bytes),
};
