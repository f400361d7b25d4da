import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from './journey.ts'

/** Signs a demo user in to the API, separately from the open page. Returns the request options for that user. */
export async function signInToApi(page: Page, username: string) {
  const login = await page.request.post('/api/security/login', { data: { username, password: DEMO_PASSWORD } })
  const { token } = (await login.json()) as { token: string }
  return { headers: { authorization: `Bearer ${token}` } }
}

export type ApiRequestOptions = Awaited<ReturnType<typeof signInToApi>>

/** Returns a function that sends a demo user's request, expects it to succeed, and returns the body of its response. */
export async function createApiSender(page: Page, username: string) {
  const user = await signInToApi(page, username)
  return async (method: 'get' | 'post' | 'put' | 'delete', path: string, data?: object) => {
    const answer = await page.request[method](path, { ...user, ...(data ? { data } : {}) })
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return answer.json()
  }
}

/**
 * Sets a user's first password as an administrator, and replaces it, as its owner must, by the given one. `user`: IRI of
 * the user.
 */
export async function setOwnPassword(
  request: APIRequestContext,
  administrator: ApiRequestOptions,
  { user, username, password }: { readonly user: string; readonly username: string; readonly password: string },
): Promise<void> {
  const temporary = 'window carpet moon'
  const set = await request.put(`${user}/password`, { data: { password: temporary }, ...administrator })
  expect(set.status()).toBe(204)
  const login = await request.post('/api/security/login', { data: { username, password: temporary } })
  const { passwordLink } = (await login.json()) as { passwordLink: { token: string } }
  const chosen = await request.post(`/api/portal/password/reset/${passwordLink.token}`, { data: { password } })
  expect(chosen.status()).toBe(204)
}

/** Creates a toolbox talk and returns its ID. The talk is in force unless `more` says otherwise. */
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
