import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES, VIOLATION_CODES } from '#kernel/error-codes.ts'
import type { ErrorCode } from '#kernel/error-statuses.ts'
import type { Violation } from '#kernel/errors.ts'
import type { Actor as KernelActor } from '#kernel/roles.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'
import { declarationText, IS_FULL_RUN, sampleUnlessFullRun } from '#test/support/scope.ts'
import {
  makePermissionMatrixWorld,
  type PermissionMatrixCase,
  type PermissionMatrixWorld,
  UNKNOWN_ID,
} from './matrix-cases.ts'
import { decisionMatchesCell, predictPermissionMatrixCells } from './matrix-decisions.ts'
import { CLIENT_MARKS, snapshotClient, type TestActor } from './world.ts'

// Tests every declared URL and verb for each user. The result is committed as `matrix.txt`, so that its diff shows
// changes of permissions. `test:all` requests every cell over HTTP; UPDATE_MATRIX=1 writes the file. `npm test`
// computes the cells from the declarations. It requests only a tenth of the resources, the changed resources, and the
// cells for which the file differs from the declarations.

const FILE = join(import.meta.dirname, 'matrix.txt')
const ASKS_ALL = IS_FULL_RUN || process.env.UPDATE_MATRIX !== undefined

interface Outcome {
  readonly c: PermissionMatrixCase
  readonly actor: TestActor
  readonly answer: TestResponse
}

const portal = await testPortal()
const { engine } = portal
let matrix: PermissionMatrixWorld
const outcomes: Outcome[] = []
const cells = new Map<PermissionMatrixCase, Map<TestActor, string>>()
/** Users who changed records of another client. */
const intruders: string[] = []

const HEADING = [
  'Status of every address × verb for everybody; in lists, +n rows of other clients (out of one row in each).',
  '',
]
const PERSON_WIDTH = 10

function lineOf(
  { method, path, note }: Pick<PermissionMatrixCase, 'method' | 'path' | 'note'>,
  texts: readonly string[],
): string {
  const width = Math.max(...matrix.cases.map((c) => c.path.length)) + 2
  const of = `${method.padEnd(7)}${path.padEnd(width)}${note.padEnd(12)}`
  return `${of}${texts.map((s) => s.padEnd(PERSON_WIDTH)).join('')}`.trimEnd()
}

type Committed = ReadonlyMap<string, readonly string[]>

/** Reads the committed cells, by the start of their line, in the order of the users. */
function readCommitted(): Committed {
  const [people = '', ...lines] = readFileSync(FILE, 'utf8').split('\n').slice(HEADING.length)
  const start = people.indexOf('nobody')
  const cellsIn = (text: string) =>
    Array.from({ length: Math.ceil(text.length / PERSON_WIDTH) }, (_, n) =>
      text.slice(n * PERSON_WIDTH, (n + 1) * PERSON_WIDTH).trim(),
    )
  return new Map(lines.map((line) => [line.slice(0, start).trimEnd(), cellsIn(line.slice(start))]))
}

const textOf = () =>
  [
    ...HEADING,
    lineOf(
      { method: '', path: '', note: '' },
      matrix.actors.map((a) => a.name),
    ),
    ...matrix.cases
      .filter((c) => c.note !== 'unfiltered')
      .map((c) =>
        lineOf(
          c,
          matrix.actors.map((a) => cells.get(c)?.get(a) ?? '-'),
        ),
      ),
    '',
  ].join('\n')

async function send(a: TestActor, method: string, url: string, body?: Record<string, unknown>): Promise<TestResponse> {
  const token = await (url.startsWith('/api/security/') ? a.token() : a.usual())
  return portal.anonymous.send(method, url, {
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' } : {}),
    },
    ...(body ? { body } : {}),
  })
}

async function ask(c: PermissionMatrixCase, actor: TestActor): Promise<string> {
  const answer = await send(actor, c.method, await c.url(actor), await c.body?.(actor))
  outcomes.push({ c, actor, answer })
  const members: { id: number }[] = answer.body?.['hydra:member'] ?? []
  const seen = c.foreign?.(actor).filter((id) => members.some((m) => m.id === id)).length
  return `${answer.status}${seen ? ` +${seen}` : ''}`
}

/**
 * Returns the resource to which a URL belongs, or the URL itself. Requests in a group run in sequence, because each
 * changes records for the next.
 */
function groupOf({ path }: PermissionMatrixCase): string {
  const below = engine.addressed.filter((r) => path === r.url || path.startsWith(`${r.url}/`))
  return below.reduce((a, { url }) => (url.length > a.length ? url : a), '') || path
}

/** Groups in which one user gives a record to another employee, so that the next user can't find it. */
const MOVING = ['/api/employees/sickness_absences']

/**
 * Returns the groups whose cases are all requested: a sample, and groups in which one user moves or deletes records that
 * the next user then cannot find.
 */
function askedGroups(committed: Committed): ReadonlySet<string> {
  const byGroup = Map.groupBy(matrix.cases, groupOf)
  if (ASKS_ALL) return new Set(byGroup.keys())
  const declared = ({ resource: r, path }: PermissionMatrixCase) => (r ? declarationText(r) : `path: '${path}'`)
  const sampled = sampleUnlessFullRun([...byGroup.keys()], (group) => byGroup.get(group)?.map(declared) ?? [])
  const isDone = (c: PermissionMatrixCase) => committed.get(lineOf(c, []))?.some((cell) => cell.startsWith('2'))
  return new Set([
    ...sampled,
    ...MOVING,
    ...matrix.cases.filter((c) => c.method === 'DELETE' && isDone(c)).map(groupOf),
  ])
}

async function kernelActors(): Promise<ReadonlyMap<TestActor, KernelActor | undefined>> {
  const found = new Map<TestActor, KernelActor | undefined>()
  for (const person of matrix.actors) {
    const token = await person.usual()
    found.set(person, token === undefined ? undefined : await portal.sessions.authenticate(token))
  }
  return found
}

beforeAll(async () => {
  matrix = await makePermissionMatrixWorld(portal)
  const { actors, world } = matrix
  const committed = readCommitted()
  const groups = askedGroups(committed)
  const decide = predictPermissionMatrixCells(engine, matrix, await kernelActors())
  /** Cells requested without the rest of their group, because the committed file differs from the declarations. */
  const alone = new Map<PermissionMatrixCase, Map<TestActor, string>>()
  for (const c of matrix.cases) {
    cells.set(c, new Map())
    const line = committed.get(lineOf(c, []))
    if (groups.has(groupOf(c)) || c.note === 'unfiltered') continue
    for (const [n, actor] of actors.entries()) {
      if (actor.asks && !actor.asks.test(c.path)) continue
      const cell = line?.[n] ?? 'new'
      const decision = await decide(c, actor)
      if (decisionMatchesCell(decision, cell)) cells.get(c)?.set(actor, cell)
      else alone.set(c, (alone.get(c) ?? new Map()).set(actor, cell))
    }
  }
  const askAll = async (actor: TestActor) => {
    for (const c of matrix.cases) {
      if (actor.asks && !actor.asks.test(c.path)) continue
      if (groups.has(groupOf(c))) cells.get(c)?.set(actor, await ask(c, actor))
      const cell = alone.get(c)?.get(actor)
      if (cell !== undefined) cells.get(c)?.set(actor, sameKind(await ask(c, actor), cell))
    }
  }
  const near = actors.filter((a) => !a.wide)
  let last = await snapshotClient(world, world.other.id)
  for (const actor of near) {
    await askAll(actor)
    // A snapshot reads all tables. Only `test:all` takes one after each user, and can therefore name the user who
    // caused a change.
    if (!ASKS_ALL && actor !== near.at(-1)) continue
    const now = await snapshotClient(world, world.other.id)
    if (now !== last) intruders.push(ASKS_ALL ? actor.name : 'somebody: test:all names them')
    last = now
  }
  for (const actor of actors.filter((a) => a.wide)) await askAll(actor)
})

/**
 * Returns the committed cell if a request without its group has the same kind of outcome (success or refusal). The
 * exact status may differ, because the group's earlier requests have not changed the record.
 */
function sameKind(found: string, cell: string): string {
  const isDone = (text: string) => text.startsWith('2')
  const isSame = isDone(found) === isDone(cell) && found.includes('+') === cell.includes('+') && cell !== 'new'
  return isSame ? cell : found
}

/** Returns the response text without the unknown IDs of a bulk request, which only repeat the request. */
function withoutUnknown({ text, body }: TestResponse): string {
  const refused: unknown = body?.refused
  if (!Array.isArray(refused)) return text
  return JSON.stringify({ ...body, refused: refused.filter((one) => one.code !== 'not_found' || one.title !== null) })
}

const say = ({ c, actor, answer }: Outcome) => `${c.method} ${c.path} ${c.note} as ${actor.name}: ${answer.status}`

describe('isolation of clients in the permission matrix', () => {
  test('no request in the matrix causes a server error', () => {
    expect(outcomes.filter((o) => o.answer.status >= 500).map(say)).toEqual([])
  })

  test('every refusal in the matrix has a documented error code', () => {
    const refused = outcomes.filter((o) => o.answer.status >= 400 && o.c.path.startsWith('/api'))
    const fits = ({ status, body }: TestResponse) =>
      ERROR_CODES[body?.code as ErrorCode]?.status === status &&
      (body.violations ?? []).every((v: Violation) => v.code in VIOLATION_CODES)
    expect(refused.filter((o) => !fits(o.answer)).map(say)).toEqual([])
  })

  test('no route documented as returning an object returns a list', () => {
    const routes = registryOf(engine).modules.flatMap((module) => module.routes ?? [])
    const undeclared = outcomes.filter(
      ({ c, answer }) =>
        answer.body?.['@type'] === 'hydra:Collection' &&
        routes.some((route) => route.method === c.method && route.path === c.path && !route.listOf),
    )
    expect(undeclared.map(say)).toEqual([])
  })

  test('no request succeeds without a sign-in, unless its URL is public', () => {
    const open = outcomes.filter(
      (o) => o.actor.name === 'nobody' && !o.c.anonymous && ![401, 405].includes(o.answer.status),
    )
    expect(open.map(say)).toEqual([])
  })

  test("only users with access to all clients see any of another client's data", () => {
    const told = outcomes.filter(({ c, actor, answer }) => {
      // These files are compressed, so their bytes may contain any text by chance.
      const isCompressed = /^application[/](pdf|vnd[.]openxml)/.test(answer.headers['content-type'] ?? '')
      if (actor.wide || isCompressed) return false
      const text = withoutUnknown(answer)
      const body = text.replaceAll('/api/portal/clients/', '@')
      const carried =
        actor.name === 'reseller' && (c.resource?.tenant === 'self' || c.resource?.allow.resellerScope !== undefined)
      const { world } = matrix
      return (
        text.includes(CLIENT_MARKS.other) ||
        new RegExp(`@${world.other.id}\\b`).test(body) ||
        (!carried && answer.text.includes(CLIENT_MARKS.carried)) ||
        (actor.clientId !== world.home.id && answer.text.includes(CLIENT_MARKS.home))
      )
    })
    expect(told.map(say)).toEqual([])
  })

  test("only users with access to all clients get another client's rows, in lists or by URL", () => {
    const hasForeign = (c: PermissionMatrixCase, actor: TestActor) => cells.get(c)?.get(actor)?.includes('+')
    const reached = outcomes.filter(
      ({ c, actor, answer }) =>
        !actor.wide && ((hasForeign(c, actor) && actor.name !== 'reseller') || (c.others && answer.status < 400)),
    )
    expect(reached.map(say)).toEqual([])
  })

  test("only users with access to all clients can change another client's data", () => {
    expect(intruders).toEqual([])
  })

  test('a request for an inaccessible client gets the same response as one for a client that does not exist', async () => {
    const odd: string[] = []
    for (const { c, actor, answer } of outcomes.filter((o) => o.c.others && !o.actor.wide)) {
      const { rowOf, subjectOf, world } = matrix
      const row = rowOf(c.resource ?? subjectOf(c.path), world.other.id)
      const url = (await c.url(actor)).replace(`${row}`, `${UNKNOWN_ID}`)
      const unknown = await send(actor, c.method, url, await c.body?.(actor))
      if (unknown.status !== answer.status || ![401, 403, 404, 405, 410, 415].includes(answer.status))
        odd.push(`${say({ c, actor, answer })}, unknown: ${unknown.status}`)
    }
    expect(odd).toEqual([])
  })
})

describe('a client whose pack has lapsed', () => {
  const ofPack = () =>
    outcomes.filter(({ c, actor }) => actor.name === 'lapsed' && c.pack !== undefined && !c.anonymous)

  /**
   * Returns true if users with the same roles and active packs are refused too. The operation is then meant for other
   * users.
   */
  const isForOthers = (c: PermissionMatrixCase) =>
    [...(cells.get(c) ?? [])]
      .filter(([actor]) => actor.name === 'admin' || actor.name === 'books')
      .every(([, cell]) => cell === '403')

  test('a client whose pack has lapsed cannot change its records, and the refusal states the reason', () => {
    const doors = ofPack().filter(({ c }) => c.method !== 'GET' && !isForOthers(c))
    const isRefused = ({ status, body }: TestResponse) =>
      status === 405 ||
      (status === 403 && body.code === 'pack_lapsed' && /has lapsed.*read and exported/.test(body.detail))
    expect(doors.filter(({ answer }) => !isRefused(answer)).map(say)).toEqual([])
    if (!ASKS_ALL) return
    expect(new Set(doors.map(({ c }) => c.method))).toEqual(new Set(['POST', 'PUT', 'PATCH', 'DELETE']))
    expect(doors.filter(({ answer }) => answer.status === 403).length).toBeGreaterThan(200)
  })

  test("a client whose pack has lapsed can still read and export everything that the user's roles permit", () => {
    const read = ofPack().filter(({ c }) => c.method === 'GET' && !c.changes)
    expect(read.filter(({ c, answer }) => answer.status === 403 && !isForOthers(c)).map(say)).toEqual([])
    const exported = read.filter(({ c, answer }) => c.path.endsWith('/export.csv') && answer.status === 200)
    if (ASKS_ALL) expect(exported.length).toBeGreaterThan(10)
  })
})

test('all permissions match the committed permission matrix (UPDATE_MATRIX=1 rewrites it)', () => {
  const text = textOf()
  if (process.env.UPDATE_MATRIX) writeFileSync(FILE, text)
  expect(text).toBe(readFileSync(FILE, 'utf8'))
})
