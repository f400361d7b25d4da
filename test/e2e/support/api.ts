import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from './journey.ts'
import type { JourneyPortal } from './portal.ts'

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
 * Creates a member of the provider's staff, who chooses a password with the link of the invitation. Nobody else could
 * set it: the roles may control money or access.
 */
export async function createColleague(
  request: APIRequestContext,
  { letters }: Pick<JourneyPortal, 'letters'>,
  { password, ...colleague }: { username: string; name: string; roles: readonly string[]; password: string },
): Promise<void> {
  const login = await request.post('/api/security/login', { data: { username: 'manager', password: DEMO_PASSWORD } })
  const { token } = (await login.json()) as { token: string }
  const headers = { 'x-requested-with': 'portal', authorization: `Bearer ${token}` }
  const email = `${colleague.username}@portal.example`
  const made = await request.post('/api/portal/users', { data: { ...colleague, email }, headers })
  const { '@id': user } = (await made.json()) as { '@id': string }
  const invited = await request.post(`${user}/invite`, { headers })
  expect(invited.status(), await invited.text()).toBe(204)
  const findLink = () =>
    /\/forgotten-my-password\/(\w+)/.exec(letters.findLast(({ to }) => to === email)?.text ?? '')?.[1]
  await expect.poll(findLink).toBeTruthy()
  const chosen = await request.post(`/api/portal/password/reset/${findLink()}`, { data: { password } })
  expect(chosen.status(), await chosen.text()).toBe(204)
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
