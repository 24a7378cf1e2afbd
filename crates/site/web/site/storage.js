// What is kept in this browser: bytes by name, in one table of a database.

const TABLE = "files";

/** @param {IDBRequest | IDBTransaction} what @returns {Promise<any>} */
const done = (what) =>
  new Promise((resolve, reject) => {
    const failed = () => reject(what.error ?? new Error("The browser's storage failed."));
    if (what instanceof IDBTransaction) {
      what.oncomplete = resolve;
      what.onabort = failed;
    } else {
      what.onsuccess = () => resolve(what.result);
    }
    what.onerror = failed;
  });

/** @typedef {{ name: string, changed: number, bytes: Uint8Array<ArrayBuffer> }} Kept */
/** @typedef {Map<string, Uint8Array<ArrayBuffer> | null>} Changes  nothing for what is deleted */

/** Opens the storage of a name. @param {string} name */
export async function openStorage(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "name" });
  /** @type {IDBDatabase} */
  const database = await done(request);
  return {
    /** Everything. @returns {Promise<Kept[]>} */
    all: () => done(database.transaction(TABLE).objectStore(TABLE).getAll()),
    /** Keeps changes, all or none; when it returns they are on disk. @param {Changes} changes */
    async keep(changes) {
      const transaction = database.transaction(TABLE, "readwrite", {
        durability: "strict",
      });
      const table = transaction.objectStore(TABLE);
      for (const [one, bytes] of changes) {
        if (bytes) table.put({ name: one, changed: Date.now(), bytes });
        else table.delete(one);
      }
      await done(transaction);
    },
  };
}
