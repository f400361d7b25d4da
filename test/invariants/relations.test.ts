import { beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { listQueryParameters } from '#server/data/parameters.ts'
import { testPortal } from '#test/support/portal.ts'
import { IS_FULL_RUN, sampleShapes, testEach } from '#test/support/scope.ts'
import { insertRow, makeActors, makeInvariantWorld } from './world.ts'

// Tests every filter and sort order through a relation, for each user. A filter must match only values that the user
// could read in the related record, and a sort order must not lose any rows.

type RecordBody = Readonly<Record<string, unknown>>
interface Path {
  readonly r: Resource
  /** Name of the relation, and of the field in the related record. */
  readonly name: string
  readonly inner: string
  readonly target: Resource
  readonly field: Field
}

const portal = await testPortal()
const { engine } = portal
const world = await makeInvariantWorld(portal)
const people = new Map<string, Actor>()
const PEOPLE = ['employee', 'admin', 'reseller', 'staff', 'manager', 'stray']

const targetOf = (f: Field) => (f.target as () => Resource)()
const pathOf = (r: Resource, path: string): Path[] => {
  const [name = '', inner = ''] = path.split('.')
  const f = r.fields[name]
  if (f?.kind !== 'link' || !inner || inner === 'id' || f.nested?.[inner]) return []
  const target = targetOf(f)
  return [{ r, name, inner, target, field: target.fields[inner] as Field }]
}
const variables = (r: Resource) => listQueryParameters(r).map(({ variable }) => variable)
const resources = sampleShapes(engine.addressed)
const filters = resources.flatMap((r) => variables(r).flatMap((v) => (/^\w+\.\w+$/.test(v) ? pathOf(r, v) : [])))
const orders = resources.flatMap((r) =>
  variables(r).flatMap((v) => pathOf(r, /^order\[(\w+\.\w+)\]$/.exec(v)?.[1] ?? '')),
)

const made = new Map<Resource, number[]>()

/** Creates rows of the client and of the provider, some related to the client's own record and some to a template. */
async function makeRows({ r, name, target }: Path): Promise<void> {
  for (const clientId of r.tenant === 'own or template' ? [world.home.id, 0] : [world.home.id])
    for (const at of target.tenant === 'own or template' && clientId ? [clientId, 0] : [clientId]) {
      const id = await insertRow(world, r, clientId, 'Plain')
      made.set(r, [...(made.get(r) ?? []), id])
      if (r.columns[name] === 'client_id' || r.tenant === 'self') continue
      const related = target.tenant === 'shared' ? 1 : await insertRow(world, target, at, at ? 'Plain' : 'Template')
      const own = r.tenant === 'shared' ? '' : ` AND client_id = ${clientId}`
      await portal.db
        .tx('owner', (tx) =>
          tx.rows(`UPDATE ${r.table} SET ${r.columns[name]} = $1 WHERE id = $2${own}`, [related, id]),
        )
        // The database itself rejects some rows, so these rows cannot be requested.
        .catch(() => {})
    }
}

const reads = new Map<string, Promise<RecordBody | undefined>>()
/** Returns the related record as this user reads it at its own URL. */
function relatedTo(who: string, { name, target }: Path, record: RecordBody): Promise<RecordBody | undefined> {
  const value = record[name]
  const id = idFromAnyIri(value && typeof value === 'object' ? (value as RecordBody)['@id'] : value)
  if (id === undefined) return Promise.resolve(undefined)
  const key = `${who} ${target.url}/${id}`
  const read = reads.get(key) ?? engine.one(target, people.get(who), id).catch(() => undefined)
  reads.set(key, read)
  return read
}

const PAGE = { limit: 100, offset: 0 }
const lists = new Map<string, Promise<readonly RecordBody[]>>()
const listOf = async (who: string, r: Resource, query: RequestQuery = {}): Promise<readonly RecordBody[]> => {
  const key = `${who} ${r.url} ${JSON.stringify(query)}`
  const found =
    lists.get(key) ??
    engine.list(r, people.get(who), { ...query, 'id[]': made.get(r)?.map(String) }, PAGE, { count: false }).then(
      ({ members }) => members,
      () => [],
    )
  lists.set(key, found)
  return found
}

/** Converts a value to a query parameter. */
function asked(value: unknown): string {
  if (Array.isArray(value)) return asked(value[0])
  if (value && typeof value === 'object') return asked((value as RecordBody)['@id'])
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}

function fits({ field, target, inner }: Path, value: unknown, wanted: string): boolean {
  // No URL shows the owner of templates; a filter finds them by the provider's number.
  if (value === null && target.columns[inner] === 'client_id') return idFromAnyIri(wanted) === PROVIDER_CLIENT_ID
  if (value === undefined || value === null) return false
  if (Array.isArray(value)) return value.some((one) => asked(one) === wanted)
  const [a, b] = [asked(value).toLowerCase(), wanted.toLowerCase()]
  return field.filter === 'partial'
    ? a.includes(b)
    : field.filter === 'start'
      ? a.startsWith(b)
      : asked(value) === wanted
}

const idsOf = (records: readonly RecordBody[]) => records.map(({ id }) => Number(id)).toSorted((a, b) => a - b)
const say = ({ r, name, inner }: Path) => `${r.url}?${name}.${inner}`

beforeAll(async () => {
  for (const one of (await makeActors(world)).filter((a) => PEOPLE.includes(a.name))) {
    const actor = await portal.sessions.authenticate((await one.usual()) as string)
    if (actor) people.set(one.name, actor)
  }
  const seen = new Set<string>()
  for (const path of [...filters, ...orders]) {
    const key = `${path.r.url} ${path.name}`
    if (!seen.has(key)) await makeRows(path)
    seen.add(key)
  }
})

describe('relations in filters and sort orders', () => {
  test('there are enough relations that can be used in filters and sort orders', () => {
    expect([people.size, filters.length > (IS_FULL_RUN ? 30 : 5), orders.length > (IS_FULL_RUN ? 5 : 1)]).toEqual([
      PEOPLE.length,
      true,
      true,
    ])
  })

  testEach(
    'a filter through a relation finds the rows that its reader would find by reading the related records',
    filters,
    say,
    async (path) => {
      const values = new Set<string>()
      const told: [unknown, unknown][] = []
      for (const who of PEOPLE)
        for (const record of await listOf(who, path.r)) {
          const value = (await relatedTo(who, path, record))?.[path.inner]
          if (value !== undefined && value !== null && asked(value)) values.add(asked(value))
        }
      for (const who of PEOPLE)
        for (const wanted of [...values].slice(0, 3)) {
          const all = await listOf(who, path.r)
          const related = await Promise.all(all.map((record) => relatedTo(who, path, record)))
          const meant = all.filter((_, i) => fits(path, related[i]?.[path.inner], wanted))
          const found = await listOf(who, path.r, { [`${path.name}.${path.inner}`]: wanted })
          // If a user can read none of the related records, the filter is ignored.
          const ignored = related.every((one) => one === undefined) && found.length === all.length
          if (!ignored)
            told.push([
              [who, wanted, idsOf(found)],
              [who, wanted, idsOf(meant)],
            ])
        }
      expect(told.map(([found]) => found)).toEqual(told.map(([, meant]) => meant))
    },
  )

  testEach(
    'a sort order through a relation retains all rows, and puts those without a value last',
    orders,
    say,
    async (path) => {
      for (const who of PEOPLE) {
        const all = await listOf(who, path.r)
        const found = await listOf(who, path.r, { [`order[${path.name}.${path.inner}]`]: 'asc' })
        expect([who, idsOf(found)]).toEqual([who, idsOf(all)])
        const related = await Promise.all(found.map((record) => relatedTo(who, path, record)))
        const told = related.map((one) => one?.[path.inner] !== undefined && one[path.inner] !== null)
        if (told.some(Boolean)) expect([who, told.lastIndexOf(true)]).toEqual([who, told.filter(Boolean).length - 1])
      }
    },
  )
})
