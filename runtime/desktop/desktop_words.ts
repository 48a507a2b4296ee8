import type { DesktopPrograms, MenuEntry } from "./find_desktop.ts";
import START from "./start_desktop.sh" with { type: "text" };

/** Size of the screen: the sandbox of the documented tool has this one. */
const SCREEN = { width: 1024, height: 768, depth: 24 };
/** Its name in its box, whose loopback network is its own. */
const DISPLAY = "127.0.0.1:0";

/** Variables of what runs on the desktop. No program there looks for a bus, or for helpers of the machine. */
export const DESKTOP_VARIABLES: Readonly<Record<string, string>> = {
  DISPLAY,
  GDK_BACKEND: "x11",
  QT_QPA_PLATFORM: "xcb",
  GSETTINGS_BACKEND: "memory",
  GTK_USE_PORTAL: "0",
  NO_AT_BRIDGE: "1",
  LIBGL_ALWAYS_SOFTWARE: "1",
};

/** Returns the words of the display itself. Nothing but its box can reach it, so it asks for no password. */
export function displayWords({ display }: DesktopPrograms): string[] {
  const { width, height, depth } = SCREEN;
  return [
    display,
    ":0",
    ...["-screen", "0", `${width}x${height}x${depth}`],
    ...["-listen", "tcp", "-nolisten", "unix", "-nolisten", "local"],
    ...["-nolock", "-noreset", "-ac", "-dpi", "96"],
  ];
}

/** Returns the words before those of the display, which start it with all that belongs to it. */
export function beforeDisplay(
  { manager }: DesktopPrograms,
  { menu, start }: { menu: readonly MenuEntry[]; start: readonly string[] },
): string[] {
  return ["bash", "-c", START, "desktop", manager, SETTINGS, menuText(menu), String(start.length), ...start];
}

/** The settings of the window manager: plain windows, the usual keys, and a menu on the empty desktop. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
<focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
<placement><policy>Smart</policy><center>yes</center></placement>
<theme><name>Clearlooks</name><titleLayout>NLIMC</titleLayout><animateIconify>no</animateIconify></theme>
<desktops><number>1</number><popupTime>0</popupTime></desktops>
<keyboard>
${key("A-F4", "Close")}${key("A-Tab", "NextWindow")}${key("A-S-Tab", "PreviousWindow")}
</keyboard>
<mouse><dragThreshold>4</dragThreshold><doubleClickTime>400</doubleClickTime>
<context name="Root">${
  ["Left", "Middle", "Right"].map((button) => mouse(button, "Press", MENU())).join("")
}</context>
<context name="Client">${
  ["Left", "Middle", "Right"].map((button) => mouse(button, "Press", TO_FRONT())).join("")
}</context>
<context name="Titlebar">${mouse("Left", "Press", TO_FRONT())}${mouse("Left", "Drag", action("Move"))}${
  mouse("Left", "DoubleClick", ZOOM())
}</context>
<context name="Top Bottom Left Right TLCorner TRCorner BLCorner BRCorner">${
  mouse("Left", "Drag", action("Resize"))
}</context>
<context name="Close">${mouse("Left", "Click", action("Close"))}</context>
<context name="Maximize">${mouse("Left", "Click", ZOOM())}</context>
<context name="Iconify">${mouse("Left", "Click", action("Iconify"))}</context>
</mouse>
<menu><file>MENU_FILE</file></menu>
</openbox_config>`;

function action(name: string): string {
  return `<action name="${name}"/>`;
}

function key(keys: string, name: string): string {
  return `<keybind key="${keys}">${action(name)}</keybind>`;
}

function mouse(button: string, when: string, actions: string): string {
  return `<mousebind button="${button}" action="${when}">${actions}</mousebind>`;
}

function MENU(): string {
  return `<action name="ShowMenu"><menu>root-menu</menu></action>`;
}

function TO_FRONT(): string {
  return `${action("Focus")}${action("Raise")}`;
}

function ZOOM(): string {
  return action("ToggleMaximize");
}

function menuText(entries: readonly MenuEntry[]): string {
  const items = entries.map(({ label, program }) =>
    `<item label="${escaped(label)}"><action name="Execute"><command>${
      escaped(`bash RUN_FILE ${quoted(program)}`)
    }</command></action></item>`
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<openbox_menu xmlns="http://openbox.org/3.4/menu"><menu id="root-menu" label="Programs">${items.join("")}
<separator/><menu id="client-list-combined-menu"/></menu></openbox_menu>`;
}

/** The window manager reads a command as a shell does. */
function quoted(program: string): string {
  return /^[\w./+-]+$/.test(program) ? program : `'${program.replaceAll("'", `'\\''`)}'`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
