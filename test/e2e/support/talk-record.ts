import type { Page } from '@playwright/test'

/** Toolbox talk in the demo data about ladders and stepladders. */
export const TALK_NUMBER = 'TT-0002'

export const attendeesRegion = (page: Page) => page.getByRole('region', { name: /\d signed/ })
export const attendeeRow = (page: Page, name: string) =>
  attendeesRegion(page).getByRole('listitem').filter({ hasText: name })
export const signedCount = (page: Page) => attendeesRegion(page).getByRole('heading', { level: 2 })
