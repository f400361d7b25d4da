// What `npm test -- --changed` runs. HTTP and unit tests are chosen by Vitest, from what they import.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { root } from '../shared.mjs'

/** The modules that the journeys of a folder go through; those of other folders go through all. */
const AREAS = {
  billing: ['billing', 'crm'],
  crm: ['crm'],
  documents: ['documents', 'safety'],
  identity: ['identity', 'crm'],
  safety: ['documents', 'safety'],
  sales: ['sales', 'crm'],
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? ''
const lines = (text) => text.split('\n').filter(Boolean)

/** The commit that changes are counted from: where this branch left main; on main, the last one. */
export function baseCommit() {
  const main = ['main', 'origin/main'].find((name) => git('rev-parse', '--verify', '--quiet', name))
  return (main && git('merge-base', main, 'HEAD')) || git('rev-parse', 'HEAD')
}

/** What is otherwise than at a commit, committed or not. */
export function changedFiles(since) {
  const committed = lines(git('diff', '--name-only', since))
  return [...new Set([...committed, ...lines(git('ls-files', '--others', '--exclude-standard'))])]
}

/** The files of journeys; those of sweeps only where `TEST_SCOPE` is `all`. */
export const allJourneys = () =>
  readdirSync(`${root}/test/e2e`, { recursive: true })
    .filter((name) => name.endsWith('.spec.ts') && (process.env.TEST_SCOPE === 'all' || !name.startsWith('sweeps')))
    .map((name) => `test/e2e/${name.replaceAll('\\', '/')}`)
    .sort()

const isProgram = (file) => /^(src|db)\/|^package|^vite[.]config/.test(file) && !/[.]test[.]ts$/.test(file)
const isWebOnly = (file) => /^src\/web\/|[.]web[.]tsx?$|[.]css$|^vite[.]config/.test(file)
const isJourneys = (file) => /^test\/e2e\/|^playwright[.]config/.test(file)
const areaOf = (file) => /^src\/modules\/([^/]+)\//.exec(file)?.[1]
const areasOf = (journey) => AREAS[/^test\/e2e\/([^/]+)\//.exec(journey)?.[1]]

/** Whether the program's server is another one. */
export const touchesServer = (files) => files.some((file) => isProgram(file) && !isWebOnly(file))

/** Whether there can be HTTP tests to run. */
export const touchesHttp = (files) =>
  touchesServer(files) || files.some((file) => /^test\/(?!e2e|pdf)|(?<![.]unit)[.]test[.]ts$/.test(file))

/** The journeys, of all these, that go where these files are. */
export function touchedJourneys(files, all) {
  const counted = files.filter((file) => isProgram(file) || isJourneys(file))
  const elsewhere = counted.filter((file) => !all.includes(file))
  if (elsewhere.some((file) => !areaOf(file))) return all
  const areas = new Set(elsewhere.map(areaOf))
  return all.filter((journey) => {
    const through = areasOf(journey) ?? [...areas]
    return counted.includes(journey) || through.some((area) => areas.has(area))
  })
}

/** What to run for these changes, and what that leaves out. */
export function planFor(since, files, all) {
  const plan = {
    since,
    http: touchesHttp(files),
    processes: touchesServer(files),
    journeys: touchedJourneys(files, all),
  }
  const leftOut = [
    'tests that import nothing of what is changed',
    ...(plan.http ? [] : ['HTTP tests: the server is as it was']),
    ...(plan.processes ? [] : ['processes: the server is as it was']),
    ...(plan.journeys.length
      ? all.filter((j) => !plan.journeys.includes(j))
      : ['journeys: nothing of the portal is changed']),
  ]
  return { ...plan, leftOut }
}
