import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { listQueryParameters } from '#server/data/parameters.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { endpointForRoute, endpointsForResource } from '#server/http/endpoints.ts'
import { makeOddText, makeOddValue } from '#test/support/odd-values.ts'
import type { Random } from '#test/support/random.ts'

/** A method and URL to request, and the field names for its bodies. */
export interface FuzzTarget {
  readonly method: string
  /** URL with placeholders such as `{id}` for parameters. */
  readonly url: string
  readonly upload: boolean
  readonly resource: Resource | undefined
  readonly names: readonly string[]
}

export interface FuzzRequest {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** URLs that no module declares. */
const OTHERS = [
  '/healthz',
  '/readyz',
  '/',
  '/dashboard',
  '/api',
  '/api/docs.jsonld',
  '/api/docs.json',
  '/api/contexts/{name}',
  '/api/{nothing}',
]
/** Operations that change the portal's clock, which would break all other requests. */
export const EXCLUDED_OPERATIONS = new Set(['POST /api/portal/clock', 'PUT /api/portal/clock'])
/** Field names used in bodies of routes, in addition to the names of all fields. */
const BODY_FIELD_NAMES =
  'to message document username password token client reason items ids action input mapping from query list strokes answer keep file'

/**
 * Lists every method of every declared URL except the excluded operations, and GET for the URLs that no module
 * declares.
 */
export function listFuzzTargets(engine: Engine): FuzzTarget[] {
  const fields = engine.resources.flatMap((r) => Object.keys(r.fields))
  const names = [...new Set([...BODY_FIELD_NAMES.split(' '), ...fields])]
  const doors: FuzzTarget[] = [
    ...engine.addressed.flatMap((r) =>
      endpointsForResource(engine, r).map(({ method, url }) => {
        const inputs = Object.values(r.actions ?? {}).flatMap((a) => Object.keys(a.input))
        return { method, url, upload: false, resource: r, names: [...Object.keys(r.fields), ...inputs, '@id', 'id'] }
      }),
    ),
    ...registryOf(engine)
      .modules.flatMap((module) => module.routes ?? [])
      .map((r) => {
        const { method, url, upload = false } = endpointForRoute(engine, r)
        return { method, url, upload, resource: undefined, names: r.input ? Object.keys(r.input) : names }
      }),
    ...OTHERS.map((url) => ({ method: 'GET', url, upload: false, resource: undefined, names })),
  ]
  return doors.filter((d) => !EXCLUDED_OPERATIONS.has(`${d.method} ${d.url}`))
}

/** Identifiers of existing records, and a valid body for each resource. */
export interface KnownRecords {
  readonly ids: readonly string[]
  /** Existing records by the URL of their list. */
  readonly records: ReadonlyMap<string, string>
  readonly bodies: ReadonlyMap<Resource, Readonly<Record<string, unknown>>>
}

/** One in this many requests is as large as possible. Such a request costs more than all the others. */
const ONE_LARGE_IN = 50

/** Makes a request to a target. The request is partly valid and partly odd. */
export function makeFuzzRequest(random: Random, door: FuzzTarget, known: KnownRecords): FuzzRequest {
  const method = random.chance(0.05)
    ? random.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    : door.method
  const path = door.url.replace(/\{(\w+)\}/g, () => inPath(random, door, known))
  const query = random.chance(method === 'GET' ? 0.7 : 0.1) ? `?${queryFor(random, door, known)}` : ''
  const url = `${path}${query}`.slice(0, 15_000)
  const headers = headersFor(random, method)
  if (['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)) return { method, url, headers }
  if (door.upload) return { method, url, ...formFor(random, headers) }
  return { method, url, headers, body: bodyFor(random, door, known) }
}

function inPath(random: Random, door: FuzzTarget, { ids, records }: KnownRecords): string {
  const own = records.get(door.url.split('/{', 1)[0] ?? '')
  if (own !== undefined && random.chance(0.8)) return own
  return random.chance(0.7) ? random.pick(ids) : encode(makeOddText(random, random.chance(0.1) ? 3000 : 60))
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

function queryFor(random: Random, door: FuzzTarget, known: KnownRecords): string {
  const usual = [
    'page',
    'itemsPerPage',
    'pagination',
    'partial',
    'q',
    'by',
    'columns',
    'name',
    'client',
    'username',
    'dates',
    'original',
  ]
  const own = door.resource ? listQueryParameters(door.resource).map((p) => p.variable) : []
  if (random.below(ONE_LARGE_IN / 2) === 0) return manyValues(random, own)
  const count = random.chance(0.05) ? 400 : 1 + random.below(4)
  return Array.from({ length: count }, () => {
    const key = random.chance(0.1) ? makeOddText(random, 50) : random.pick([...usual, ...own, ...own])
    const value = random.chance(0.4)
      ? random.pick(['1', '0', 'true', 'asc', 'desc', '2026-01-01', ...known.ids])
      : makeOddText(random, 4000)
    return random.chance(0.9)
      ? `${encode(key)}=${encode(value)}`
      : `${key}=${encode(value)}`.replace(/[^\x21-\x7e]/g, '%FF')
  }).join('&')
}

/** Builds a query parameter with as many values as a URL can hold. */
function manyValues(random: Random, own: readonly string[]): string {
  const key = encode(random.pick([...own.filter((k) => k.endsWith('[]')), ...own, 'q', 'x']))
  const value = random.pick(['_', '1', '%', 'a', '2026-01-01', ''])
  return Array.from({ length: 1000 }, () => `${key}=${encode(value)}`).join('&')
}

function headersFor(random: Random, method: string): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  }
  if (random.chance(0.05))
    headers['content-type'] = random.pick([
      'text/plain',
      'application/ld+json; charset=utf-8',
      'multipart/form-data',
      '',
      'a/b;c="',
    ])
  if (random.chance(0.2))
    headers.accept = random.pick(['application/json', '*/*', 'text/csv', `a/b${' '.repeat(9000)},c`, ',;q=x'])
  if (random.chance(0.1))
    headers[random.pick(['if-match', 'if-none-match', 'prefer', 'range', 'if-range'])] = random.pick([
      '*',
      '"x"',
      'bytes=0-',
      'bytes=5-1',
      `"a"${' '.repeat(9000)}`,
      'return=minimal',
    ])
  return headers
}

function bodyFor(random: Random, { resource, names }: FuzzTarget, { bodies, ids }: KnownRecords): string {
  if (random.chance(0.05)) return makeOddText(random)
  if (random.chance(0.03)) return JSON.stringify(makeOddValue(random))
  const body: Record<string, unknown> = { ...(resource && random.chance(0.8) ? bodies.get(resource) : {}) }
  for (let n = random.below(resource ? 3 : 5); n > 0; n--) {
    const name = random.pick(names)
    const f: Field | undefined = resource?.fields[name]
    body[name] = random.chance(0.3) ? likely(random, f, ids) : makeOddValue(random)
  }
  if (random.below(ONE_LARGE_IN) === 0) Object.assign(body, muchOf(random, resource, names))
  return JSON.stringify(body)
}

/** Builds a body with as many rows, entries, IDs, numbers or keys as possible, in the fields that accept them. */
function muchOf(random: Random, resource: Resource | undefined, names: readonly string[]): Record<string, unknown> {
  const fields = Object.entries<Field>(resource?.fields ?? {})
  const rows = fields.filter(([, f]) => f.kind === 'rows')
  const lists = fields.filter(([, f]) => f.kind === 'strings' || f.kind === 'json').map(([name]) => name)
  const many = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n))
  const kind = random.below(rows.length ? 5 : 4)
  if (kind === 0) return { [random.pick([...lists, 'ids', ...names])]: many(random.pick([9000, 99_000]), () => 1) }
  if (kind === 1)
    return { [random.pick(['ids', 'items', ...lists])]: many(random.pick([9000, 99_000]), (n) => n + 1e6) }
  if (kind === 2) return Object.fromEntries(many(99_000, (n) => [`key${n}`, 1]))
  if (kind === 3) return { [random.pick([...lists, ...names])]: many(9000, () => [[[[[[{}]]]]]]) }
  const [name, f] = random.pick(rows)
  const row = rowOf(random, (f.target as () => Resource)().fields)
  return { [name]: many(random.pick([1000, 1001]), () => row) }
}

/** Builds a row of plausible texts and numbers. */
const rowOf = (random: Random, fields: Resource['fields']): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<Field>(fields).flatMap(([name, f]): [string, unknown][] => {
      if (f.readonly || f.kind === 'link' || f.kind === 'rows') return []
      if (f.options?.length) return [[name, random.pick(f.options).value]]
      if (f.kind === 'integer' || f.kind === 'decimal') return [[name, f.min ?? 1]]
      if (f.kind === 'flag') return [[name, true]]
      return f.kind === 'text' || f.kind === 'longText' || f.kind === 'richText' ? [[name, 'Words '.repeat(8)]] : []
    }),
  )

/** Generates a value of roughly the right type. */
function likely(random: Random, f: Field | undefined, ids: readonly string[]): unknown {
  const target = f?.target?.()
  if (target) return `${target.url}/${random.pick(ids)}`
  if (f?.options?.length) return random.pick(f.options).value
  return random.pick<unknown>([
    1,
    true,
    '2026-03-01',
    'a@b.example',
    ['a'],
    { '@id': `/api/portal/users/${random.pick(ids)}` },
  ])
}

const BOUNDARY = 'xxFUZZxx'

function formFor(random: Random, headers: Record<string, string>): Pick<FuzzRequest, 'headers' | 'body'> {
  const parts = Array.from({ length: random.chance(0.1) ? random.below(40) : 1 + random.below(4) }, () => {
    const name = random.pick(['file', 'label', 'folder', 'number', 'token', 'x', '__proto__'])
    const file = random.chance(0.5) ? `; filename="${random.pick(['a.csv', 'a.png', 'a.pdf', '..\\a', ''])}"` : ''
    const content = random.chance(0.5)
      ? random.pick(['%PDF-1.4', '\u0089PNG\r\n', 'Company,Phone\nAcme,1\n', 'GIF89a'])
      : makeOddText(random, 50_000)
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`
  })
  return {
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${parts.join('')}${random.chance(0.8) ? `--${BOUNDARY}--\r\n` : ''}`,
  }
}
