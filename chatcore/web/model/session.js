/** What this browser has noted about its session, as no script sees the cookie. */

const HERE = new URL(".", document.baseURI).href;
/** The name of a note that there is a session: without one nothing is asked that needs it. */
const SESSION = `session ${HERE}`;
/** The name of a note that this browser has left for a login, or has logged out, and has no session since. */
const LEFT = `left ${HERE}`;

export const hasSession = () => localStorage.getItem(SESSION) !== null;

/** Note that a session has begun, or ended. @param {boolean} hasBegun */
export function noteSession(hasBegun) {
  if (hasBegun) localStorage.setItem(SESSION, "yes");
  else localStorage.removeItem(SESSION);
}

/** Whether the page may go to the login by itself: not in a circle, and not after somebody has logged out. */
export const goesByItself = () => localStorage.getItem(LEFT) === null;

/** Note that somebody logs out, which ends the session once the server has answered. */
export const noteLeaving = () => localStorage.setItem(LEFT, "yes");

/** Note that the session works. */
export const noteArrival = () => localStorage.removeItem(LEFT);

/** Note that the browser leaves for a login service, from which the page comes back with a session. */
export function leave() {
  noteLeaving();
  noteSession(true);
}
