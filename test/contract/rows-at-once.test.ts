import { expect, test } from 'vitest'
import { PACKS } from '#kernel/packs.ts'
import { createCustomer } from '#test/support/payments.ts'
import { testPortal } from '#test/support/portal.ts'

// Simultaneous saves of one record. Each save replaces the record's rows, so the rows of the last one are stored.

const portal = await testPortal()
const client = await portal.client({ packs: PACKS })
const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_EMPLOYEE'] }))
const finance = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
const TIMES = 4

const cases = [
  [
    'points of a talk',
    admin,
    '/api/safety/toolbox_talks',
    async () => ({ title: 'Ladders', points: [] }),
    'points',
    (i = 0) => ({ text: `Look up ${i}.` }),
  ],
  [
    'lines of an invoice',
    finance,
    '/api/financial/invoices',
    async () => ({ customer: await createCustomer(finance), lines: [] }),
    'lines',
    (i = 0) => ({ description: `Visit ${i}`, quantity: 1, unitAmount: 10_000 }),
  ],
] as const

test.each(cases)('simultaneous saves store the %s only once', async (_what, api, url, body, field, row) => {
  const { '@id': iri } = (await api.post(url, await body())).body
  for (let round = 0; round < TIMES; round++) {
    const saves = await Promise.all(Array.from({ length: TIMES }, () => api.patch(iri, { [field]: [row()] })))
    expect(saves.map(({ status }) => status)).toEqual(Array(TIMES).fill(200))
    expect((await api.get(iri)).body[field]).toMatchObject([row()])
  }
})

test.each(cases)(
  'only one of several simultaneous saves of one version with different %s is stored',
  async (_what, api, url, body, field, row) => {
    const { '@id': iri } = (await api.post(url, await body())).body
    const { etag = '' } = (await api.get(iri)).headers
    const saves = await Promise.all(
      Array.from({ length: TIMES }, (_, i) => api.patch(iri, { [field]: [row(i)] }, { 'if-match': etag })),
    )
    expect(saves.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
    expect((await api.get(iri)).body[field]).toMatchObject([row(saves.findIndex(({ status }) => status === 200))])
  },
)
