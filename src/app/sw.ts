/// <reference lib="webworker" />
/**
 * Service worker that caches the app shell on the device, so that the portal opens offline. Never intercepts the API.
 */

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: readonly { url: string; revision: string | null }[] }

export {}

/** Returns true if requests for a path must be answered by the server, never from the cache. */
const isApiPath = (path: string): boolean => /^\/(api|healthz|readyz)(\/|$)/.test(path)

/** Returns true if a path is a file with a content hash in its name. */
const isAssetPath = (path: string): boolean => /^\/assets\/[^/]+$/.test(path)

const all = self.__WB_MANIFEST
const files = all.filter(({ revision }) => revision !== 'later')
/**
 * Files for the screens. Each file is cached when it is first opened, or all files are cached when a page requests
 * this.
 */
const others = all.filter(({ revision }) => revision === 'later').map(({ url }) => `/${url}`)
const version = files.map((f) => f.url + (f.revision ?? '')).join()
const SHELL = `shell-${hash(version)}`
const LATER = 'assets'
/** Cache key for the HTML page, which is the same for every other URL. No page has this path. */
const PAGE = '/offline'
/** Path of My-Task, which has an HTML page of its own. */
const TASK_PAGE = '/my-task'
/** Milliseconds without a response from the network after which the page is served from the cache. */
const NETWORK_TIMEOUT_MS = 4000

function hash(s: string): string {
  let h = 5381
  for (let i = 0; i < s.length; i++) h = (Math.imul(h, 33) ^ s.charCodeAt(i)) >>> 0
  return h.toString(36)
}

/**
 * Creates a request to fill the cache. Built files never change under the same name, so those that the page has just
 * fetched are taken from the HTTP cache.
 */
const fresh = (url: string) => new Request(url, { cache: isAssetPath(url) ? 'default' : 'reload' })

self.addEventListener('install', (e) => {
  e.waitUntil(caches.open(SHELL).then((c) => c.addAll([PAGE, TASK_PAGE, ...files.map((f) => `/${f.url}`)].map(fresh))))
})

self.addEventListener('activate', (e) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== SHELL && name !== LATER) await caches.delete(name)
    const later = await caches.open(LATER)
    for (const request of await later.keys())
      if (!others.includes(new URL(request.url).pathname)) await later.delete(request)
    await self.clients.claim()
  }
  e.waitUntil(old())
})

self.addEventListener('message', (e) => {
  if (e.data === 'take over') void self.skipWaiting()
  if (e.data === 'keep all') e.waitUntil(keepAll().then((complete) => e.ports[0]?.postMessage(complete)))
})

/** Number of files fetched concurrently in the background. */
const AT_ONCE = 4

/**
 * Caches every screen for offline use. A file that can't be fetched now is fetched when it is next requested. Resolves
 * to true if all are cached.
 */
async function keepAll(): Promise<boolean> {
  const later = await caches.open(LATER)
  const here = new Set((await later.keys()).map(({ url }) => new URL(url).pathname))
  const wanted = others.filter((url) => !here.has(url))
  const work = async () => {
    for (let url = wanted.shift(); url; url = wanted.shift()) await later.add(url).catch(() => undefined)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const kept = new Set((await later.keys()).map(({ url }) => new URL(url).pathname))
  return others.every((url) => kept.has(url))
}

/**
 * Returns the server's HTML page if the server responds in time, otherwise the cached page. The server's page is
 * preferred, because each response has its own nonce.
 */
async function page(request: Request): Promise<Response> {
  const isTaskPage = new URL(request.url).pathname === TASK_PAGE
  const kept = await caches.match(isTaskPage ? TASK_PAGE : PAGE)
  if (!kept) return fetch(request)
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(NETWORK_TIMEOUT_MS) })
    return answer.status >= 502 ? kept : answer
  } catch {
    return kept
  }
}

/**
 * Returns the cached copy of a built file if there is one, otherwise fetches and caches the file. Built files never
 * change under the same name, so a copy is always valid.
 */
async function asset(request: Request): Promise<Response> {
  const kept = await caches.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await (await caches.open(LATER)).put(request, answer.clone())
  return answer
}

self.addEventListener('fetch', (e) => {
  const { request } = e
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin || isApiPath(url.pathname)) return
  if (request.mode === 'navigate') e.respondWith(page(request))
  else if (isAssetPath(url.pathname) || files.some((f) => `/${f.url}` === url.pathname)) e.respondWith(asset(request))
})
