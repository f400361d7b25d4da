import { expect, type Page } from '@playwright/test'

/** Waits until the scripts of the offline queue are loaded. Call it before cutting the connection. */
export const waitForOfflineScripts = (page: Page) =>
  page.waitForFunction(() =>
    [/queued-list/, /sign-out-dialog|start-/].every((file) =>
      performance.getEntriesByType('resource').some((r) => file.test(r.name)),
    ),
  )

/** Returns the keys of the queries cached in this browser for any user. */
export const cachedQueryKeys = (page: Page) =>
  page.evaluate(async () => {
    // Opening a missing database would create one without object stores.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'stanchion-copies')) return []
    return new Promise<string[]>((done, fail) => {
      const opening = indexedDB.open('stanchion-copies')
      opening.onerror = () => fail(opening.error)
      opening.onsuccess = () => {
        const base = opening.result
        if (!base.objectStoreNames.contains('copies')) return done([])
        const all = base.transaction('copies').objectStore('copies').getAllKeys()
        all.onsuccess = () => done(all.result.map(String))
      }
    })
  })

/**
 * Waits until the device has cached a query whose key contains `of`, and all of the portal's scripts, style sheets and
 * fonts.
 */
export async function waitUntilCached(page: Page, of: string): Promise<void> {
  await expect
    .poll(async () => (await cachedQueryKeys(page)).some((key) => key.includes(of)), { timeout: 20_000 })
    .toBe(true)
  const missing = () =>
    page.evaluate(async () => {
      const named = (await (await fetch('/sw.js')).text()).match(/assets\/[\w.-]+\.(?:js|css|woff2)/g) ?? []
      const there = await Promise.all([...new Set(named)].map((file) => caches.match(`/${file}`)))
      return named.length ? there.filter((file) => !file).length : 1
    })
  await expect.poll(missing, { timeout: 60_000 }).toBe(0)
}
