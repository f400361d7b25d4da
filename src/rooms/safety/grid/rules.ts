import { type Violation, violation } from '#kernel/errors.ts'
import { textOf } from '#kernel/text.ts'

/** Probability and severity as they are written on every document (safety specification, section 3). */
export const PROBABILITY = ['Highly Unlikely', 'Unlikely', 'Possible', 'Probable', 'Certain'] as const
export const SEVERITY = ['Trivial', 'Minor', 'Over 3 Day Injury', 'Major Injury', 'Incapacity or Death'] as const

/** What a ranking means, from the mildest to the worst; `meaning` is the colour of a safety sign. */
export const BANDS = [
  { from: 1, to: 4, name: 'Low', meaning: 'safe' },
  { from: 5, to: 9, name: 'Medium', meaning: 'attention' },
  { from: 10, to: 14, name: 'High', meaning: 'danger' },
  { from: 15, to: 25, name: 'Very high', meaning: 'danger' },
] as const

/** A line of the table, as far as the rules look at it. */
export interface RiskLine {
  readonly hazard?: unknown
  readonly hazardName?: unknown
  readonly control?: unknown
  readonly controlName?: unknown
  readonly tier?: unknown
  readonly judged?: unknown
  readonly residualProbability?: unknown
  readonly residualSeverity?: unknown
  readonly ppeReason?: unknown
  readonly retired?: unknown
}

/** Is the line one of a hazard's controls, or the hazard itself? */
export const isControl = (line: RiskLine): boolean => Boolean(line.control || line.controlName)

/** The band of probability × severity. */
export const bandOf = (probability: number, severity: number): (typeof BANDS)[number] =>
  BANDS.find((b) => probability * severity <= b.to) ?? BANDS[3]

/** What lines of one hazard have in common: the library's hazard, or the name that was typed. */
const hazardKey = (line: RiskLine): string =>
  textOf((line.hazard as { '@id'?: string } | null | undefined)?.['@id'] ?? line.hazard) ||
  `name:${textOf(line.hazardName).trim().toLowerCase()}`

/**
 * The lines by hazard. A hazard's own line begins it, so that two of the same name stay two; its controls follow it, wherever
 * they stand. Controls whose hazard has no line of its own are gathered as well.
 */
export function groupLines<T extends RiskLine>(lines: readonly T[]): T[][] {
  const groups: T[][] = []
  const newest = new Map<string, T[]>()
  for (const line of lines) {
    const key = hazardKey(line)
    const group = isControl(line) ? newest.get(key) : undefined
    if (group) group.push(line)
    else {
      const begun = [line]
      groups.push(begun)
      newest.set(key, begun)
    }
  }
  return groups
}

/**
 * What stands in the way of completing an assessment's table: no hazard; a hazard that nobody has judged, has no control, or
 * only protective equipment without a reason (Management of Health and Safety at Work Regulations 1999, schedule 1 and
 * Personal Protective Equipment at Work Regulations 1992, regulation 4: equipment is the last resort).
 */
export function riskProblems(record: Readonly<Record<string, unknown>>): Violation[] {
  const lines = ((record.controls as RiskLine[] | undefined) ?? []).filter((l) => !l.retired)
  if (!lines.length) return [violation('controls', 'Please add at least one hazard')]
  const found: Violation[] = []
  for (const group of groupLines(lines)) {
    const first = group[0] as RiskLine
    const at = `controls[${lines.indexOf(first)}]`
    const name = textOf(first.hazardName) || 'This hazard'
    const controls = group.filter(isControl)
    if (!group.some((l) => l.judged))
      found.push(violation(`${at}.probability`, `${name}: please judge how likely and how severe it is`))
    if (!controls.length) found.push(violation(`${at}.controlName`, `${name}: please say what is done about it`))
    else if (!group.some((l) => l.residualProbability && l.residualSeverity))
      found.push(violation(`${at}.residualProbability`, `${name}: please judge the risk that is left`))
    if (controls.length && controls.every((l) => l.tier === 'ppe') && !group.some((l) => textOf(l.ppeReason).trim()))
      found.push(violation(`${at}.ppeReason`, `${name}: protective equipment alone needs a reason`))
  }
  return found
}
