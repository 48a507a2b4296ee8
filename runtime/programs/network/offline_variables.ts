/** Tell package managers that there is no network: without it they would try again and again for minutes. */
export const OFFLINE_VARIABLES: Readonly<Record<string, string>> = {
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
  pnpm_config_offline: "true",
  YARN_ENABLE_NETWORK: "0",
  COREPACK_ENABLE_NETWORK: "0",
  PIP_NO_INDEX: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  UV_OFFLINE: "1",
  CONDA_OFFLINE: "true",
  CARGO_NET_OFFLINE: "true",
  GOPROXY: "off",
  GOTOOLCHAIN: "local",
  MISE_OFFLINE: "1",
  COMPOSER_DISABLE_NETWORK: "1",
  HEX_OFFLINE: "1",
  HF_HUB_OFFLINE: "1",
};
