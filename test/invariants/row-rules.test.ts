import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choice, flag, integer, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { meetsRowCondition, only, type RowCondition } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { rowConditionSql } from '#server/data/row-condition-sql.ts'
import { BoundValues } from '#server/data/values.ts'
import { testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'

const portal = await testPortal()

const thing = resource({
  type: 'Thing',
  service: 'test',
  path: 'things',
  table: 'thing',
  tenant: 'own',
  fields: {
    author: text(),
    state: choice(['draft', 'current', 'gone']),
    owner: link(() => user),
    rank: integer(),
    open: flag(),
    roles: strings(),
  },
  allow: {},
})

const actor = fc
  .record({
    userId: fc.integer({ min: 1, max: 4 }),
    team: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
    username: fc.constantFrom('ann', 'bob'),
    roles: fc.subarray(['ROLE_A', 'ROLE_B']),
  })
  .map((a): Actor => ({ ...a, clientId: 1, name: a.username, scopes: [] }))

const row = fc.record({
  author: fc.constantFrom(null, '', 'ann', 'bob', 'Ann'),
  state: fc.constantFrom(null, 'draft', 'current', 'gone'),
  owner: fc.option(fc.integer({ min: 1, max: 4 })),
  rank: fc.option(fc.integer({ min: 1, max: 4 })),
  open: fc.boolean(),
  roles: fc.subarray(['ROLE_A', 'ROLE_B', 'ROLE_C']),
})

const condition: fc.Arbitrary<RowCondition> = fc.letrec<{ any: RowCondition }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('author', 'owner', 'rank').map(only.mine),
    fc.constantFrom('author', 'owner', 'rank').map(only.others),
    fc.constantFrom(only.on('open'), only.off('open'), only.forMe('roles')),
    fc.constantFrom('owner', 'rank').map(only.myTeams),
    fc.constantFrom('author', 'owner', 'rank').map((field): RowCondition => ({ field, is: "nobody's" })),
    fc.uniqueArray(fc.constantFrom('draft', 'current', 'gone')).map((words) => only.among('state', words)),
    fc.uniqueArray(fc.constantFrom('draft', 'current', 'gone')).map((words) => only.notAmong('state', words)),
    fc.array(tie('any'), { maxLength: 3 }).map((all) => only.either(...all)),
    fc.array(tie('any'), { maxLength: 3 }).map((all) => only.both(...all)),
  ),
})).any

type Row = {
  author: string | null
  state: string | null
  owner: number | null
  rank: number | null
  open: boolean
  roles: string[]
}

describe('an access rule', () => {
  test('an access rule selects the same rows in the database and in the browser', async () => {
    await fc.assert(
      fc.asyncProperty(condition, actor, fc.array(row, { minLength: 1, maxLength: 8 }), async (c, who, rows) => {
        const v = new BoundValues()
        const rule = rowConditionSql(thing, c, who, v)
        const list = v.next(JSON.stringify(rows))
        const found = await portal.db.tx('system', (tx) =>
          tx.rows<{ n: number }>(
            `SELECT t.n::int FROM (SELECT e->>'author' AS author, e->>'state' AS state, (e->>'owner')::bigint AS owner_id, (e->>'rank')::bigint AS rank, (e->>'open')::boolean AS open, ARRAY(SELECT jsonb_array_elements_text(e->'roles')) AS roles, n
             FROM jsonb_array_elements(${list}::jsonb) WITH ORDINALITY x(e, n)) t WHERE ${rule} ORDER BY t.n`,
            v.list,
          ),
        )
        const inBrowser = rows.flatMap((one, i) => (meetsRowCondition(thing, c, seenAs(one, i), who) ? [i + 1] : []))
        expect(found.map((f) => f.n)).toEqual(inBrowser)
      }),
      { numRuns: scaleRunCount(150) },
    )
  })
})

/** The browser gets relations as IRIs or objects, whereas server code gets them as numbers. */
const seenAs = (one: Row, i: number) => ({
  ...one,
  owner:
    one.owner === null
      ? null
      : [one.owner, `/api/portal/users/${one.owner}`, { '@id': `/api/portal/users/${one.owner}`, id: one.owner }][
          i % 3
        ],
})
