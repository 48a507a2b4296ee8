/** Words that its first use says, and what shows permissions. */
export const USER_BROWSER_WORDS =
  "your own browser: its pages have your logins, no sandbox holds them, and only the addresses that tools open are held " +
  "to what is granted";
