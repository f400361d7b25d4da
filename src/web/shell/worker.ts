import { useSyncExternalStore } from 'react'

let waiting: ServiceWorker | undefined
const listeners = new Set<() => void>()
const HOURLY = 3600_000

function ready(worker: ServiceWorker | null) {
  // The first worker on a device does not replace another worker, so there is no new version to announce.
  if (!worker || !navigator.serviceWorker.controller) return
  waiting = worker
  for (const l of listeners) l()
}

/** Registers the service worker, and regularly checks for a new version. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // If the browser refuses the registration, the portal works online only.
  const registration = await navigator.serviceWorker.register('/sw.js', { scope: '/' }).catch(() => undefined)
  if (!registration) return
  ready(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => coming.state === 'installed' && ready(coming))
  })
  setInterval(() => void registration.update().catch(() => undefined), HOURLY)
}

/** Returns a function that activates the new version and reloads the page; undefined if there is no new version. */
export function useNewVersion() {
  const there = useSyncExternalStore(
    (l) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    () => waiting,
  )
  return (
    there &&
    (() => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      there.postMessage('take over')
    })
  )
}
