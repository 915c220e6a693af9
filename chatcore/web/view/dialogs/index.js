/** Dialogs that are loaded when they are first opened. Each has the parts {chat, act, close} and its own. */

/** @type {Record<string, () => Promise<(props: any) => unknown>>} */
export const DIALOGS = {
  sure: async () => (await import("../dialog.js")).Sure,
  history: async () => (await import("./history.js")).History,
  move: async () => (await import("./move.js")).Move,
  readers: async () => (await import("./people.js")).Readers,
  reactions: async () => (await import("./people.js")).Reactions,
  report: async () => (await import("./report.js")).Report,
  remind: async () => (await import("./remind.js")).Remind,
};
