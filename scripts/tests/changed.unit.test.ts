import { describe, expect, test } from 'vitest'
import { planTests, selectDailyThird } from './changed.mjs'
import { buildImportGraph } from './graph.mjs'

const MONEY = ['one', 'two', 'three'].map((name) => `src/modules/money/${name}/${name}.test.ts`)
const PROJECT = {
  'src/kernel/time.ts': 'export const day = 1',
  'src/kernel/time.unit.test.ts': "import { day } from './time.ts'",
  'src/server/engine.ts': '',
  'src/server/engine.test.ts': "import './engine.ts'",
  'src/web/list.tsx': '',
  'src/modules/leads/leads/lead.ts': 'export const lead = 1',
  'src/modules/leads/leads/lead.test.ts': '',
  'src/modules/leads/leads/list.web.tsx': "import '../../../web/list.tsx'",
  'src/modules/money/quotes/quote.server.ts': "import '../../leads/leads/lead.ts'",
  'src/modules/money/quotes/quote.test.ts': '',
  'src/modules/money/lines/sum.ts': 'export const sum = 1',
  'src/modules/money/lines/sum.unit.test.ts': "import { sum } from './sum.ts'",
  ...Object.fromEntries(MONEY.map((path) => [path, ''])),
  'test/contract/verbs.test.ts': '',
  'test/invariants/matrix.test.ts': '',
  'test/e2e/leads/calling.spec.ts': '',
  'test/e2e/money/quotes.spec.ts': '',
  'test/e2e/screens.spec.ts': '',
  'test/e2e/sweeps/tables.spec.ts': '',
}
const LEADS = ['test/e2e/leads/calling.spec.ts', 'test/e2e/screens.spec.ts']
const plan = (...files: string[]) => planTests(files, buildImportGraph(new Map(Object.entries(PROJECT))), 0)

describe('a change to one module', () => {
  test("a change to one module runs that module's HTTP tests, those of dependent modules, and the invariant tests", () => {
    expect(plan('src/modules/leads/leads/lead.ts').http.sort()).toEqual([
      'src/modules/leads/leads/lead.test.ts',
      'src/modules/money/quotes/quote.test.ts',
      'test/invariants/matrix.test.ts',
    ])
    expect(plan('src/modules/money/lines/sum.ts').http).not.toContain('src/modules/leads/leads/lead.test.ts')
  })

  test('a change to one module runs the unit tests that import the changed file', () => {
    expect(plan('src/modules/money/lines/sum.ts').unit).toEqual(['src/modules/money/lines/sum.unit.test.ts'])
    expect(plan('src/modules/leads/leads/lead.ts').unit).toEqual([])
  })

  test('a change to one module runs the end-to-end tests of that module and of dependent modules', () => {
    expect(plan('src/modules/leads/leads/lead.ts').journeys).toEqual([
      'test/e2e/leads/calling.spec.ts',
      'test/e2e/money/quotes.spec.ts',
      'test/e2e/screens.spec.ts',
    ])
    expect(plan('src/modules/money/quotes/quote.server.ts').journeys).toEqual([
      'test/e2e/money/quotes.spec.ts',
      'test/e2e/screens.spec.ts',
    ])
  })

  test('a change to a screen alone runs no HTTP tests', () => {
    expect(plan('src/modules/leads/leads/list.web.tsx')).toMatchObject({
      http: [],
      journeys: LEADS,
    })
    expect(plan('src/web/list.tsx')).toMatchObject({ http: [], journeys: LEADS })
  })

  test('a deleted file counts as a change to its module', () => {
    expect(plan('src/modules/leads/leads/gone.server.ts').http).toContain('src/modules/leads/leads/lead.test.ts')
  })
})

describe('a change to the engine', () => {
  test("a change to the engine runs the contract, invariant and engine tests, and a third of each module's tests", () => {
    const { http, processes } = plan('src/server/engine.ts')
    expect(http).toEqual(
      expect.arrayContaining([
        'test/contract/verbs.test.ts',
        'test/invariants/matrix.test.ts',
        'src/server/engine.test.ts',
        'src/modules/leads/leads/lead.test.ts',
      ]),
    )
    expect(http.filter((file: string) => file.startsWith('src/modules/money/'))).toHaveLength(2)
    expect(processes).toBe(true)
  })

  test('migrations, the kernel and the test support count as parts of the engine', () => {
    for (const file of ['db/migrations/0001_ground.sql', 'src/kernel/time.ts', 'test/support/portal.ts'])
      expect(plan(file).http).toContain('test/contract/verbs.test.ts')
  })
})

test('every test file belongs to exactly one third, and the third that is run changes daily', () => {
  const days = [20_000, 20_001, 20_002].map((day) => selectDailyThird(MONEY, day))
  expect(days.map((files) => files.length)).toEqual([1, 1, 1])
  expect(days.flat().sort()).toEqual([...MONEY].sort())
})

test('a changed test file is run, but a changed document triggers no tests', () => {
  expect(plan('test/contract/verbs.test.ts')).toMatchObject({ http: ['test/contract/verbs.test.ts'], journeys: [] })
  expect(plan('test/e2e/leads/calling.spec.ts')).toMatchObject({ http: [], journeys: LEADS.slice(0, 1) })
  expect(plan('docs/guide/tests.md')).toMatchObject({ unit: [], http: [], pdf: false, processes: false, journeys: [] })
})

test('the test plan lists the tests that it leaves out', () => {
  expect(plan('src/modules/money/lines/sum.ts').leftOut).toEqual(
    expect.arrayContaining(['1 of 2 files of unit tests', 'pdf', 'processes']),
  )
})
