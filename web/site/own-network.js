// The network that was trained in this browser, kept in the browser's storage.

const STORE = "own-network";

export async function keepNetwork(bytes) {
  await (await caches.open(STORE)).put("network", new Response(bytes));
}

/** The bytes of its file; `null` if there is none. */
export async function ownNetwork() {
  const kept = await globalThis.caches?.open(STORE).then((store) => store.match("network"));
  return kept ? kept.arrayBuffer() : null;
}
