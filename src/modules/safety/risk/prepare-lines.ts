import type { RevisionToSave } from '#modules/documents/types/kind.ts'
import { groupLinesByHazard, isControlLine, type RiskAssessmentLine } from '../grid/rules.ts'

interface Line extends Readonly<Record<string, unknown>>, RiskAssessmentLine {
  readonly id?: number
}

/** Fields that contain a line's rating. */
const JUDGEMENT = ['probability', 'severity', 'residualProbability', 'residualSeverity'] as const

/**
 * Prepares an assessment's lines for saving. Copied lines stay unconfirmed until someone confirms or re-rates them. If
 * a hazard is removed, its controls are also removed.
 */
export function prepareRiskLines({ next, before, copied, by, at }: RevisionToSave): RevisionToSave['next'] {
  if (!Array.isArray(next.controls)) return {}
  const lines = next.controls as readonly Line[]
  const was = (before?.controls ?? []) as readonly Line[]
  const known = new Map(was.map((line) => [line.id, line]))
  const kept = withoutOrphans(lines, was)
  return { controls: kept.map((line) => updateRiskLineConfirmation(line, known.get(line.id), { copied, by, at })) }
}

type Who = Pick<RevisionToSave, 'copied' | 'by' | 'at'>

export function updateRiskLineConfirmation(line: Line, was: Line | undefined, { copied, by, at }: Who): Line {
  const nobody = { confirmedBy: '', confirmedAt: null }
  if (copied) return { ...line, ...nobody, unconfirmed: true }
  if (!was?.id) return { ...line, ...nobody, unconfirmed: line.unconfirmed === true }
  const told = { confirmedBy: was.confirmedBy ?? '', confirmedAt: was.confirmedAt ?? null }
  if (was.unconfirmed !== true) return { ...line, ...told, unconfirmed: false }
  const judgedAnew = JUDGEMENT.some((name) => (line[name] ?? null) !== (was[name] ?? null))
  if (line.unconfirmed !== false && !judgedAnew) return { ...line, ...told, unconfirmed: true }
  return { ...line, confirmedBy: by, confirmedAt: at, unconfirmed: false }
}

function withoutOrphans(lines: readonly Line[], was: readonly Line[]): readonly Line[] {
  const ids = new Set(lines.map((line) => line.id))
  const gone = groupLinesByHazard(was).filter(([head]) => head && !isControlLine(head) && !ids.has(head.id))
  if (!gone.length) return lines
  const theirs = new Set(gone.flatMap((group) => group.slice(1).map((line) => line.id)))
  const alone = new Set(
    groupLinesByHazard(lines).flatMap((group) => (group[0] && isControlLine(group[0]) ? group : [])),
  )
  return lines.filter((line) => line.id === undefined || !theirs.has(line.id) || !alone.has(line))
}
