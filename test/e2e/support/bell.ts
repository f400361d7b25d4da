import { expect, type Page } from '@playwright/test'
import { makeTalk, signInToApi } from './api.ts'

export const SIGNATURE_REQUESTER_USERNAME = 'admin.brick'
export const SIGNATORY_USERNAME = 'worker.brick'

export const bellButton = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
export const readUnreadCount = async (page: Page) =>
  Number(/(\d+) unread/.exec((await bellButton(page).getAttribute('aria-label')) ?? '')?.[1] ?? 0)
export const safetyAreaLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: /^Documents/ })

/** Requests the worker's signature on a new talk. Returns the talk's title. */
export async function requestSignature(page: Page): Promise<string> {
  const [author, worker] = [
    await signInToApi(page, SIGNATURE_REQUESTER_USERNAME),
    await signInToApi(page, SIGNATORY_USERNAME),
  ]
  const title = `Slings and hooks ${Date.now() % 10_000}`
  const id = await makeTalk(page, author, title)
  const me = (await (await page.request.get('/api/security/user_check', worker)).json()) as { id: number }
  const asked = await page.request.post('/api/safety/sign_offs', {
    data: { document: `/api/safety/documents/${id}`, due: '2100-01-01', people: [me.id] },
    ...author,
  })
  expect(asked.status()).toBe(201)
  return title
}
