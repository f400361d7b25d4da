import { expect, type Page } from '@playwright/test'
import { PASSWORD } from './journey.ts'

/** Signs a person of the demo data in to the API, beside the open page, and returns their request options. */
export async function signInToApi(page: Page, username: string) {
  const login = await page.request.post('/api/security/login', { data: { username, password: PASSWORD } })
  const { token } = (await login.json()) as { token: string }
  return { headers: { authorization: `Bearer ${token}` } }
}

export type ApiRequestOptions = Awaited<ReturnType<typeof signInToApi>>

/** Creates a toolbox talk, in force unless `more` says otherwise, and returns its id. */
export async function makeTalk(
  page: Page,
  author: ApiRequestOptions,
  title: string,
  more: object = { approved: true },
): Promise<number> {
  const made = await page.request.post('/api/safety/toolbox_talks', {
    data: { title, points: [{ text: 'Look up before you lift.' }], complete: true, ...more },
    ...author,
  })
  expect(made.status()).toBe(201)
  return ((await made.json()) as { id: number }).id
}
