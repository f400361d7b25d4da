import type { Page } from '@playwright/test'

/** Waits until the scripts of the offline queue are loaded. Call it before cutting the connection. */
export const waitForOfflineScripts = (page: Page) =>
  page.waitForFunction(() =>
    [/queued-list/, /sign-out-dialog|start-/].every((file) =>
      performance.getEntriesByType('resource').some((r) => file.test(r.name)),
    ),
  )
