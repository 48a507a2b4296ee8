/** Where packages of macOS have their programs. Their settings and data lie beside, and are not shown. */
const PACKAGES = ["/usr/local", "/opt/homebrew", "/opt/local"].flatMap((folder) =>
  [
    ...["bin", "sbin", "lib", "libexec", "opt", "share", "include", "Cellar", "Frameworks", "go"],
    ...["etc/openssl@3", "etc/ca-certificates"],
  ].map((name) => `${folder}/${name}`)
);

/** Folders of programs of the system, of its developer tools and of packages: to read, and to start programs of. */
export const MAC_PROGRAM_FOLDERS: readonly string[] = [
  ...["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec", "/usr/share"],
  // Not all of /System: the homes lie in it too, by a second name.
  ...[
    "/System/Library",
    "/Library/Apple",
    "/Library/Developer",
    "/Library/Frameworks",
    "/Library/Java",
    "/Applications/Xcode.app",
  ],
  ...[...PACKAGES, "/nix/store"],
];

/** Settings of the system without secrets, and what says which developer tools are chosen. */
export const MAC_FILES: readonly string[] = [
  ...["passwd", "group", "hosts", "shells", "paths", "bashrc", "profile", "zshrc", "zprofile"]
    .map((name) => `/private/etc/${name}`),
  ...["/private/var/select/sh", "/private/var/select/developer_dir", "/private/var/db/xcode_select_link"],
];

/** Only programs with a network look for these. */
export const WEB_FILES: readonly string[] = [
  ...["protocols", "services", "resolv.conf", "ssl/cert.pem"].map((name) => `/private/etc/${name}`),
  "/private/var/run/resolv.conf",
];

/**
 * Services of the system that programs ask: who a user is, and which groups there are; what tells of changed settings; the
 * log, without which some wait. None of them holds files, keys, the clipboard or the user's settings.
 */
export const SERVICES: readonly string[] = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
  "com.apple.system.notification_center",
  "com.apple.system.logger",
  "com.apple.logd",
];

/** Services for programs with a network: whether a certificate is trusted, and how the network is set up. */
export const WEB_SERVICES: readonly string[] = [
  "com.apple.trustd",
  "com.apple.trustd.agent",
  "com.apple.SystemConfiguration.configd",
  "com.apple.SystemConfiguration.DNSConfiguration",
  "com.apple.networkd",
];

/** What the kernel tells of the machine. The words and variables of other processes are not among it. */
export const SYSTEM_FACTS: { names: readonly string[]; prefixes: readonly string[] } = {
  names: [
    ...["argmax", "boottime", "clockrate", "hostname", "iossupportversion", "maxfiles", "maxfilesperproc"],
    ...[
      "maxproc",
      "maxprocperuid",
      "ngroups",
      "osproductversion",
      "osproductversioncompat",
      "osrelease",
      "osrevision",
    ],
    ...[
      "ostype",
      "osvariant_status",
      "osversion",
      "posix1version",
      "saved_ids",
      "secure_kernel",
      "tcsm_available",
    ],
    ...["usrstack64", "version", "willshutdown"],
  ].map((name) => `kern.${name}`).concat(
    "sysctl.proc_cputype",
    "sysctl.proc_native",
    "vm.loadavg",
    "vm.swapusage",
  ),
  prefixes: ["hw.", "machdep.cpu.", "kern.proc.pid.", "kern.proc.pgrp."],
};

/** Where a program lies that is denied by its name, beside the usual folders. */
export const MAC_PROGRAMS: readonly string[] = [
  ...["/opt/homebrew/bin", "/opt/homebrew/sbin", "/opt/local/bin", "/usr/libexec"],
  ...["/Library/Developer/CommandLineTools", "/Applications/Xcode.app/Contents/Developer"].map((tools) =>
    `${tools}/usr/bin`
  ),
];
