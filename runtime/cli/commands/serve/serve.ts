import { type ErrorInfo, exitCodeOf } from "../../../../schemas/error.ts";
import { readHostConfig } from "../../../host/configure_host.ts";
import { giveUpSetup } from "../../../host/give_up.ts";
import { modelOfServer } from "../../../server/contract/model_of_server.ts";
import type { Served } from "../../../server/contract/served.ts";
import { serve } from "../../../server/serve.ts";
import { startListener } from "../../../server/start_listener.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import type { Options } from "../../args/options/option_table.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, printError } from "../../io/io.ts";
import { newSecret, type ServerToken, serverToken } from "../../setup/server_token.ts";
import { stateOf } from "../../setup/state_of.ts";
import { servedBy } from "../../setup/served_by.ts";
import { compatSettings } from "./compat_settings.ts";
import { listenSettings } from "./listen_settings.ts";
import { openPage } from "./open_page.ts";

/** The variable that holds the token of clients. */
export const TOKEN_VARIABLE = "BULKHEAD_SERVE_TOKEN";

/** `serve`: the server, until it is told to end. */
export async function serveCommand({ options }: Invocation, io: Io): Promise<number> {
  return await serveUntilEnd(options, io, null);
}

/** `ui`: the same, and its page in the user's browser. */
export async function uiCommand({ options }: Invocation, io: Io): Promise<number> {
  const folder = stateOf(io);
  return await serveUntilEnd(options, io, (page) => openPage(page, { io, folder }));
}

async function serveUntilEnd(
  options: Options,
  io: Io,
  onPage: ((page: string) => Disposable) | null,
): Promise<number> {
  const token = serverToken(TOKEN_VARIABLE, io);
  using opened = new DisposableStack();
  // What a browser keeps of its addresses must not have the token.
  const code = onPage && newSecret();
  const listen = { ...listenSettings(options, token.token, io), ...(code !== null && { code }) };
  // It loads its library while the rest is loaded and set up.
  const started = startListener(listen);
  const compat = compatSettings(options, io);
  const served = await servedBy(options, { io, secrets: [token.token], apiRunsDir: compat.apiRunsDir });
  const noModel = whyNoModel(served);
  const failure: ErrorInfo | null = await serve(started, {
    served,
    compat,
    listen,
    signal: io.interrupt,
    onReady(port) {
      const page = `${listen.tls ? "https" : "http"}://${addressOf(listen.host)}:${port}/`;
      void tellReady(page, {
        token,
        options,
        io,
        noModel,
        isOpen: !isOwn(listen.host),
        tls: listen.tls !== null,
      });
      opened.use(onPage?.(`${page}?code=${code}`));
      // Each run opens its own way to the network, and starts its own programs.
      giveUpSetup(io.process);
    },
  });
  if (failure === null) return 0;
  await printError(io, `bulkhead: ${onOneLine(failure.message)}\n`);
  return exitCodeOf(failure.code);
}

/** Says in one line why runs that name no model cannot start; `null` if they can, as far as the settings tell. */
function whyNoModel(served: Served): string | null {
  const { host, manifest } = served;
  const { model, problem, keys: [key] } = modelOfServer(
    served,
    readHostConfig({ ...host, warn() {} }, manifest.tools).config,
  );
  if (problem === null) return null;
  if (model !== null) return onOneLine(problem);
  const found = key === undefined ? "" : `; ${key.variable} is set, for ${key.provider}/NAME`;
  return `no model is named: choose one on the page, or start with --model PROVIDER/NAME${found}`;
}

/** Says whether an address is one of this machine alone. */
function isOwn(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host);
}

function openWarning(tls: boolean): string {
  const who = "everybody on your network who has the token can start runs and calls with these permissions";
  return tls
    ? who
    : `${who}; there is no TLS, so that the token can be read on its way: --tls-cert FILE --tls-key FILE`;
}

/** An address of the sixth version stands in brackets. */
function addressOf(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** What a person, or the program that started this one, needs. */
async function tellReady(
  page: string,
  { token, options, io, noModel, isOpen, tls }: {
    token: ServerToken;
    options: Options;
    io: Io;
    noModel: string | null;
    /** Others than this machine reach it. */
    isOpen: boolean;
    tls: boolean;
  },
): Promise<void> {
  if (noModel !== null && !options.quiet) await printError(io, `bulkhead: runs cannot start: ${noModel}\n`);
  if (isOpen && !options.quiet) await printError(io, `bulkhead: ${openWarning(tls)}\n`);
  if (options.quiet && token.isOwn) return;
  const whole = token.isOwn ? page : `${page}?token=${token.token}`;
  const how = token.isOwn ? `, and the token is the value of ${TOKEN_VARIABLE}` : "";
  await printError(
    io,
    `bulkhead: serving on ${whole}\nbulkhead: programs send the header Authorization: Bearer TOKEN${how}\n`,
  );
}
