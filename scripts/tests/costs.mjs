// Cost of the parts of `npm test` in processor seconds, which hardly depend on other work on the machine. With two
// cores, the elapsed time is half as long.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../shared.mjs'

/**
 * Maximum processor seconds of all parts of a kind. With these, the whole of `npm test` takes twelve minutes on two
 * idle cores.
 */
export const TEST_COST_BUDGET = { static: 72, small: 120, http: 500, journeys: 480 }

const FILE = inRoot('test-results', 'costs.json')

const number = (n, digits = 0) =>
  n.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/**
 * Formats the cost of each part as lines of text. `parts` contains {title, tests, seconds, processor}; `seconds` is the
 * elapsed time of all parts.
 */
export function formatCostTable(parts, seconds) {
  const sum = (key) => parts.reduce((all, part) => all + part[key], 0)
  const all = { title: 'Total', tests: sum('tests'), seconds, processor: sum('processor') }
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

/** Saves the cost of a full run for `npm run figures`. */
export function writeTestCosts(costs) {
  mkdirSync(inRoot('test-results'), { recursive: true })
  writeFileSync(FILE, JSON.stringify(costs))
}

/** Returns the cost of the last full run on this machine: {seconds, parts}, or `undefined`. */
export const readTestCosts = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : undefined)

/** Returns the processor seconds by kind of part. */
export const sumCostsByKind = ({ parts }) =>
  Object.fromEntries(
    Object.keys(TEST_COST_BUDGET).map((kind) => [
      kind,
      parts.filter((part) => part.kind === kind).reduce((sum, part) => sum + part.processor, 0),
    ]),
  )
