import type { BodyPartRule, RiddorRules } from './lookup.ts'

interface SeverityRow {
  readonly id: number
  /** Key of the body part rules; empty for severities without rules. */
  readonly severity: string
  readonly riddor: boolean
  readonly retired: boolean
}

/** Job class of a member of the public (specification, safety section 9). */
const PUBLIC_CLASS = 6
const LAST_WORKER_CLASS = 5

/** Severities that only a worker can have, and those that only a member of the public can have. */
const WORKERS_ONLY = ['major', 'seven_day']
const PUBLIC_ONLY = ['mop']

/**
 * Returns the severities that a person in a job class can have (safety section 5): a member of the public can't have a
 * specified injury or an incapacity for work, a worker can't have the public’s severities, and nobody can have a
 * reportable severity without a key.
 */
export const offeredSeverities = <S extends SeverityRow>(all: readonly S[], jobClass: number | null): readonly S[] =>
  all.filter((one) => {
    if (one.retired || (one.riddor && !one.severity)) return false
    if (jobClass === PUBLIC_CLASS) return !WORKERS_ONLY.includes(one.severity)
    return jobClass === null || jobClass > LAST_WORKER_CLASS || !PUBLIC_ONLY.includes(one.severity)
  })

interface BodyPartRow {
  readonly id: number
  readonly hseCode: number
  readonly retired: boolean
}

const RULES: Readonly<Record<string, (rules: RiddorRules) => readonly [BodyPartRule, readonly number[]]>> = {
  fatal: (rules) => [rules.fatalRule, rules.fatalBodyParts],
  major: (rules) => [rules.majorRule, rules.majorBodyParts],
  seven_day: (rules) => [rules.sevenDayRule, rules.sevenDayBodyParts],
  mop: (rules) => [rules.mopRule, rules.mopBodyParts],
}

/**
 * Returns the body parts that an injury of a severity can affect (safety section 5). None if the two exclude each other.
 * Severities without rules allow every part with an HSE code above 0.
 */
export function offeredBodyParts<B extends BodyPartRow>(
  all: readonly B[],
  injury: { readonly riddorRules: RiddorRules } | undefined,
  severity: Pick<SeverityRow, 'severity'> | undefined,
): readonly B[] {
  const known = all.filter(({ hseCode, retired }) => hseCode > 0 && !retired)
  const [rule, codes] = (injury && severity && RULES[severity.severity]?.(injury.riddorRules)) ?? ['all', []]
  if (rule === 'none') return []
  if (rule === 'all') return known
  return known.filter(({ hseCode }) => codes.includes(hseCode) === (rule === 'allow'))
}
