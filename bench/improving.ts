import {
  acceptTemplateChanges,
  type ThreeWayVersions,
  templateChanges,
  templateComparisonFor,
} from '#modules/documents/template-updates/three-way.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'

/*
 * Cost of comparing a copied document with two versions of its template: the version that was copied and the current
 * version. In an assessment of 300 lines, every third line has changed in the template and every fourth in the copy.
 * The yardstick is to convert the same three versions to JSON and parse them again. Prints ratios.
 */
const LINE_COUNT = 300
const TIMES = 60

const line = (n: number, more: object = {}) => ({
  hazardName: `Hazard ${Math.floor(n / 5)} of the work`,
  controlName: n % 5 ? `Control ${n} is checked before each shift` : '',
  description: 'People may be struck, cut or buried if no action is taken.',
  persons: 'Ground workers and plant operators',
  probability: 3,
  severity: 4,
  ...more,
})
const lines = (change: (n: number) => object) => Array.from({ length: LINE_COUNT }, (_, n) => line(n, change(n)))
const three: ThreeWayVersions = {
  base: { controls: lines(() => ({})) },
  theirs: { controls: lines((n) => (n % 3 ? {} : { persons: 'Everybody on the site' })) },
  mine: { controls: lines((n) => (n % 4 ? { id: n } : { id: n, probability: 2 })) },
}

function median(work: () => unknown): number {
  const times = Array.from({ length: TIMES }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return times.toSorted((a, b) => a - b)[TIMES >> 1] as number
}

const compares = templateComparisonFor(riskAssessment)
const keys = new Set(templateChanges(three, compares).map(({ key }) => key))
const json = median(() => JSON.parse(JSON.stringify(three)))
console.log(
  `\n| a copy with ${LINE_COUNT} lines, ${keys.size} template changes | ms | ÷ JSON round trip |\n|---|---|---|`,
)
for (const [what, work] of [
  ['JSON round trip', () => JSON.parse(JSON.stringify(three))],
  ['compared', () => templateChanges(three, compares)],
  ['all accepted', () => acceptTemplateChanges(three, compares, keys)],
] as const) {
  const took = median(work)
  console.log(`| ${what} | ${took.toFixed(2)} | ${(took / json).toFixed(1)} |`)
}
