import { showsText, textOf } from '#kernel/text.ts'

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

/** Is one of the controls still to do, with who sees to it and by when? */
export const isToDo = (head: RiskLine, controls: readonly RiskLine[]): boolean =>
  controls.some(
    (l) =>
      l.implemented === 'no' &&
      showsText(textOf(l.plannedFor)) &&
      (showsText(textOf(l.responsible)) || showsText(textOf(head.responsible))),
  )

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
