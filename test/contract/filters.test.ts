import { describe, expect, test } from 'vitest'
import { createSpecimenKind, openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const client = await portal.client()
const api = client.as(await client.user())
const LIST = '/api/test/specimens'

const kinds: Record<string, string> = {}
for (const name of ['Fungus', 'Fur', 'Stone'])
  kinds[name] = (await createSpecimenKind(portal, `${name} ${client.id}`))['@id']
const iris: Record<string, string> = {}
const rows = [
  {
    name: 'Ash',
    code: 'A1',
    zone: 'LS1 4AB',
    motto: 'slow and steady',
    amount: -5,
    price: 0.5,
    active: true,
    born: '2024-02-29',
    seen: '2026-03-01T10:00:00+00:00',
    due: 1000,
    colour: 'red',
    tags: ['x', 'y'],
    kind: kinds.Fungus,
  },
  {
    name: 'ashen_BEECH',
    code: 'b2',
    zone: 'ls12',
    motto: 'Steady goes',
    amount: 0,
    price: 10,
    active: false,
    born: '2025-01-01',
    seen: '2026-03-01T10:00:01+00:00',
    due: 1001,
    colour: 'green',
    tags: ['y'],
    kind: kinds.Fur,
  },
  {
    name: '100% Cedar',
    code: 'c3',
    zone: 'M1',
    motto: 'unsteady',
    amount: 7,
    price: 10.25,
    seen: '2026-03-02T00:00:00+00:00',
    born: '2025-01-02',
    due: 2000,
    tags: ['z'],
    kind: kinds.Stone,
  },
  { name: 'Élan \\ back', code: '', amount: 20, price: 100 },
]
for (const row of rows) {
  const { body } = await api.post(LIST, { ...row, parent: iris.Ash ?? null })
  iris[row.name.split(' ')[0] as string] = body['@id']
}
const id = (name: string) => iris[name]?.split('/').at(-1)
// Stored times may have fractions of a second that the API does not show.
await portal.db.tx({ clientId: client.id }, (tx) =>
  tx.rows(
    "UPDATE specimen SET seen = seen + interval '0.7 seconds', due = due + interval '0.7 seconds' WHERE client_id = $1",
    [client.id],
  ),
)

/** Returns the first words of the names of the records that a query finds, sorted. Expects the total to match. */
async function found(query: string): Promise<string> {
  const { status, body } = await api.get(`${LIST}?${query}`)
  expect(status, query).toBe(200)
  const names = body['hydra:member'].map((m: { name: string }) => m.name.split(' ')[0])
  expect(body['hydra:totalItems'], query).toBe(names.length)
  return names.sort().join(' ')
}
const ALL_NAMES = '100% Ash ashen_BEECH Élan'

describe.each([
  [
    'search',
    [
      ['name=ash', 'Ash ashen_BEECH'],
      ['name=ASH', 'Ash ashen_BEECH'],
      ['name=100%25', '100%'],
      ['name=%25', '100%'],
      ['name=_', 'ashen_BEECH'],
      ['name=%5C', 'Élan'],
      ['name=%C3%A9lan', 'Élan'],
      ['name[]=cedar&name[]=beech', '100% ashen_BEECH'],
      ['name%5B%5D=cedar&name%5B%5D=beech', '100% ashen_BEECH'],
      ['name[0]=cedar&name[1]=beech', '100% ashen_BEECH'],
      ['name=nobody', ''],
      ['code=A1', 'Ash'],
      ['code=a1', ''],
      ['code[]=A1&code[]=c3', '100% Ash'],
      ['zone=ls1', 'Ash ashen_BEECH'],
      ['zone=S1', ''],
      ['zone=LS1%204', 'Ash'],
      ['motto=steady', 'Ash ashen_BEECH'],
      ['motto=and', 'Ash'],
      ['motto=nsteady', ''],
      ['colour=red', 'Ash'],
      ['tags=y', 'Ash ashen_BEECH'],
      ['tags[]=x&tags[]=z', '100% Ash'],
      ['q=ash', 'Ash ashen_BEECH'],
      ['q=ash%20beech', 'ashen_BEECH'],
      ['name=ash&colour=red', 'Ash'],
    ],
  ],
  [
    'relation and id',
    [
      [`kind=${kinds.Fur}`, 'ashen_BEECH'],
      [`kind=${kinds.Fur?.split('/').at(-1)}`, 'ashen_BEECH'],
      [`kind[]=${kinds.Fur}&kind[]=${kinds.Stone?.split('/').at(-1)}`, '100% ashen_BEECH'],
      [`kind[0]=${encodeURIComponent(kinds.Fur ?? '')}`, 'ashen_BEECH'],
      [`kind=${client.iri}`, ALL_NAMES],
      ['kind=999999', ''],
      [`parent=${iris.Ash}`, '100% ashen_BEECH Élan'],
      [`id=${id('Ash')}`, 'Ash'],
      [`id=${iris.Ash}`, 'Ash'],
      [`id[]=${iris.Ash}&id[]=${id('100%')}`, '100% Ash'],
      [`id[0]=${id('Ash')}&id[1]=${id('Élan')}`, 'Ash Élan'],
      ['id=0', ''],
    ],
  ],
  [
    'nested',
    [
      [`kind.name=fungus`, 'Ash'],
      ['kind.name[]=fungus&kind.name[]=stone', '100% Ash'],
      [`kind.id=${kinds.Fur?.split('/').at(-1)}`, 'ashen_BEECH'],
      [`parent.name=ash`, '100% ashen_BEECH Élan'],
      [`parent.id=${id('Ash')}`, '100% ashen_BEECH Élan'],
      ['parent.active=true', '100% ashen_BEECH Élan'],
      ['parent.amount=-5', '100% ashen_BEECH Élan'],
      ['kind.nothing=1', ALL_NAMES],
      ['nothing.name=1', ALL_NAMES],
      ['kind.code=1', ALL_NAMES],
    ],
  ],
  [
    'boolean',
    [
      ['active=true', 'Ash'],
      ['active=1', 'Ash'],
      ['active=false', '100% ashen_BEECH Élan'],
      ['active=0', '100% ashen_BEECH Élan'],
      ['active=yes', ALL_NAMES],
      ['active=', ALL_NAMES],
      ['active=TRUE', ALL_NAMES],
    ],
  ],
  [
    'numeric',
    [
      ['amount=7', '100%'],
      ['amount=-5', 'Ash'],
      ['amount[]=7&amount[]=0', '100% ashen_BEECH'],
      ['amount=seven', ALL_NAMES],
      ['amount[]=seven&amount[]=7', '100%'],
      ['price=10.25', '100%'],
      ['price=10.0', 'ashen_BEECH'],
      ['due=1000', 'Ash'],
      ['due[]=1000&due[]=2000', '100% Ash'],
      ['amount=99999999999999999999999', ALL_NAMES],
      ['big=9007199254740991', ''],
    ],
  ],
  [
    'range',
    [
      ['amount[gt]=0', '100% Élan'],
      ['amount[gte]=0', '100% ashen_BEECH Élan'],
      ['amount[lt]=0', 'Ash'],
      ['amount[lte]=0', 'Ash ashen_BEECH'],
      ['amount[gt]=-5&amount[lt]=20', '100% ashen_BEECH'],
      ['amount[between]=0..7', '100% ashen_BEECH'],
      ['amount%5Bbetween%5D=-5..0', 'Ash ashen_BEECH'],
      ['amount[between]=7..0', ''],
      ['amount[between]=7', ALL_NAMES],
      ['amount[between]=a..b', ALL_NAMES],
      ['amount[gt]=lots', ALL_NAMES],
      ['amount[gt]=', ALL_NAMES],
      ['amount[nearly]=5', ALL_NAMES],
      ['amount[gt]=1e300', ''],
      ['price[gte]=10.25', '100% Élan'],
      ['price[lt]=0.51', 'Ash'],
      ['name[gt]=a', ALL_NAMES],
      ['due[gt]=1000', '100% ashen_BEECH'],
      ['due[gte]=1000', '100% Ash ashen_BEECH'],
      ['due[lte]=1000', 'Ash'],
      ['due[lt]=1001', 'Ash'],
      ['due[between]=1000..1001', 'Ash ashen_BEECH'],
      ['due[gt]=1e300', ALL_NAMES],
    ],
  ],
  [
    'date',
    [
      ['born[after]=2025-01-01', '100% ashen_BEECH'],
      ['born[strictly_after]=2025-01-01', '100%'],
      ['born[before]=2025-01-01', 'Ash ashen_BEECH'],
      ['born[strictly_before]=2025-01-01', 'Ash'],
      ['born=2024-02-29', 'Ash'],
      ['born[after]=2024-03-01&born[before]=2025-01-01', 'ashen_BEECH'],
      ['born[after]=2025-01-01T23:00:00Z', '100% ashen_BEECH'],
      ['born[after]=soon', ALL_NAMES],
      ['born[after]=2025-02-30', ALL_NAMES],
      ['born[after]=0000-01-01', ALL_NAMES],
      ['born[after]=99999-01-01', ALL_NAMES],
      ['seen[after]=2026-03-01T10:00:01%2B00:00', '100% ashen_BEECH'],
      ['seen[strictly_after]=2026-03-01T10:00:01%2B00:00', '100%'],
      ['seen[before]=2026-03-01T10:00:00%2B00:00', 'Ash'],
      ['seen[before]=2026-03-01T10:00:00+00:00', 'Ash'],
      ['seen[strictly_before]=2026-03-01T10:00:01Z', 'Ash'],
      ['seen[after]=2026-03-01T11:00:01%2B01:00', '100% ashen_BEECH'],
      ['seen[after]=2026-03-01T10:00:01', '100% ashen_BEECH'],
      ['seen[after]=2026-03-02', '100%'],
      ['seen=2026-03-01T10:00:00%2B00:00', 'Ash'],
      ['seen[after]=2026-02-30T00:00:00Z', ALL_NAMES],
      ['seen[after]=0000-01-01', ALL_NAMES],
      ['seen[after]=2026-01-01T00:00:00%2B20:00', '100% Ash ashen_BEECH'],
      ['seen[after]=', ALL_NAMES],
      ['due[after]=1970-01-01T00:16:41Z', '100% ashen_BEECH'],
      ['due[before]=1970-01-01T00:16:40Z', 'Ash'],
      ['amount[after]=2025-01-01', ALL_NAMES],
    ],
  ],
  [
    'exists',
    [
      ['exists[born]=true', '100% Ash ashen_BEECH'],
      ['exists[born]=1', '100% Ash ashen_BEECH'],
      ['exists[born]=', '100% Ash ashen_BEECH'],
      ['exists[born]', '100% Ash ashen_BEECH'],
      ['exists[born]=false', 'Élan'],
      ['exists[born]=0', 'Élan'],
      ['born[exists]=true', '100% Ash ashen_BEECH'],
      ['born[exists]=', '100% Ash ashen_BEECH'],
      ['born[exists]=0', 'Élan'],
      ['exists%5Bkind%5D=false', 'Élan'],
      ['exists[parent]=0', 'Ash'],
      ['exists[born]=maybe', ALL_NAMES],
      ['exists[nothing]=1', ALL_NAMES],
      ['exists[tags]=0', 'Élan'],
      ['exists[tags]=1', '100% Ash ashen_BEECH'],
    ],
  ],
  [
    'unknown and ignored',
    [
      ['', ALL_NAMES],
      ['unknown=1', ALL_NAMES],
      ['unknown[gt]=1', ALL_NAMES],
      ['name[nearly]=ash', ALL_NAMES],
      ['name.x=ash', ALL_NAMES],
      ['[]=1', ALL_NAMES],
      ['order=asc', ALL_NAMES],
      ['story=1', ALL_NAMES],
      ['secret=1', ALL_NAMES],
      ['hidden=1', ALL_NAMES],
      ['exists[hidden]=1', ALL_NAMES],
      ['staffNote=1', ALL_NAMES],
      ['__proto__=1', ALL_NAMES],
      ['constructor.name=1', ALL_NAMES],
      ['constructor[gt]=1', ALL_NAMES],
      ['exists[toString]=1', ALL_NAMES],
      ['client=0', ALL_NAMES],
      ['clientId=0', ALL_NAMES],
      ['client_id=0', ALL_NAMES],
      ['name=%00', ALL_NAMES],
      ['q=%00', ALL_NAMES],
      ['code=A%001', 'Ash'],
      ['tags=%00', ''],
      ['code=%27%3B%20DROP%20TABLE%20specimen%3B--', ''],
      ['kind=%2Fapi%2Ftest%2Fspecimen_kinds%2F%25', ALL_NAMES],
      ['name=%zz', ''],
      ['&&&=&', ALL_NAMES],
    ],
  ],
] as [string, [string, string][]][])('%s filters', (_, cases) => {
  test.each(cases)('the filter ?%s finds %s', async (query, expected) => {
    expect(await found(query)).toBe(expected.split(' ').sort().join(' '))
  })
})

describe('the sort order of a list', () => {
  const ordered = async (query: string) => {
    const { status, body } = await api.get(`${LIST}?${query}`)
    expect(status).toBe(200)
    return body['hydra:member'].map((m: { name: string }) => m.name.split(' ')[0]).join(' ')
  }
  test.each([
    ['order[amount]=asc', 'Ash ashen_BEECH 100% Élan'],
    ['order[amount]=DESC', 'Élan 100% ashen_BEECH Ash'],
    ['order[amount]=DeSc', 'Élan 100% ashen_BEECH Ash'],
    ['order%5Bamount%5D=desc', 'Élan 100% ashen_BEECH Ash'],
    ['order[id]=desc', 'Élan 100% ashen_BEECH Ash'],
    ['order[active]=asc&order[amount]=desc', 'Élan 100% ashen_BEECH Ash'],
    ['order[kind.name]=asc&order[id]=asc', 'Ash ashen_BEECH 100% Élan'],
    ['order[kind.name]=desc&exists[kind]=1', '100% ashen_BEECH Ash'],
    ['order[born]=desc&order[amount]=asc&exists[born]=1', '100% ashen_BEECH Ash'],
    ['order[nothing]=asc&order[amount]=desc', 'Élan 100% ashen_BEECH Ash'],
    ['order[amount]=sideways&order[id]=desc', 'Élan 100% ashen_BEECH Ash'],
  ])('a list sorted by %s', async (query, expected) => {
    expect(await ordered(query)).toBe(expected)
  })

  test('several sort fields apply in the sequence of the query, and rows without the related record remain in the list', async () => {
    expect(await ordered('order[parent.name]=asc&order[amount]=desc')).toBe('Élan 100% ashen_BEECH Ash')
    expect((await ordered('order[kind.name]=asc')).split(' ')).toHaveLength(4)
  })

  test.each(['hidden', 'staffNote', 'secret', 'story', 'kind.code', 'parent.hidden', 'kind.nothing', 'constructor'])(
    'order[%s] is ignored',
    async (path) => {
      expect(await ordered(`order[${path}]=desc&order[amount]=asc`)).toBe('Ash ashen_BEECH 100% Élan')
    },
  )
})

test('no filter finds records of another client, whatever its value', async () => {
  const other = await portal.client()
  const stranger = other.as(await other.user())
  for (const query of [
    `id=${id('Ash')}`,
    `id=${iris.Ash}`,
    'name=ash',
    `parent=${iris.Ash}`,
    `client=${client.id}`,
    'exists[born]=1',
  ])
    expect((await stranger.get(`${LIST}?${query}`)).body['hydra:member']).toEqual([])
})

test('every parameter of hydra:search is accepted with any value', async () => {
  const { body } = await api.get(LIST)
  const names = body['hydra:search']['hydra:mapping'].map((m: { variable: string }) => encodeURIComponent(m.variable))
  for (const name of names) expect((await api.get(`${LIST}?${name}=1&itemsPerPage=1`)).status, name).toBe(200)
  for (const value of ['x', '', '%00', '2026-01-01', '1..2', '-1', '1e999', '/api/x/1', '%F0%9F%92%A9']) {
    const all = names.map((name: string) => `${name}=${value}`).join('&')
    expect((await api.get(`${LIST}?${all}`)).status, value).toBe(200)
  }
})

test('the number of search words in a request is limited', async () => {
  const asking = (count: number, parameter: string) => Array.from({ length: count }, () => parameter).join('&')
  expect((await api.get(`${LIST}?${asking(50, 'name[]=_')}`)).status).toBe(200)
  for (const query of [
    asking(51, 'name[]=_'),
    `${asking(30, 'name[]=_')}&${asking(30, 'motto[]=_')}`,
    asking(51, 'kind.name[]=_'),
    asking(51, 'seen[]=2026-01-01'),
  ])
    expect([query.slice(0, 20), (await api.get(`${LIST}?${query}`)).status]).toEqual([query.slice(0, 20), 400])
  expect((await api.get(`${LIST}?${asking(500, 'id[]=1')}`)).status).toBe(200)
})

describe('upper and lower case and several words in searches', () => {
  test('search text is lower-cased by the database, so characters with special case rules are found too', async () => {
    const { body } = await api.post(LIST, { name: 'İSTANBUL ΟΔΟΣ Straße', zone: 'İX1', motto: 'ΟΔΟΣ İzmir' })
    const found = async (query: string) =>
      (await api.get(`${LIST}?${query}`)).body['hydra:member'].map((m: { id: number }) => m.id)
    for (const [name, value] of [
      ['name', 'İSTANBUL'],
      ['name', 'ΟΔΟΣ'],
      ['name[]', 'İSTAN'],
      ['zone', 'İx'],
      ['motto', 'İZM'],
      ['q', 'İstanbul οδοΣ'],
    ] as const)
      expect([value, await found(`${name}=${encodeURIComponent(value)}`)]).toEqual([value, [body.id]])
    const several = ['İSTANBUL', 'no"such\\{name}', ','].map((v) => `name[]=${encodeURIComponent(v)}`)
    expect(await found(several.join('&'))).toEqual([body.id])
  })

  test('all words of a search are applied, including the ninth and those in repeated q parameters', async () => {
    const { body } = await api.post(LIST, { name: 'one two three four five six seven eight nine' })
    const total = async (query: string) => (await api.get(`${LIST}?${query}`)).body['hydra:totalItems']
    const words = 'one two three four five six seven eight'
    expect(await total(`q=${encodeURIComponent(`${words} nine`)}`)).toBe(1)
    expect(await total(`q=${encodeURIComponent(`${words} ten`)}`)).toBe(0)
    expect([await total('q=one&q=nine'), await total('q=one&q=ten')]).toEqual([1, 0])
    expect((await api.get(`${LIST}?q=${'a%20'.repeat(51)}`)).status).toBe(400)
    await api.put(body['@id'], { name: 'Over' })
  })
})

test('a date filter is ignored if anything but a time follows the date', async () => {
  const ask = async (query: string) => (await api.get(`${LIST}?${query}`)).body['hydra:totalItems'] as number
  const all = await ask('')
  expect(await ask('born=2024-02-29T10:20:30Z')).toBe(1)
  for (const odd of ['2024-02-29Tomorrow', '2024-02-29 or so', '2024-02-29T', '2024-02-29T10'])
    expect([odd, await ask(`born=${encodeURIComponent(odd)}`)]).toEqual([odd, all])
})
