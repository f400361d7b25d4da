import { describe, expect, test } from 'vitest'
import { planFor, touchedJourneys } from './changed.mjs'

const ALL = ['billing/quotes', 'crm/calling', 'crm/import', 'safety/risk', 'screens', 'sweeps/tables'].map(
  (name) => `test/e2e/${name}.spec.ts`,
)
const journeysOf = (...files: string[]) =>
  touchedJourneys(files, ALL).map((f: string) => f.replace(/^test\/e2e\/(.*)[.]spec[.]ts$/, '$1'))

describe('the journeys that a change touches', () => {
  test('are all, where the change is below every module', () => {
    for (const file of [
      'src/kernel/roles.ts',
      'src/web/ui/say.ts',
      'db/migrations/0001_ground.sql',
      'package-lock.json',
    ])
      expect(journeysOf(file)).toHaveLength(ALL.length)
    expect(journeysOf('test/e2e/support/journey.ts')).toHaveLength(ALL.length)
  })
  test('are those through the module, and those through all, where the change is in one', () => {
    expect(journeysOf('src/modules/billing/quotes/quote.server.ts')).toEqual([
      'billing/quotes',
      'screens',
      'sweeps/tables',
    ])
    expect(journeysOf('src/modules/crm/calling/outcomes.web.tsx')).toEqual([
      'billing/quotes',
      'crm/calling',
      'crm/import',
      'screens',
      'sweeps/tables',
    ])
  })
  test('are the changed ones themselves', () => {
    expect(journeysOf('test/e2e/safety/risk.spec.ts')).toEqual(['safety/risk'])
  })
  test('are none, where neither the program nor a journey is changed', () => {
    expect(journeysOf('docs/guide/tests.md', 'src/modules/crm/contacts/contact.test.ts', 'bench/run.ts')).toEqual([])
  })
})

describe('what a change leaves out', () => {
  test('is the server, where only screens are changed, and is said', () => {
    const plan = planFor('abc', ['src/modules/crm/calling/outcomes.web.tsx'], ALL)
    expect(plan).toMatchObject({ since: 'abc', http: false, processes: false })
    expect(plan.leftOut).toContain('test/e2e/safety/risk.spec.ts')
    expect(plan.leftOut.join()).toContain('HTTP tests on both databases')
  })
  test('is not the HTTP tests, where one of them is changed', () => {
    expect(planFor('abc', ['test/contract/verbs.test.ts'], ALL)).toMatchObject({ http: true, processes: false })
    expect(planFor('abc', ['src/kernel/money.unit.test.ts'], ALL)).toMatchObject({ http: false, journeys: [] })
  })
  test('is nothing of the server, where a migration is added', () => {
    expect(planFor('abc', ['db/migrations/0041_more.sql'], ALL)).toMatchObject({ http: true, processes: true })
  })
})
