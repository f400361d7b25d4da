import { mkdirSync, writeFileSync } from 'node:fs'
import { inRoot } from '../shared.mjs'

const number = (n, digits = 0) =>
  n.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** What each part cost, as lines of text. `parts`: {title, tests, seconds}; `seconds` those of all, of which some run side by side. */
export function costTable(parts, seconds) {
  const all = { title: 'Together', tests: parts.reduce((sum, part) => sum + part.tests, 0), seconds }
  const rows = [...parts, all].map((part) => [
    part.title,
    number(part.tests),
    number(part.seconds, 1),
    part.tests ? number(part.seconds / part.tests, 3) : '',
  ])
  const table = [['Part', 'Tests', 'Seconds', 'Seconds per test'], ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  return table.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd(),
  )
}

/** Keeps what the whole cost: `{seconds, tests}`. */
export function writeCosts(costs) {
  mkdirSync(inRoot('test-results'), { recursive: true })
  writeFileSync(inRoot('test-results', 'costs.json'), JSON.stringify(costs))
}
