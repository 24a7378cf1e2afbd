// The way to the server: a socket for messages, requests for the rest. A site without a server has another
// file in this place (crates/site/web/wire.js).

/** Pages of which there is nothing here. @type {ReadonlySet<string>} */
export const missing = new Set();

/**
 * Opens the socket; what is returned sends a text, and says whether there was somebody to take it.
 * @param {{ opened: () => void, text: (text: string) => void, closed: () => void }} ears
 */
export function open({ opened, text, closed }) {
  const socket = new WebSocket(`ws://${location.host}/ws`);
  socket.onopen = opened;
  socket.onmessage = (event) => text(event.data);
  socket.onclose = closed;
  return (/** @type {string} */ words) => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(words);
    return true;
  };
}

/** Asks for something. @param {string} path @param {RequestInit} [init] */
export const ask = (path, init) => fetch(path, init);
