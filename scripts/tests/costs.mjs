// The cost of the parts of `npm test`, in processor seconds: they hardly depend on what else a machine is doing. Two cores take half as
// many by the clock.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../shared.mjs'

/** At most so many for parts of these kinds together, so that all of `npm test` takes twelve minutes on two quiet cores. */
export const BUDGET = { static: 72, small: 120, http: 500, journeys: 480 }

const FILE = inRoot('test-results', 'costs.json')

const number = (n, digits = 0) =>
  n.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** What each part cost, as lines of text. `parts`: {title, tests, seconds, processor}; `seconds` by the clock for all of them. */
export function costTable(parts, seconds) {
  const sum = (key) => parts.reduce((all, part) => all + part[key], 0)
  const all = { title: 'Together', tests: sum('tests'), seconds, processor: sum('processor') }
  const rows = [...parts, all].map((part) => [
    part.title,
    number(part.tests),
    number(part.seconds),
    number(part.processor),
    part.tests ? number(part.processor / part.tests, 3) : '',
  ])
  const table = [['Part', 'Tests', 'Seconds', 'Processor seconds', 'per test'], ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  return table.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  )
}

/** Keeps the cost of a whole run for `npm run figures`. */
export function writeCosts(costs) {
  mkdirSync(inRoot('test-results'), { recursive: true })
  writeFileSync(FILE, JSON.stringify(costs))
}

/** The last whole run on this machine: {seconds, parts}, or `undefined`. */
export const readCosts = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : undefined)

/** Processor seconds by kind of part. */
export const costByKind = ({ parts }) =>
  Object.fromEntries(
    Object.keys(BUDGET).map((kind) => [
      kind,
      parts.filter((part) => part.kind === kind).reduce((sum, part) => sum + part.processor, 0),
    ]),
  )
