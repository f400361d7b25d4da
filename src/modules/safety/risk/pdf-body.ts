import { groupLinesByHazard, isControlLine } from '../grid/rules.ts'
import type { RiskBandColour } from '../risk-matrix/bands.ts'
import { riddorSeverityNote, riskBandRuleText, riskMatrixFromRecord } from '../risk-matrix/bands.ts'
import type { PdfJobDetails } from '../shared-fields/pdf.ts'
import { toPdfJobDetails } from '../shared-fields/pdf.ts'
import { parseMethodStatement, statementsInMethodStatement } from '../statements/method-statement.ts'

/** Sanitised HTML, limited to the tags that the portal allows. */
interface RichText {
  readonly html: string
}

/** Probability and severity, 1 to 5 each. */
interface Judgement {
  readonly probability: number
  readonly severity: number
}

interface RatingStep {
  readonly value: number
  readonly name: string
}

/** Body of a risk assessment's PDF, used by `risk-assessment.typ`. Dates are in the format `2026-03-12`. */
export interface RiskAssessmentPdfBody {
  readonly job: PdfJobDetails & {
    readonly personsAffected?: string | number
    readonly groupsAffected?: readonly string[]
    /** True if the assessment covers only part of the work. */
    readonly partial?: true
  }
  readonly peopleNote?: RichText
  /** Names for probability and severity, from 1 to 5, and at most five bands, mildest first. */
  readonly scales: {
    readonly probability: readonly RatingStep[]
    readonly severity: readonly RatingStep[]
    /** Note on the names of the severities. */
    readonly note?: string
    readonly bands: readonly {
      readonly from: number
      readonly to: number
      readonly name: string
      readonly level: RiskBandColour
      /** Action required in the band, as one sentence. */
      readonly rule?: string
    }[]
  }
  readonly hazards: readonly {
    readonly group?: string
    readonly name: string
    readonly description?: RichText | string
    readonly personsAtRisk?: readonly string[]
    /**
     * Person responsible for the hazard's controls. A control names a person only if someone else is responsible for
     * the control.
     */
    readonly responsible?: string
    /** Rating before controls; undefined if not yet rated. */
    readonly initial?: Judgement
    readonly residual?: Judgement
    readonly controls: readonly {
      /** Type of control; undefined if unknown. */
      readonly level?: Tier
      readonly name: string
      readonly description?: string
      readonly responsibility?: string
      /** True if the control is in place; undefined if that is unknown. */
      readonly implemented?: boolean
      readonly plannedFor?: string
    }[]
    /** Reason for accepting the residual risk. */
    readonly residualReason?: string
    /** Reason why protective equipment alone is sufficient. */
    readonly ppeAloneReason?: string
  }[]
  /**
   * Protective equipment with its drawing: `iso7010`, such as `M014`, or `image`, a file in `db/reference/ppe-signs`.
   * If both are missing, the initials are printed.
   */
  readonly ppe: readonly {
    readonly label: string
    readonly image?: string
    readonly iso7010?: string | null
    readonly standard?: string
  }[]
  readonly methodStatement?: {
    readonly statements: readonly { readonly heading: string; readonly text: RichText }[]
    readonly tasks: readonly { readonly name: string; readonly description?: RichText }[]
    readonly emergencyContacts: readonly { readonly name: string; readonly role?: string; readonly phone: string }[]
  }
  readonly images: readonly { readonly base64: string; readonly alt: string; readonly caption?: string }[]
}

type Values = Readonly<Record<string, unknown>>
type Picture = RiskAssessmentPdfBody['images'][number]

const text = (v: unknown) => (typeof v === 'string' ? v.trim() : typeof v === 'number' ? String(v) : '')
const list = (v: unknown): Values[] => (Array.isArray(v) ? (v as Values[]) : [])
const html = (v: unknown) => ({ html: text(v) })
const some = <K extends string>(name: K, v: unknown) => (text(v) ? ({ [name]: text(v) } as Record<K, string>) : {})
const level = (names: readonly string[]) => names.map((name, i) => ({ value: i + 1, name }))

/** Hierarchy of control, from eliminating the hazard to protecting individuals. */
const CONTROL_TIER_ORDER = ['eliminate', 'substitute', 'engineering', 'administrative', 'ppe'] as const
type Tier = (typeof CONTROL_TIER_ORDER)[number]
/** Returns the rank of a control's type. A control without a type comes last. */
const rankOf = (tier: Tier | undefined) => (tier ? CONTROL_TIER_ORDER.indexOf(tier) : CONTROL_TIER_ORDER.length)

export function toRiskAssessmentPdfBody(
  record: Values,
  { images = [] }: { images?: readonly Picture[] } = {},
): RiskAssessmentPdfBody {
  const method = parseMethodStatement(record.methodStatement)
  const matrix = riskMatrixFromRecord(record)
  const industry = text((record.industry as Values | null)?.name)
  return {
    job: {
      ...toPdfJobDetails(record),
      ...some('personsAffected', record.personsAffected),
      ...(industry ? { industry } : {}),
      ...(record.partial === true ? { partial: true } : {}),
      ...some('begunFrom', text(record.copiedFrom) || otherNumber(record)),
      groupsAffected: list(record.groupsAffected).map(text).filter(Boolean),
    },
    ...(text(record.note) ? { peopleNote: html(record.note) } : {}),
    scales: {
      probability: level(matrix.probability),
      severity: level(matrix.severity),
      ...some('note', riddorSeverityNote(matrix)),
      bands: matrix.bands.map((band) => {
        const { from, to, name, level: colour } = band
        return { from, to, name, level: colour, rule: riskBandRuleText(band) }
      }),
    },
    hazards: hazards(list(record.controls).filter((l) => !l.retired)),
    ppe: list(record.ppeItems).map((p) => ({
      label: text(p.label),
      iso7010: text(p.iso7010) || null,
      ...some('image', p.image),
    })),
    methodStatement: {
      statements: statementsInMethodStatement(method).map((s) => ({ heading: text(s.title), text: html(s.text) })),
      tasks: method.taskSelection.map((t) => ({ name: text(t.title), description: html(t.text) })),
      emergencyContacts: list(record.emergencyContact)
        .map((c) => ({ name: text(c.name), phone: text(c.number) }))
        .filter((c) => c.name || c.phone),
    },
    images,
  }
}

/**
 * Returns the source document's number; empty if it is the same as the document's own number, because revisions of one
 * document share a number.
 */
const otherNumber = ({ documentNumber, parentDocumentNumber }: Values) =>
  parentDocumentNumber === documentNumber ? '' : parentDocumentNumber

/** Groups lines by hazard. The controls are in the order of the hierarchy of control. */
function hazards(lines: readonly Values[]): RiskAssessmentPdfBody['hazards'] {
  return groupLinesByHazard(lines).map((group) => {
    const head = (group.find((l) => !isControlLine(l)) ?? group[0]) as Values
    const judged = group.find((l) => l.judged)
    const left = group.find((l) => l.residualProbability && l.residualSeverity)
    const responsible = text(head.responsible)
    return {
      name: text(head.hazardName),
      ...some('group', head.group),
      ...some('description', head.description),
      ...some('responsible', responsible),
      ...(text(head.persons) ? { personsAtRisk: [text(head.persons)] } : {}),
      ...(judged ? { initial: { probability: Number(judged.probability), severity: Number(judged.severity) } } : {}),
      ...(left
        ? { residual: { probability: Number(left.residualProbability), severity: Number(left.residualSeverity) } }
        : {}),
      controls: group
        .filter(isControlLine)
        .map((l) => ({
          ...(CONTROL_TIER_ORDER.includes(l.tier as Tier) ? { level: l.tier as Tier } : {}),
          name: text(l.controlName),
          ...some('description', l.controlDescription),
          ...some('responsibility', text(l.responsible) === responsible ? '' : l.responsible),
          ...(l.implemented !== 'no' && l.implementedUnknown ? {} : { implemented: l.implemented !== 'no' }),
          ...some('plannedFor', l.plannedFor),
        }))
        .sort((a, b) => rankOf(a.level) - rankOf(b.level)),
      ...some('ppeAloneReason', head.ppeReason),
      ...some('residualReason', head.residualReason),
    }
  })
}
