/** Links to new calls, with the service that the organization has chosen. */

import { call } from "../kit.js";

/** The services, by their numbers. */
const JITSI = 1;
const BIG_BLUE_BUTTON = 4;

const random = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

/** The function that makes a link to a new call of a name; null without a service. @param {Chat} chat */
export function callLink({ state: { realm_video_chat_provider: provider, ...state } }) {
  const server = state.realm_jitsi_server_url ?? state.server_jitsi_server_url;
  if (provider === JITSI && server) return async (_) => `${server}/${random()}`;
  if (provider !== BIG_BLUE_BUTTON) return null;
  return async (name) => (await call("GET", "calls/bigbluebutton/create", { meeting_name: name })).url;
}
