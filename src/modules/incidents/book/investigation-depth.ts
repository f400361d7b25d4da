import type { HARM_LEVELS } from '../harm-levels.ts'
import type { INVESTIGATION_LEVELS, RECURRENCES } from '../incident-facts.ts'

type Harm = (typeof HARM_LEVELS)[number]['value']
type Recurrence = (typeof RECURRENCES)[number]['value']
type InvestigationLevel = (typeof INVESTIGATION_LEVELS)[number]['value']

const HARMS: readonly Harm[] = ['none', 'minor', 'serious', 'major', 'fatal']
const [MINIMAL, LOW, MEDIUM, HIGH] = ['minimal', 'low', 'medium', 'high'] as const

/**
 * Depth of an investigation by likelihood and worst consequence. HSG245 (“Investigating accidents and incidents”, HSE
 * 2004, step 1) combines the two with these words and four levels; its table is a picture, so the cells are our own
 * reading, which a competent person has yet to confirm. If in doubt, the cell is the deeper level.
 */
const DEPTHS: Readonly<Record<Recurrence, Readonly<Record<Harm, InvestigationLevel>>>> = {
  rare: { none: MINIMAL, minor: MINIMAL, serious: MINIMAL, major: LOW, fatal: MEDIUM },
  unlikely: { none: MINIMAL, minor: MINIMAL, serious: LOW, major: MEDIUM, fatal: HIGH },
  possible: { none: MINIMAL, minor: MINIMAL, serious: LOW, major: MEDIUM, fatal: HIGH },
  likely: { none: MINIMAL, minor: LOW, serious: MEDIUM, major: HIGH, fatal: HIGH },
  certain: { none: LOW, minor: LOW, serious: MEDIUM, major: HIGH, fatal: HIGH },
}

interface Judgement {
  readonly actualSeverity?: unknown
  readonly potentialSeverity?: unknown
  readonly recurrence?: unknown
}

/**
 * Returns the proposed depth of an investigation. The worse of actual and potential severity counts. Undefined while the
 * potential severity or the likelihood is not known.
 */
export function proposeInvestigationLevel({
  actualSeverity,
  potentialSeverity,
  recurrence,
}: Judgement): InvestigationLevel | undefined {
  const potential = HARMS.indexOf(potentialSeverity as Harm)
  const row = DEPTHS[recurrence as Recurrence]
  if (potential < 0 || !row) return undefined
  return row[HARMS[Math.max(potential, HARMS.indexOf(actualSeverity as Harm))] as Harm]
}
