import { textOf } from '#kernel/text.ts'

/** Probability and severity as they are written on every document (safety specification, section 3). */
export const PROBABILITY = ['Highly Unlikely', 'Unlikely', 'Possible', 'Probable', 'Certain'] as const
export const SEVERITY = ['Trivial', 'Minor', 'Over 3 Day Injury', 'Major Injury', 'Incapacity or Death'] as const

/** What a ranking means, from the mildest to the worst; `meaning` is the colour of a safety sign, `rule` what is to be done. */
export const BANDS = [
  { from: 1, to: 4, name: 'Low', meaning: 'safe', rule: 'Accept: keep the controls in place.' },
  { from: 5, to: 9, name: 'Medium', meaning: 'attention', rule: 'Reduce where it is reasonably practicable.' },
  { from: 10, to: 14, name: 'High', meaning: 'danger', rule: 'Reduce before the work begins.' },
  { from: 15, to: 25, name: 'Very high', meaning: 'danger', rule: 'Stop: the work does not begin like this.' },
] as const

/** From here on a risk that is left needs a reason. */
export const HIGH = 10
/** The worst that there is: it is not left without a reason. */
export const WORST = 25

/** A line of the table, as far as the rules look at it. */
export interface RiskLine {
  readonly hazard?: unknown
  readonly hazardName?: unknown
  readonly control?: unknown
  readonly controlName?: unknown
  readonly tier?: unknown
  readonly persons?: unknown
  readonly judged?: unknown
  readonly probability?: unknown
  readonly severity?: unknown
  readonly residualProbability?: unknown
  readonly residualSeverity?: unknown
  readonly residualReason?: unknown
  readonly responsible?: unknown
  readonly implemented?: unknown
  readonly plannedFor?: unknown
  readonly ppeReason?: unknown
  /** Came with a copy, and nobody has said that it holds here. */
  readonly unconfirmed?: unknown
  readonly confirmedBy?: unknown
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
