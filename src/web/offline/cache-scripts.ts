let asked = false

/** Makes the service worker cache every script. Called once this device has opened a page that works offline. */
export function cacheAllScripts(): void {
  if (asked || !('serviceWorker' in navigator)) return
  asked = true
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('keep all')).catch(() => undefined)
}
