import { CONTROL_TIERS } from '../library/tiers.ts'
import { addControl, createHazard, type GridHazard, type NewControl } from './grid.ts'

const level = (text: string | undefined): number | undefined => {
  const n = Number(text)
  return Number.isInteger(n) && n >= 1 && n <= 5 ? n : undefined
}

/** Reads the kind from a prefix such as "PPE: gloves"; without one a control is administrative. */
function controlFrom(text: string): NewControl {
  const [, label = '', name = ''] = /^([^:]+):\s*(.+)$/s.exec(text) ?? []
  const tier = CONTROL_TIERS.find((t) => t.label.toLowerCase() === label.trim().toLowerCase())
  return { name: (tier ? name : text).slice(0, 1000), ...(tier ? { tier: tier.value } : {}) }
}

/**
 * Reads hazards from the cells of a copied table: hazard, who might be harmed, controls separated by `;` or a line
 * break ("PPE: gloves"), probability and severity, then the same for the residual risk. A header row is skipped;
 * missing values are left empty.
 */
export function parsePastedHazards(cells: readonly (readonly string[])[]): GridHazard[] {
  const headed = /^(hazards?|risks?|activity)\b/i.test(cells[0]?.[0] ?? '') && !level(cells[0]?.[3])
  return cells
    .slice(headed ? 1 : 0)
    .filter(([name]) => name)
    .map(([name = '', persons = '', controls = '', ...levels]) => {
      const [p, s, rp, rs] = levels.map(level)
      const begun = createHazard({
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
