import { type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { hasVisibleText, toText } from '#kernel/text.ts'
import { parseLeadingDate } from '#kernel/time.ts'
import type { RevisionToSave } from '#modules/documents/types/kind.ts'
import { type BandingResult, proposeControlApproach } from '../substances/banding.ts'
import type { ExposureLimit } from '../substances/limits.ts'

/** A substance saved in an assessment: library data at the time, and use in this task. */
export interface SubstanceUse extends Readonly<Record<string, unknown>> {
  /** `@id` of the saved row; missing for a new one. */
  readonly '@id'?: string
  /** Client-side key of a new row until it is saved. */
  readonly '@key'?: string
  readonly substance?: unknown
  readonly name?: string | null
  readonly supplier?: string | null
  readonly form?: string | null
  readonly hazardStatements?: readonly string[] | null
  readonly precautions?: readonly string[] | null
  readonly unclassified?: boolean | null
  readonly pictograms?: readonly string[] | null
  readonly signalWord?: string | null
  readonly boilingPoint?: number | null
  readonly routes?: readonly string[] | null
  readonly limits?: readonly ExposureLimit[] | null
  readonly sheet?: string | null
  readonly sheetDate?: string | null
  readonly quantity?: number | null
  readonly unit?: string | null
  readonly level?: string | null
  readonly notes?: string | null
  /** Text of the proposal that the assessor confirmed. */
  readonly confirmed?: string | null
  /** Approach chosen instead of the proposal, with its reason. */
  readonly approach?: number | null
  readonly reason?: string | null
}

export const substanceUsesOfRecord = (record: Readonly<Record<string, unknown>>): readonly SubstanceUse[] =>
  Array.isArray(record.substances) ? (record.substances.filter(isPlainObject) as SubstanceUse[]) : []

/** Proposal of COSHH Essentials for this use of a substance. */
export const proposeApproachForUse = (used: SubstanceUse): BandingResult =>
  proposeControlApproach({
    statements: used.hazardStatements ?? [],
    unclassified: used.unclassified === true,
    form: used.form,
    quantity: typeof used.quantity === 'number' ? used.quantity : null,
    unit: used.unit,
    level: used.level,
  })

/** Decision on a substance: current proposal confirmed, another approach chosen, or none. */
export function controlApproachDecision(
  used: SubstanceUse,
  { approach, formula }: BandingResult = proposeApproachForUse(used),
): 'confirmed' | 'other' | 'open' {
  if (used.approach) return hasVisibleText(toText(used.reason)) ? 'other' : 'open'
  return approach !== '?' && used.confirmed === formula ? 'confirmed' : 'open'
}

/** Approach of the confirmed proposal or the chosen one; "?" if undecided. */
export function decidedControlApproach(used: SubstanceUse): number | '?' {
  const proposal = proposeApproachForUse(used)
  const decision = controlApproachDecision(used, proposal)
  return decision === 'open' ? '?' : decision === 'other' ? Number(used.approach) : proposal.approach
}

/** Library fields saved in an assessment. */
const SAVED_FIELDS = [
  'name',
  'supplier',
  'form',
  'hazardStatements',
  'precautions',
  'unclassified',
  'pictograms',
  'signalWord',
  'boilingPoint',
  'routes',
  'sheetDate',
] as const

const LIMIT = [
  'agent',
  'longPpm',
  'longMgM3',
  'shortPpm',
  'shortMgM3',
  'notes',
  'source',
  'confidence',
  'composed',
] as const
const only = (of: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, of[name] ?? null]))

/** Library data of a substance, to be saved in an assessment. */
export const substanceSnapshot = (record: Readonly<Record<string, unknown>>): SubstanceUse => ({
  ...only(record, SAVED_FIELDS),
  substance: record['@id'],
  limits: Array.isArray(record.limits)
    ? (record.limits.filter(isPlainObject).map((limit) => only(limit, LIMIT)) as unknown as ExposureLimit[])
    : [],
  sheet: isPlainObject(record.sheet) ? toText(record.sheet['@id']) : toText(record.sheet),
})

/**
 * Problems that block completion: no substance, an unnamed substance, or an undecided control approach. If the scheme
 * gives no proposal, the assessor must choose an approach and give a reason.
 */
export function coshhCompletionProblems(record: Readonly<Record<string, unknown>>): Violation[] {
  const all = substanceUsesOfRecord(record)
  if (!all.length) return [violation('substances', 'Please add at least one substance')]
  return all.flatMap((used, i) => {
    const at = `substances[${i}]`
    const name = toText(used.name).trim() || `Substance ${i + 1}`
    const proposal = proposeApproachForUse(used)
    return [
      ...(hasVisibleText(toText(used.name))
        ? []
        : [violation(`${at}.name`, `Substance ${i + 1}: please enter a name`)]),
      ...(controlApproachDecision(used, proposal) === 'open'
        ? [violation(`${at}.confirmed`, `${name}: ${undecided(used, proposal)}`)]
        : []),
    ]
  })
}

function undecided(used: SubstanceUse, { approach, missing }: BandingResult): string {
  if (used.approach) return 'please say why this approach is sufficient'
  if (approach !== '?') return `please confirm control approach ${approach}, or choose another and give a reason`
  return `the control approach is not known. ${missing.join(' ')} Find out, or choose an approach and give a reason`
}

/** Number of required answers on substances: a name and a decided approach for each. */
export const countRequiredCoshhAnswers = (
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, number>> => {
  const all = substanceUsesOfRecord(record)
  return all.length
    ? Object.fromEntries(all.map((_, i) => [`substances[${i}]`, REQUIRED_ANSWERS]))
    : { substances: REQUIRED_ANSWERS }
}

const REQUIRED_ANSWERS = 2

/** Adds each substance's proposal, to be sealed with the revision; clears the decisions in copies. */
export function addControlApproachProposals({ next, copied }: RevisionToSave): RevisionToSave['next'] {
  if (!Array.isArray(next.substances)) return {}
  const rows = substanceUsesOfRecord(next)
  return {
    substances: rows.map((used) => {
      const { formula, approach } = proposeApproachForUse(used)
      return {
        ...used,
        ...(copied ? { confirmed: '', approach: null, reason: '' } : {}),
        proposal: formula,
        proposed: String(approach),
      }
    }),
    substanceNames: rows
      .map((used) => toText(used.name).trim())
      .filter(Boolean)
      .join(', '),
  }
}

/** Months between thorough examinations of local exhaust ventilation (COSHH Regulations 2002, regulation 9). */
const LEV_MONTHS = 14

/** Date by which the extraction system must be examined again; undefined if the last examination is unknown. */
export function nextLevExaminationDate(record: Readonly<Record<string, unknown>>): string | undefined {
  const last = parseLeadingDate(toText(record.levExamined))
  if (record.lev !== 'yes' || last === undefined) return undefined
  return Temporal.PlainDate.from(last).add({ months: LEV_MONTHS }).toString()
}
