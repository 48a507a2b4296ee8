import type { Handlers } from "../contract/answer.ts";
import type { ServerOffer } from "../openai/meant_model.ts";

/** What `/v1/health` tells of. */
export interface HealthParts {
  offer(signal: AbortSignal): Promise<ServerOffer>;
  /** Absolute path of the folder of requests, `null` if none are made. */
  apiRunsDir: string | null;
}

/** Makes what answers `/v1/health`. */
export function healthHandlers({ offer, apiRunsDir }: HealthParts): Handlers {
  return {
    async getHarnessHealth({ signal }) {
      const { max_runs, tools } = await offer(signal);
      return {
        json: {
          status: "ok",
          api_runs_dir: apiRunsDir,
          input_wrapper: false,
          output_wrapper: false,
          max_concurrent_runs: max_runs,
          extra_tools: [],
          tool_names: tools.map(({ name }) => name),
        },
      };
    },
  };
}
