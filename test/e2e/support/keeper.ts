import type { Page } from '@playwright/test'

/** What keeps things without a connection, and shows them, has to be there before it goes. */
export const ready = (page: Page) =>
  page.waitForFunction(() =>
    [/queued-list/, /sign-out-dialog|start-/].every((file) =>
      performance.getEntriesByType('resource').some((r) => file.test(r.name)),
    ),
  )
