import type { Message } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ModelRequest } from "../../schemas/agent/model.ts";
import { askForModels } from "./ask_for_models.ts";
import type { ChatClient } from "./chat_client.ts";
import { complete, type CompleteContext } from "./complete.ts";
import type { FromModel, ModelSettings, ToModel } from "./protocol.ts";
import type { Quirks } from "./quirks/learn.ts";

/** The part of a worker's global scope that a model uses. */
export interface ModelScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromModel): void;
}

/** What a model is made of once it is open. */
interface OpenedModel {
  settings: ModelSettings;
  quirks: Quirks;
  library: ChatClient;
  wired: CompleteContext["wired"];
}

/** Answers the messages of main: the whole life of a model's worker. */
export function serveModel(loadLibrary: () => Promise<ChatClient>, scope: ModelScope): void {
  const post = (message: FromModel) => scope.postMessage(message);
  const cancels = new Map<number, AbortController>();
  let model: OpenedModel | undefined;
  let messages: readonly Message[] = [];
  scope.onmessage = async ({ data }: MessageEvent<ToModel>) => {
    if (data.t === "open") {
      model = {
        settings: data.settings,
        quirks: { ...data.settings.quirks },
        library: await loadLibrary(),
        wired: new WeakMap(),
      };
      post({ t: "ready" });
    } else if (data.t === "cancel") {
      cancels.get(data.id)?.abort(new ToolError("cancelled", "The request to the model was cancelled"));
    } else if (model) {
      const { id } = data;
      const cancel = new AbortController();
      cancels.set(id, cancel);
      if (data.t === "ask") messages = [...messages.slice(0, data.kept), ...data.request.messages];
      const asked = { model, post, signal: cancel.signal };
      post(
        data.t === "list" ? await list(id, asked) : await answer(id, { ...data.request, messages }, asked),
      );
      cancels.delete(id);
    }
  };
}

/** What an answer to main needs. */
interface Asked {
  model: OpenedModel;
  post(message: FromModel): void;
  signal: AbortSignal;
}

async function list(id: number, { model: { settings }, signal }: Asked): Promise<FromModel> {
  try {
    return { t: "models", id, models: await askForModels(settings, signal) };
  } catch (error) {
    return failed(id, error);
  }
}

async function answer(
  id: number,
  request: ModelRequest,
  { model, post, signal }: Asked,
): Promise<FromModel> {
  try {
    const onText = (delta: string) => post({ t: "text", id, delta });
    const onRestart = () => post({ t: "restart", id });
    const warn = (message: string) => post({ t: "warning", id, message });
    return { t: "reply", id, reply: await complete(request, { ...model, signal, onText, onRestart, warn }) };
  } catch (error) {
    return failed(id, error);
  }
}

function failed(id: number, error: unknown): FromModel {
  const failure = error instanceof ToolError
    ? error
    : new ToolError("internal", `The model's client failed: ${String(error)}`);
  return { t: "failed", id, error: failure.toInfo() };
}
