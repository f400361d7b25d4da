import { hasVisibleText, toText } from '#kernel/text.ts'

/** Fields of a grid line that the rules read. */
export interface RiskAssessmentLine {
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
  /** True for a copied line that is not yet confirmed for this document. */
  readonly unconfirmed?: unknown
  readonly confirmedBy?: unknown
  readonly retired?: unknown
}

/** Returns true if the line is a control, and false if it is the hazard itself. */
export const isControlLine = (line: RiskAssessmentLine): boolean => Boolean(line.control || line.controlName)

/** Returns true if the hazard has a planned control with a person responsible and a date. */
export const hasPlannedControl = (head: RiskAssessmentLine, controls: readonly RiskAssessmentLine[]): boolean =>
  controls.some(
    (l) =>
      l.implemented === 'no' &&
      hasVisibleText(toText(l.plannedFor)) &&
      (hasVisibleText(toText(l.responsible)) || hasVisibleText(toText(head.responsible))),
  )

/** Returns the key shared by all lines of a hazard: the library hazard's IRI, or the typed name. */
const hazardKey = (line: RiskAssessmentLine): string =>
  toText((line.hazard as { '@id'?: string } | null | undefined)?.['@id'] ?? line.hazard) ||
  `name:${toText(line.hazardName).trim().toLowerCase()}`

/**
 * Groups lines by hazard. Each hazard line starts a group, so that two hazards of the same name stay separate. A
 * control joins its hazard's group, wherever the control is in the list. Controls without a hazard line also form a
 * group.
 */
export function groupLinesByHazard<T extends RiskAssessmentLine>(lines: readonly T[]): T[][] {
  const groups: T[][] = []
  const newest = new Map<string, T[]>()
  for (const line of lines) {
    const key = hazardKey(line)
    const group = isControlLine(line) ? newest.get(key) : undefined
    if (group) group.push(line)
    else {
      const begun = [line]
      groups.push(begun)
      newest.set(key, begun)
    }
  }
  return groups
}
