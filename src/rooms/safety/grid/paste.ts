import { TIERS } from '../library/tiers.ts'
import { addControl, type GridHazard, type NewControl, newHazard } from './grid.ts'

/** Cells of a copied spreadsheet: tabs between them, and quotes around those with a line break or a tab. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const end = () => rows.at(-1)?.push(cell.trim())
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i]
    else if (c === '"' && (quoted || cell === '')) quoted = !quoted
    else if (quoted) cell += c
    else if (c === '\t') {
      end()
      cell = ''
    } else if (c === '\n') {
      end()
      cell = ''
      rows.push([])
    } else if (c !== '\r') cell += c
  }
  end()
  return rows.filter((row) => row.some(Boolean))
}

const level = (text: string | undefined): number | undefined => {
  const n = Number(text)
  return Number.isInteger(n) && n >= 1 && n <= 5 ? n : undefined
}

/** "PPE: gloves" says of what kind a control is; without that it is administrative. */
function controlFrom(text: string): NewControl {
  const [, label = '', name = ''] = /^([^:]+):\s*(.+)$/s.exec(text) ?? []
  const tier = TIERS.find((t) => t.label.toLowerCase() === label.trim().toLowerCase())
  return { name: (tier ? name : text).slice(0, 1000), ...(tier ? { tier: tier.value } : {}) }
}

/** Is this more than a word that belongs in one cell? */
export const isTable = (text: string): boolean => /[\t\n]/.test(text.trim())

/**
 * Hazards from a copied table: hazard, who might be harmed, controls with `;` or a line break between them ("PPE: gloves"), probability and
 * severity, and both once more for what is left. A line of headings is passed over; what is missing is left to be filled in.
 */
export function hazardsFrom(text: string): GridHazard[] {
  const rows = cellsOf(text)
  if (/^(hazards?|risks?|activity)\b/i.test(rows[0]?.[0] ?? '') && !level(rows[0]?.[3])) rows.shift()
  return rows
    .filter(([name]) => name)
    .map(([name = '', persons = '', controls = '', ...levels]) => {
      const [p, s, rp, rs] = levels.map(level)
      const begun = newHazard({
        hazardName: name.slice(0, 500),
        persons: persons.slice(0, 500),
        ...(p && s ? { probability: p, severity: s, judged: true } : {}),
        ...(rp && rs ? { residualProbability: rp, residualSeverity: rs } : {}),
      })
      return controls
        .split(/;|\n/)
        .map((c) => c.trim())
        .filter(Boolean)
        .reduce((h, c) => addControl(h, controlFrom(c)), begun)
    })
}
