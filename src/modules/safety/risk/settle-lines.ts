import type { Settled } from '#modules/documents/types/kind.ts'
import { groupLines, isControl, type RiskLine } from '../grid/rules.ts'

interface Line extends Readonly<Record<string, unknown>>, RiskLine {
  readonly id?: number
}

/** What makes a line's judgement another one. */
const JUDGEMENT = ['probability', 'severity', 'residualProbability', 'residualSeverity'] as const

/**
 * The lines of an assessment as they are kept: those that came with a copy stay unconfirmed until somebody says that they hold
 * or judges them anew; the controls of a hazard that goes, go with it.
 */
export function settleLines({ next, before, copied, by, at }: Settled): Settled['next'] {
  if (!Array.isArray(next.controls)) return {}
  const lines = next.controls as readonly Line[]
  const was = (before?.controls ?? []) as readonly Line[]
  const known = new Map(was.map((line) => [line.id, line]))
  const kept = withoutOrphans(lines, was)
  return { controls: kept.map((line) => confirmLine(line, known.get(line.id), { copied, by, at })) }
}

type Who = Pick<Settled, 'copied' | 'by' | 'at'>

/** A line with what is to be said of its being confirmed. */
export function confirmLine(line: Line, was: Line | undefined, { copied, by, at }: Who): Line {
  const nobody = { confirmedBy: '', confirmedAt: null }
  if (copied) return { ...line, ...nobody, unconfirmed: true }
  if (!was?.id) return { ...line, ...nobody, unconfirmed: line.unconfirmed === true }
  const told = { confirmedBy: was.confirmedBy ?? '', confirmedAt: was.confirmedAt ?? null }
  if (was.unconfirmed !== true) return { ...line, ...told, unconfirmed: false }
  const judgedAnew = JUDGEMENT.some((name) => (line[name] ?? null) !== (was[name] ?? null))
  if (line.unconfirmed !== false && !judgedAnew) return { ...line, ...told, unconfirmed: true }
  return { ...line, confirmedBy: by, confirmedAt: at, unconfirmed: false }
}

/** The lines without the controls whose hazard was taken out and not put back in another way. */
function withoutOrphans(lines: readonly Line[], was: readonly Line[]): readonly Line[] {
  const ids = new Set(lines.map((line) => line.id))
  const gone = groupLines(was).filter(([head]) => head && !isControl(head) && !ids.has(head.id))
  if (!gone.length) return lines
  const theirs = new Set(gone.flatMap((group) => group.slice(1).map((line) => line.id)))
  const alone = new Set(groupLines(lines).flatMap((group) => (group[0] && isControl(group[0]) ? group : [])))
  return lines.filter((line) => line.id === undefined || !theirs.has(line.id) || !alone.has(line))
}
