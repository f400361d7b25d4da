import { expect } from '@playwright/test'
import { signInToApi } from '../support/api.ts'
import { readUnreadCount, requestSignature, SIGNATORY_USERNAME, safetyAreaLink } from '../support/bell.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'

test('another tab takes over when the tab with the event stream closes, and a notification read in one tab is read in all tabs', async ({
  page,
}) => {
  await requestSignature(page)
  await signIn(page, SIGNATORY_USERNAME, '/about')
  await expect(safetyAreaLink(page)).toHaveAccessibleName(/\d+ to (sign|approve)/)
  const second = await page.context().newPage()
  const streams: string[] = []
  second.on('request', (r) => r.url().endsWith('/notices/summary') && streams.push(r.url()))
  await second.goto('/help')
  await expect(safetyAreaLink(second)).toHaveAccessibleName(/\d+ to (sign|approve)/)
  expect(streams).toEqual([])
  await page.close()
  await expect.poll(() => streams.length).toBe(1)
  const worker = await signInToApi(second, SIGNATORY_USERNAME)
  const all = await second.request.post('/api/portal/notices/read_all', worker)
  expect(all.status()).toBe(200)
  await expect.poll(() => readUnreadCount(second)).toBe(0)
})

test('an open quote shows immediately that its customer has accepted it', async ({ page }) => {
  const manager = await signInToApi(page, 'manager')
  const list = await page.request.get('/api/financial/quotes?state=open&order[expiresAt]=desc&itemsPerPage=30', manager)
  interface Open {
    readonly id: number
    readonly '@id': string
    readonly number: number
    readonly ownedBy: string
  }
  const open = ((await list.json()) as { 'hydra:member': readonly Open[] })['hydra:member']
  // Excludes Q-00003, which quotes.spec declines.
  const quote = open.find((q) => q.number !== 3 && ['staff', 'manager'].includes(q.ownedBy)) as Open
  const made = await page.request.post(`${quote['@id']}/link`, { data: {}, ...manager })
  const token = ((await made.json()) as { link: string }).link.split('/quote/')[1]
  await signIn(page, quote.ownedBy, `/crm/quote/${quote.id}`)
  await waitUntilSettled(page)
  // The event stream has sent its initial state, so later events are new. They may include due callbacks.
  await expect.poll(() => readUnreadCount(page)).toBeGreaterThan(0)
  const before = await readUnreadCount(page)
  const accepted = await page.request.post(`/api/financial/acceptances/${token}/accept`, {
    data: { signature: { method: 'typed', name: 'Ann Carter' } },
  })
  expect(accepted.status()).toBe(200)
  await expect.poll(() => readUnreadCount(page)).toBeGreaterThan(before)
  await expect(page.getByText('Ann Carter accepted and signed')).toBeVisible()
})
