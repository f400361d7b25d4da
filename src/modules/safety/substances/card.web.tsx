import type { ReactNode } from 'react'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { FactGrid, type LabelledFact } from '../shared-fields/facts.web.tsx'
import { PHYSICAL_FORMS, proposeControlApproach, volatilityOf } from './banding.ts'
import { clpStatementText, pictogramName } from './labels.ts'
import { type ExposureLimit, formatExposureLimit, formatExposureLimitSource } from './limits.ts'
import { listIncompatibleStorageTypes } from './storage.ts'
import {
  dataSheetStatus,
  EXPOSURE_ROUTES,
  SUPPLIER_ADVICE,
  SUPPLIER_ADVICE_NAMES,
  type SupplierAdviceName,
} from './substance.ts'
import css from './substances.module.css'

/** Drawings of the pictograms, by path. The name of each pictogram is shown beside its drawing. */
const DRAWINGS = import.meta.glob<string>('../../../../db/reference/ghs-signs/*.svg', {
  eager: true,
  import: 'default',
})

const PictogramList = ({ codes }: { readonly codes: readonly string[] }) =>
  codes.length > 0 && (
    <ul className={css.pictograms} aria-label="Pictograms">
      {codes.map((code) => {
        const drawing = DRAWINGS[`../../../../db/reference/ghs-signs/${code}.svg`]
        return (
          <li key={code}>
            {drawing && <img src={drawing} alt="" width={40} height={40} />}
            {pictogramName(code)}
          </li>
        )
      })}
    </ul>
  )

/** A substance's values from its label and data sheet, taken from the library or copied into an assessment. */
export interface SubstanceDescription extends Readonly<Partial<Record<SupplierAdviceName, string | null>>> {
  readonly supplier?: string | null
  readonly casNumbers?: readonly string[] | null
  readonly form?: string | null
  readonly hazardStatements?: readonly string[] | null
  readonly precautions?: readonly string[] | null
  readonly unclassified?: boolean | null
  readonly pictograms?: readonly string[] | null
  readonly signalWord?: string | null
  readonly routes?: readonly string[] | null
  readonly boilingPoint?: number | null
  readonly limits?: readonly ExposureLimit[] | null
  readonly sheet?: unknown
  readonly sheetDate?: string | null
  readonly notes?: string | null
  readonly source?: string | null
}

const labelled = (options: readonly { readonly value: string; readonly label: string }[], value: unknown) =>
  options.find((o) => o.value === value)?.label ?? ''

/** Returns the boiling point as text, with the resulting volatility at room temperature. */
function boils(at: number): string {
  const volatility = volatilityOf(at)
  return `${at} °C: ${volatility ? `${volatility} volatility` : 'a gas'} at room temperature`
}

export function DataSheetStatus({
  of,
  short,
}: {
  readonly of: Pick<SubstanceDescription, 'sheet' | 'sheetDate'>
  readonly short?: boolean
}) {
  const standing = dataSheetStatus(of, londonToday())
  const words = {
    none: 'No data sheet',
    undated: 'Data sheet has no date',
    old: `Data sheet dated ${formatIsoAsUkDate(of.sheetDate ?? '')}: request a newer one`,
    good: `Data sheet dated ${formatIsoAsUkDate(of.sheetDate ?? '')}`,
  }
  const few = {
    none: 'None',
    undated: 'No date',
    old: `Old: ${formatIsoAsUkDate(of.sheetDate ?? '')}`,
    good: formatIsoAsUkDate(of.sheetDate ?? ''),
  }
  return <StatusChip meaning={standing === 'good' ? 'safe' : 'attention'}>{(short ? few : words)[standing]}</StatusChip>
}

/** Hazard group derived from the statements, marked if an expert must decide. */
export function HazardGroupChip({ of, short }: { readonly of: SubstanceDescription; readonly short?: boolean }) {
  const { group, skin, expert } = proposeControlApproach({
    statements: of.hazardStatements ?? [],
    unclassified: of.unclassified === true,
  })
  return (
    <StatusChip meaning={group === '?' ? 'attention' : expert.length ? 'stop' : 'info'}>
      {`${short ? '' : 'Hazard group '}${group}${skin ? ' and S' : ''}${expert.length ? (short ? ', expert' : ': expert advice') : ''}`}
    </StatusChip>
  )
}

interface CardProps {
  readonly of: SubstanceDescription
  readonly file?: ReactNode
  /** True to show the types of substances that must be stored separately from this substance. */
  readonly apart?: boolean
}

export function SubstanceCard({ of, file, apart }: CardProps) {
  const facts = [
    ['Supplier', of.supplier],
    ['CAS numbers', (of.casNumbers ?? []).join('; ')],
    ['Physical form', labelled(PHYSICAL_FORMS, of.form)],
    ['Boiling point', typeof of.boilingPoint === 'number' ? boils(of.boilingPoint) : ''],
    ['Routes of exposure', (of.routes ?? []).map((r) => labelled(EXPOSURE_ROUTES, r) || r).join(', ')],
    ...SUPPLIER_ADVICE_NAMES.map((name) => [SUPPLIER_ADVICE[name], of[name]] as const),
    ['Notes', of.notes],
    ['Source', of.source],
  ].flatMap(([label, text]): LabelledFact[] => (label && text ? [[label, text]] : []))
  return (
    <div className={css.card}>
      <div className={css.label}>
        {of.signalWord && <span className={css.signal}>{of.signalWord}</span>}
        <PictogramList codes={of.pictograms ?? []} />
        <HazardGroupChip of={of} />
        <DataSheetStatus of={of} />
        {file}
      </div>
      <Statements
        title="Hazards"
        codes={of.hazardStatements ?? []}
        none={of.unclassified ? 'Not classified as hazardous to health.' : 'No hazard statement: hazard unknown.'}
      />
      {(of.precautions ?? []).length > 0 && <Statements title="Precautions" codes={of.precautions ?? []} />}
      <FactGrid facts={facts} />
      <Limits limits={of.limits ?? []} />
      {apart && <Apart of={of} />}
    </div>
  )
}

interface StatementsProps {
  readonly title: string
  readonly codes: readonly string[]
  readonly none?: string
}

const Statements = ({ title, codes, none }: StatementsProps) => (
  <section>
    <h3>{title}</h3>
    {codes.length ? (
      <ul className={css.list}>
        {codes.map((code) => (
          <li key={code}>{clpStatementText(code)}</li>
        ))}
      </ul>
    ) : (
      <p className={css.quiet}>{none}</p>
    )}
  </section>
)

/** Types of substances to store separately from this substance, each with the source of the rule. */
function Apart({ of }: { readonly of: SubstanceDescription }) {
  const apart = listIncompatibleStorageTypes(of)
  return (
    apart.length > 0 && (
      <section>
        <h3>Store separately from</h3>
        <ul className={css.list}>
          {apart.map(({ from, why, basis }) => (
            <li key={from}>
              <strong>{from}</strong>. {why}{' '}
              <span className={css.quiet}>({basis}. The data sheet takes precedence.)</span>
            </li>
          ))}
        </ul>
      </section>
    )
  )
}

const Limits = ({ limits }: { readonly limits: readonly ExposureLimit[] }) =>
  limits.length > 0 && (
    <section>
      <h3>Workplace exposure limits</h3>
      <ul className={css.list}>
        {limits.map((limit, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={i}>
            <strong>{limit.agent}</strong>. {formatExposureLimit(limit)}
            {limit.notes ? `. ${limit.notes}` : ''}{' '}
            <span className={css.quiet}>({formatExposureLimitSource(limit)})</span>
          </li>
        ))}
      </ul>
    </section>
  )
