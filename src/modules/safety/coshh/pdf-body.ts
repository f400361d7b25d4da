import { toText } from '#kernel/text.ts'
import { airbornePropertyOf, type BandingResult, controlApproachLabel, PHYSICAL_FORMS } from '../substances/banding.ts'
import { clpStatementText, pictogramName } from '../substances/labels.ts'
import { formatExposureLimit, formatExposureLimitSource } from '../substances/limits.ts'
import { EXPOSURE_ROUTES, SUPPLIER_ADVICE, SUPPLIER_ADVICE_NAMES } from '../substances/substance.ts'
import { parseCoshhEquipment } from './equipment.ts'
import { COSHH_CONCLUSIONS, COSHH_CONTROL_HIERARCHY } from './form.ts'
import {
  controlApproachDecision,
  nextLevExaminationDate,
  proposalsInRecord,
  type SubstanceUse,
  substanceUsesInRecord,
} from './substances-used.ts'

type Values = Readonly<Record<string, unknown>>
type Fact = readonly [name: string, text: string]

/** Input for the PDF template `coshh-assessment.typ`. Dates are in the format `2026-03-12`. */
export interface CoshhPdfInput {
  /** Answers, by name of the form field. */
  readonly said: Readonly<Record<string, string>>
  readonly substances: readonly {
    readonly name: string
    readonly supplier?: string
    readonly cas?: string
    /** First aid and PPE as the supplier states them, each with its label. */
    readonly firstAid: readonly { readonly label: string; readonly text: string }[]
    readonly ppe: readonly { readonly label: string; readonly text: string }[]
    readonly signalWord?: string
    readonly pictograms: readonly { readonly code: string; readonly name: string }[]
    /** Statements with their full texts. */
    readonly statements: readonly string[]
    readonly precautions: readonly string[]
    readonly use: string
    readonly routes?: string
    readonly limits: readonly {
      readonly agent: string
      readonly text: string
      readonly notes?: string
      readonly basis: string
    }[]
    readonly sheet: string
    readonly proposal: string
    /** Advice that is not part of COSHH Essentials, as sentences. */
    readonly advice: readonly string[]
    /** Decision as text, such as "Confirmed: approach 2, engineering control". */
    readonly decision: string
    readonly reason?: string
    readonly notes?: string
    /** True if an expert is needed or the scheme proposes no approach. */
    readonly special: boolean
  }[]
  readonly controls: readonly { readonly tier: string; readonly text: string }[]
  readonly equipment: readonly {
    readonly label: string
    readonly standard?: string
    readonly detail?: string
    readonly image?: string
  }[]
  /** Conclusion on regulations 6 and 7 as text, and whether work may start. Absent if there is no conclusion. */
  readonly conclusion?: { readonly text: string; readonly adequate: boolean; readonly reason?: string }
  /** Actions; `due` is a date such as `2026-03-12`. */
  readonly actions: readonly { readonly text: string; readonly owner: string; readonly due: string }[]
  readonly lev?: { readonly examined: string; readonly due: string; readonly examiner?: string }
  readonly contacts: readonly { readonly name: string; readonly phone: string }[]
  readonly images: readonly { readonly base64: string; readonly alt: string; readonly caption?: string }[]
}

const PRINTED_FIELDS = [
  'process',
  'location',
  'frequency',
  'duration',
  'personsAffected',
  'expectantMeasures',
  'youngMeasures',
  'equipmentNotes',
  'monitoringReason',
  'surveillanceDetails',
  'storage',
  'disposal',
  'firstAid',
  'fire',
  'spillage',
  'emergency',
] as const

const labelOf = (options: readonly { readonly value: string; readonly label: string }[], value: unknown) =>
  options.find((o) => o.value === value)?.label ?? toText(value)
const list = (v: unknown): Values[] => (Array.isArray(v) ? (v as Values[]) : [])
const some = <K extends string>(name: K, v: unknown) =>
  toText(v).trim() ? ({ [name]: toText(v).trim() } as Record<K, string>) : {}
const yesNo = (v: unknown, measures?: unknown) =>
  v === 'yes' ? ['Yes', toText(measures).trim()].filter(Boolean).join('. ') : v === 'no' ? 'No' : ''

export function toCoshhPdfInput(
  record: Values,
  { images = [] }: { readonly images?: CoshhPdfInput['images'] } = {},
): CoshhPdfInput {
  const due = nextLevExaminationDate(record)
  const groups = (Array.isArray(record.groupsAffected) ? record.groupsAffected : []).map(toText).filter(Boolean)
  const facts: readonly Fact[] = [
    ...PRINTED_FIELDS.map((name) => [name, toText(record[name]).trim()] as const),
    ['groups', groups.join(', ')],
    ['expectant', yesNo(record.expectant, record.expectantMeasures)],
    ['young', yesNo(record.young, record.youngMeasures)],
    ['monitoring', yesNo(record.monitoring)],
    ['surveillance', yesNo(record.surveillance, record.surveillanceDetails)],
  ]
  return {
    said: Object.fromEntries(facts.filter(([, text]) => text)),
    substances: proposalsInRecord(record).map((proposal, i) =>
      substancePdf(substanceUsesInRecord(record)[i] ?? {}, proposal),
    ),
    controls: COSHH_CONTROL_HIERARCHY.flatMap(({ value, label }) =>
      list(record.measures)
        .filter((row) => row.tier === value && toText(row.text).trim())
        .map((row) => ({ tier: label, text: toText(row.text).trim() })),
    ),
    ...concluded(record),
    actions: list(record.actions)
      .map(({ text, owner, due }) => ({
        text: toText(text).trim(),
        owner: toText(owner).trim(),
        due: toText(due).slice(0, 10),
      }))
      .filter(({ text, owner, due }) => text || owner || due),
    equipment: parseCoshhEquipment(record.worn).map(({ label, standard, detail, image }) => ({
      label,
      ...some('standard', standard),
      ...some('detail', detail),
      ...some('image', image),
    })),
    ...(due
      ? { lev: { examined: toText(record.levExamined).slice(0, 10), due, ...some('examiner', record.levExaminer) } }
      : {}),
    contacts: list(record.emergencyContact)
      .map((c) => ({ name: toText(c.name).trim(), phone: toText(c.number).trim() }))
      .filter((c) => c.name || c.phone),
    images,
  }
}

function concluded({ adequate, adequateReason }: Values): Pick<CoshhPdfInput, 'conclusion'> {
  const text = COSHH_CONCLUSIONS.find(({ value }) => value === adequate)?.label
  return text ? { conclusion: { text, adequate: adequate === 'yes', ...some('reason', adequateReason) } } : {}
}

const advicePdf = (used: SubstanceUse, group: string) =>
  SUPPLIER_ADVICE_NAMES.flatMap((name) => {
    const [label, text] = [SUPPLIER_ADVICE[name], toText(used[name]).trim()]
    if (!text || !label.startsWith(group)) return []
    return [{ label: label.charAt(group.length).toUpperCase() + label.slice(group.length + 1), text }]
  })

function substancePdf(used: SubstanceUse, proposal: BandingResult): CoshhPdfInput['substances'][number] {
  const decision = controlApproachDecision(used, proposal)
  return {
    name: toText(used.name).trim() || 'Unnamed',
    ...some('supplier', used.supplier),
    ...some('cas', (used.casNumbers ?? []).join('; ')),
    firstAid: advicePdf(used, 'First aid: '),
    ppe: advicePdf(used, 'PPE: '),
    ...some('signalWord', used.signalWord),
    pictograms: (used.pictograms ?? []).map((code) => ({ code, name: pictogramName(code) })),
    statements: (used.hazardStatements ?? []).map(clpStatementText),
    precautions: (used.precautions ?? []).map(clpStatementText),
    use: substanceUseText(used),
    ...some('routes', (used.routes ?? []).map((route) => labelOf(EXPOSURE_ROUTES, route)).join(', ')),
    limits: (used.limits ?? []).map((limit) => ({
      agent: limit.agent,
      text: formatExposureLimit(limit),
      ...some('notes', limit.notes),
      basis: formatExposureLimitSource(limit),
    })),
    sheet: toText(used.sheetDate).slice(0, 10),
    proposal: proposal.formula,
    advice: proposal.advice,
    decision:
      decision === 'confirmed'
        ? `Confirmed: approach ${controlApproachLabel(proposal.approach)}`
        : decision === 'other'
          ? `Chosen: approach ${controlApproachLabel(used.approach)}`
          : 'Not decided yet',
    ...(decision === 'other' ? some('reason', used.reason) : {}),
    ...some('notes', used.notes),
    special: proposal.approach === '?' || proposal.expert.length > 0,
  }
}

/** Returns the use of a substance as text, such as "5 l each time, liquid, low volatility". */
export function substanceUseText(used: SubstanceUse): string {
  const by = airbornePropertyOf(used.form)
  return [
    used.quantity && used.unit ? `${used.quantity} ${used.unit} each time` : 'Amount not known',
    labelOf(PHYSICAL_FORMS, used.form).toLowerCase(),
    used.level && by ? `${used.level} ${by}` : '',
  ]
    .filter(Boolean)
    .join(', ')
}
