import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accessScopeFor } from '#kernel/can.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { listQuery } from '#server/data/queries.ts'
import { testPortal } from '#test/support/portal.ts'
import { sortAsCommitted, testEach } from '#test/support/scope.ts'
import { ALL_PROVIDER_ROLES, makeClientActor } from './world.ts'

// Tests the SQL of every list for each user. Its access conditions are committed as `lists.sql.txt`. UPDATE_MATRIX=1
// rewrites the file.

const FILE = join(import.meta.dirname, 'lists.sql.txt')
const { engine } = await testPortal()

const people: Record<string, Actor | undefined> = {
  nobody: undefined,
  employee: makeClientActor(5, 'ROLE_EMPLOYEE'),
  'client admin': makeClientActor(5, 'ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'),
  reseller: makeClientActor(6, 'ROLE_RESELLER'),
  'stray staff role': makeClientActor(5, ...ALL_PROVIDER_ROLES),
  staff: makeClientActor(0, 'ROLE_STAFF'),
  manager: makeClientActor(0, ...ALL_PROVIDER_ROLES),
}
const PAGE = { limit: 30, offset: 0 }

/** Returns one entry for each distinct statement, with all users for whom it is built. */
function statements(r: Resource): string[] {
  const found = new Map<string, string[]>()
  for (const [name, actor] of Object.entries(people)) {
    const q = listQuery(r, actor, {}, PAGE)
    const text = q
      ? `${q.page.query.text}\n-- total\n${q.count.capped.query.text}\n-- values ${JSON.stringify(q.page.values)}`
      : '-- nothing'
    const { tenants, only } = accessScopeFor(actor, 'read', r)
    const heading = `-- ${tenants}${only ? `, only ${JSON.stringify(only)}` : ''}\n${text}`
    found.set(heading, [...(found.get(heading) ?? []), name])
  }
  return [...found].map(([text, names]) => `-- ${r.url} for ${names.join(', ')}\n${text}`)
}

test('the SQL of every list matches the committed file (UPDATE_MATRIX=1 rewrites it)', () => {
  const committed = readFileSync(FILE, 'utf8')
  const resources = sortAsCommitted(engine.addressed, committed, (r) => `-- ${r.url} for `)
  const text = `${resources.flatMap(statements).join('\n\n')}\n`
  if (process.env.UPDATE_MATRIX) writeFileSync(FILE, text)
  expect(text).toBe(committed)
})

testEach(
  'a list is restricted to the tenant for everybody but provider staff, whatever the filter',
  engine.addressed.filter((r) => r.tenant !== 'shared'),
  (r) => r.type,
  (r) => {
    const filters = {
      client: '0',
      'client[]': ['0', '1'],
      'client.id': '0',
      client_id: '0',
      id: '1',
      'exists[client]': '0',
      q: "' OR true --",
    }
    const own = r.tenant === 'self' ? 't.id' : 't.client_id'
    const open = Object.entries(people).flatMap(([name, actor]) => {
      const q = listQuery(r, actor, filters, PAGE)
      if (!q || !actor) return []
      const scope = accessScopeFor(actor, 'read', r).tenants
      if (scope === 'all') return actor.clientId === 0 ? [] : [name]
      const at = scope === 'resold' ? ' IN \\(SELECT id FROM client WHERE reseller_id = ' : ' = '
      // For users who did not write the templates, the query selects templates in a separate part.
      const begins = new RegExp(`^(?:${own}${at}\\$(\\d+)::int|t.client_id = 0 )`)
      const fine = [q.page, q.count.capped, q.count.whole, q.counted].every(({ query, values }) => {
        const parts = query.text.split(`FROM ${r.table} t WHERE `).slice(1)
        // Each part of the query is restricted to the user's client or to templates.
        const bound = parts.map((part) => {
          const found = begins.exec(`${part} `)
          return found && (found[1] === undefined ? 'templates' : values[Number(found[1]) - 1])
        })
        const fine = (v: unknown) => v === actor.clientId || (v === 'templates' && scope === 'own or template')
        return parts.length > 0 && bound.every(fine) && !query.text.includes('OR true')
      })
      return fine ? [] : [name]
    })
    expect(open).toEqual([])
  },
)
