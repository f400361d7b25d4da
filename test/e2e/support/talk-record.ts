import type { Page } from '@playwright/test'

/** Demo data: Ladders and stepladders. */
export const TALK = 'TT-0002'

export const people = (page: Page) => page.getByRole('region', { name: /\d signed/ })
export const person = (page: Page, name: string) => people(page).getByRole('listitem').filter({ hasText: name })
export const count = (page: Page) => people(page).getByRole('heading', { level: 2 })
