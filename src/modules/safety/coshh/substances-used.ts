import { type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { hasVisibleText, toText } from '#kernel/text.ts'
import { parseLeadingDate } from '#kernel/time.ts'
import type { RevisionToSave } from '#modules/documents/types/kind.ts'
import { type BandingResult, proposeControlApproach } from '../substances/banding.ts'
import type { ExposureLimit } from '../substances/limits.ts'
import { SUPPLIER_ADVICE_NAMES, type SupplierAdviceName } from '../substances/substance.ts'

/** A substance saved in an assessment: its library data when it was saved, and its use in this task. */
export interface SubstanceUse
  extends Readonly<Record<string, unknown>>,
    Readonly<Partial<Record<SupplierAdviceName, string | null>>> {
  /** `@id` of the saved row; undefined for a new row. */
  readonly '@id'?: string
  /** Client-side key of a new row, used until the row is saved. */
  readonly '@key'?: string
  readonly substance?: unknown
  readonly name?: string | null
  readonly supplier?: string | null
  readonly casNumbers?: readonly string[] | null
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
  /** Proposal saved with the assessment, as its formula and its approach: 1 to 4, or "?". */
  readonly proposal?: string | null
  readonly proposed?: string | null
  /** Text of the proposal that the author confirmed. */
  readonly confirmed?: string | null
  /** Approach chosen instead of the proposal; `reason` says why. */
  readonly approach?: number | null
  readonly reason?: string | null
}

export const substanceUsesInRecord = (record: Readonly<Record<string, unknown>>): readonly SubstanceUse[] =>
  Array.isArray(record.substances) ? (record.substances.filter(isPlainObject) as SubstanceUse[]) : []

/** Returns the COSHH Essentials proposal for this use of a substance. */
export const proposeApproachForSubstanceUse = (used: SubstanceUse): BandingResult =>
  proposeControlApproach({
    statements: used.hazardStatements ?? [],
    unclassified: used.unclassified === true,
    form: used.form,
    quantity: typeof used.quantity === 'number' ? used.quantity : null,
    unit: used.unit,
    level: used.level,
  })

/**
 * Returns the proposals for the substances of an assessment. In a completed assessment, each is the proposal on which
 * its author decided, because the scheme's data may have changed since.
 */
export const proposalsInRecord = (record: Readonly<Record<string, unknown>>): readonly BandingResult[] =>
  substanceUsesInRecord(record).map((used) => {
    const now = proposeApproachForSubstanceUse(used)
    if (record.complete !== true || !used.proposal || used.proposal === now.formula) return now
    const approach = ([1, 2, 3, 4] as const).find((one) => String(one) === used.proposed) ?? '?'
    return { ...now, formula: used.proposal, approach, expert: approach === 4 ? now.expert : [], missing: [] }
  })

/**
 * Returns the decision on a substance: proposal confirmed, another approach chosen with a reason, or still open. A
 * confirmation is valid only for the current proposal.
 */
export function controlApproachDecision(
  used: SubstanceUse,
  { approach, formula }: BandingResult = proposeApproachForSubstanceUse(used),
): 'confirmed' | 'other' | 'open' {
  if (used.approach) return hasVisibleText(toText(used.reason)) ? 'other' : 'open'
  return approach !== '?' && used.confirmed === formula ? 'confirmed' : 'open'
}

/** Returns the confirmed or chosen approach; "?" if undecided. */
export function decidedControlApproach(used: SubstanceUse): number | '?' {
  const proposal = proposeApproachForSubstanceUse(used)
  const decision = controlApproachDecision(used, proposal)
  return decision === 'open' ? '?' : decision === 'other' ? Number(used.approach) : proposal.approach
}

/** Library fields whose values are saved in an assessment. */
const SAVED_FIELDS = [
  'name',
  'supplier',
  'casNumbers',
  ...SUPPLIER_ADVICE_NAMES,
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

/** Returns the library data of a substance to be saved in an assessment. */
export const substanceSnapshot = (record: Readonly<Record<string, unknown>>): SubstanceUse => ({
  ...only(record, SAVED_FIELDS),
  substance: record['@id'],
  limits: Array.isArray(record.limits)
    ? (record.limits.filter(isPlainObject).map((limit) => only(limit, LIMIT)) as unknown as ExposureLimit[])
    : [],
  sheet: isPlainObject(record.sheet) ? toText(record.sheet['@id']) : toText(record.sheet),
})

/**
 * Returns the problems that block completion: no substances, an unnamed substance, an undecided control approach, or a
 * conclusion that depends on actions without any. If the scheme makes no proposal, an approach must be chosen and a
 * reason given.
 */
export function coshhCompletionProblems(record: Readonly<Record<string, unknown>>): Violation[] {
  const all = substanceUsesInRecord(record)
  const needsAction = record.adequate === 'actions' && !(Array.isArray(record.actions) && record.actions.length)
  const noAction = needsAction ? [violation('actions', 'Please add the actions that the conclusion depends on')] : []
  if (!all.length) return [violation('substances', 'Please add at least one substance'), ...noAction]
  const open = all.flatMap((used, i) => {
    const at = `substances[${i}]`
    const name = toText(used.name).trim() || `Substance ${i + 1}`
    const proposal = proposeApproachForSubstanceUse(used)
    return [
      ...(hasVisibleText(toText(used.name))
        ? []
        : [violation(`${at}.name`, `Substance ${i + 1}: please enter a name`)]),
      ...(controlApproachDecision(used, proposal) === 'open'
        ? [violation(`${at}.confirmed`, `${name}: ${undecided(used, proposal)}`)]
        : []),
    ]
  })
  return [...open, ...noAction]
}

function undecided(used: SubstanceUse, { approach, missing }: BandingResult): string {
  if (used.approach) return 'please state why this approach is sufficient'
  if (approach !== '?') return `please confirm control approach ${approach}, or choose another and give a reason`
  return `the control approach is not known. ${missing.join(' ')} Please find out what is missing, or choose an approach and give a reason`
}

/** Counts the required answers about substances: for each, a name and a decision on the control approach. */
export const countRequiredCoshhAnswers = (
  record: Readonly<Record<string, unknown>>,
): Readonly<Record<string, number>> => {
  const all = substanceUsesInRecord(record)
  return all.length
    ? Object.fromEntries(all.map((_, i) => [`substances[${i}]`, REQUIRED_ANSWERS]))
    : { substances: REQUIRED_ANSWERS }
}

const REQUIRED_ANSWERS = 2

/**
 * Adds the proposal for each substance, so that the proposal is sealed with the revision, and the substances' names for
 * lists. In copies, clears the decisions.
 */
export function addControlApproachProposals({ next, copied }: RevisionToSave): RevisionToSave['next'] {
  if (!Array.isArray(next.substances)) return {}
  const rows = substanceUsesInRecord(next)
  return {
    substances: rows.map((used) => {
      const { formula, approach } = proposeApproachForSubstanceUse(used)
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

/**
 * Maximum number of months between thorough examinations of local exhaust ventilation (COSHH Regulations 2002,
 * regulation 9).
 */
const LEV_MONTHS = 14

/**
 * Returns the date by which the extraction system must next be examined; undefined if there is no such system or the
 * date of the last examination is unknown.
 */
export function nextLevExaminationDate(record: Readonly<Record<string, unknown>>): string | undefined {
  const last = parseLeadingDate(toText(record.levExamined))
  if (record.lev !== 'yes' || last === undefined) return undefined
  return Temporal.PlainDate.from(last).add({ months: LEV_MONTHS }).toString()
}
