// Answers from the files that were kept at the first visit. `scripts/site` fills in their names and the version.
//
// The headers of these answers isolate the page from other sites, so that the engine's threads may share memory: from the
// second visit on, on any server.
const VERSION = "{version}";
const FILES = [{files}];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "reload" })))));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("alfiere-") && name !== VERSION);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

function isolated(kept) {
  const headers = new Headers(kept.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(kept.body, { status: kept.status, headers });
}

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true }))
    .then((kept) => (kept ? isolated(kept) : fetch(event.request))));
});
