// Selects the tests for `npm test -- --changed`: those that depend on a changed file, by imports (`graph.mjs`) and by
// module.
import { spawnSync } from 'node:child_process'
import { posix } from 'node:path'
import { root } from '../shared.mjs'

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
const lines = (text) => text.split('\n').filter(Boolean)

/** Returns the commit with which changes are compared: where this branch left main or, on main, the last commit. */
export function findBaseCommit() {
  const main = ['main', 'origin/main'].find((name) => git('rev-parse', '--verify', '--quiet', name))
  return (main && git('merge-base', main, 'HEAD')) || git('rev-parse', 'HEAD')
}

/** Lists the files that differ from a commit, committed or not. */
export function listChangedFiles(since) {
  const committed = lines(git('diff', '--name-only', since))
  return [...new Set([...committed, ...lines(git('ls-files', '--others', '--exclude-standard'))])]
}

const isTest = (file) => /[.](?:test|spec)[.]ts$/.test(file)
const isUnit = (file) => /[.]unit[.]test[.]ts$/.test(file)
/** Leaves out sweeps, which only `npm run test:all` runs. */
const isJourney = (file) => /^test\/e2e\/(?!sweeps\/).+[.]spec[.]ts$/.test(file)
const isWeb = (file) => /^src\/web\/|[.]web[.]tsx?$|[.]css$|^vite[.]config/.test(file)
const isEngine = (file) =>
  /^(?:src\/(?:kernel|server|app)\/|db\/|package|vitest[.]config|test\/(?:support|invariants|contract)\/)/.test(file) &&
  !isTest(file)
const isOfJourneys = (file) => /^test\/e2e\/support\/|^playwright[.]config/.test(file)
const moduleOf = (file) => /^src\/modules\/([^/]+)\//.exec(file)?.[1]

/** Returns a third of the files, a different third each day. */
export const selectDailyThird = (files, day) => files.filter((_, n) => (n + day) % 3 === 0)

/**
 * Returns the tests to run for the changed files, and the tests left out. Where only a third of the tests is run, `day`
 * selects the third.
 */
export function planTests(changed, graph, day) {
  const { files, needs } = graph
  const isChanged = (file) => changed.includes(file)
  const needsChanged = (roots) => [...needs(roots)].some(isChanged)
  const tests = files.filter(isTest)
  const journeys = tests.filter(isJourney)
  const sources = changed.filter((file) => /^(?:src|db)\//.test(file) && !isTest(file))
  const engine = changed.some((file) => isEngine(file) && !isWeb(file))
  const modules = [...new Set(files.map(moduleOf).filter(Boolean))]
  const changedModules = new Set(sources.filter((file) => !isWeb(file)).map(moduleOf))

  /** Returns what a feature's test covers in addition to its imports: the server files in its folder. */
  const neighbours = (test) =>
    files.filter((file) => posix.dirname(file) === posix.dirname(test) && !isTest(file) && !isWeb(file))
  const ofModules = tests.filter((file) => moduleOf(file) && !isUnit(file))
  const httpOfModules = engine
    ? modules.flatMap((module) =>
        selectDailyThird(
          ofModules.filter((file) => moduleOf(file) === module),
          day,
        ),
      )
    : ofModules.filter((test) => changedModules.has(moduleOf(test)) || needsChanged([test, ...neighbours(test)]))
  const everywhere = /^(?:test\/contract\/|src\/(?:kernel|server|app)\/)/
  const invariants = tests.filter((file) => file.startsWith('test/invariants/'))

  /** Modules with a file that the change affects. */
  const reached = new Set(
    modules.filter((module) => {
      const own = files.filter((file) => moduleOf(file) === module && !isTest(file))
      return sources.some((file) => moduleOf(file) === module) || (!engine && own.some((file) => needsChanged([file])))
    }),
  )
  /**
   * Returns true if an end-to-end test uses an affected module. A test uses the module of its folder; a test outside
   * the modules' folders uses all modules.
   */
  const goesThrough = (journey) => {
    const [, folder] = /^test\/e2e\/([^/]+)\//.exec(journey) ?? []
    return modules.includes(folder) ? reached.has(folder) : reached.size > 0
  }
  const touched = changed.some(isOfJourneys) ? journeys : journeys.filter((one) => goesThrough(one) || isChanged(one))

  const server = engine || changedModules.size > 0
  const plan = {
    unit: tests.filter((test) => isUnit(test) && needsChanged([test])),
    http: [
      ...httpOfModules,
      ...tests.filter((test) => everywhere.test(test) && !isUnit(test) && (engine || needsChanged([test]))),
      ...invariants.filter((test) => server || needsChanged([test])),
      ...tests.filter(
        (test) => isChanged(test) && !isUnit(test) && /^(?:src|test\/(?:contract|invariants))\//.test(test),
      ),
    ],
    pdf: changed.some((file) => /[.]typ$|^src\/server\/pdf\/|[/]pdf-\w+[.]ts$|^test\/pdf\//.test(file)),
    processes: engine || changed.some((file) => file.startsWith('test/processes/')),
    clients: changed.some((file) => /^src\/server\/(?:http|hydra)\/|^test\/clients\//.test(file)),
    journeys: engine ? [...new Set([...selectDailyThird(journeys, day), ...touched])] : touched,
  }
  plan.http = [...new Set(plan.http)]
  return { ...plan, leftOut: leftOutOf(plan, { tests, journeys }) }
}

function leftOutOf(plan, { tests, journeys }) {
  const of = (name, ran, all) =>
    ran.length < all.length ? [`${all.length - ran.length} of ${all.length} ${name}`] : []
  const http = tests.filter((test) => !isUnit(test) && /^(?:src|test\/(?:contract|invariants))\//.test(test))
  return [
    ...of('files of unit tests', plan.unit, tests.filter(isUnit)),
    ...of('files of HTTP tests', plan.http, http),
    ...of('files of end-to-end tests', plan.journeys, journeys),
    ...['pdf', 'processes', 'clients'].filter((part) => !plan[part]),
  ]
}
