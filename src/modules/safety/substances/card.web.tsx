import {
  IconAlertSmall,
  IconBomb,
  IconBottle,
  IconDroplets,
  IconFish,
  IconFlame,
  IconHeartBroken,
  IconPoint,
  IconSkull,
  IconSun,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { londonToday, showDay } from '#web/dates/uk-dates.ts'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { type Fact, Facts } from '../shared-fields/facts.web.tsx'
import { bandingOf, FORMS, volatilityOf } from './banding.ts'
import { pictogramName, statementText } from './labels.ts'
import { type Limit, limitBasis, limitText } from './limits.ts'
import { keptApartFrom } from './storage.ts'
import { ROUTES, sheetStanding } from './substance.ts'
import css from './substances.module.css'

/** Icons used instead of the official drawings, each with its name beside it. */
const DRAWN: Readonly<Record<string, typeof IconFlame>> = {
  GHS01: IconBomb,
  GHS02: IconFlame,
  GHS03: IconSun,
  GHS04: IconBottle,
  GHS05: IconDroplets,
  GHS06: IconSkull,
  GHS07: IconAlertSmall,
  GHS08: IconHeartBroken,
  GHS09: IconFish,
}

const Pictograms = ({ codes }: { readonly codes: readonly string[] }) =>
  codes.length > 0 && (
    <ul className={css.pictograms} aria-label="Pictograms">
      {codes.map((code) => {
        const Drawing = DRAWN[code] ?? IconPoint
        return (
          <li key={code}>
            <span className={css.diamond}>
              <Drawing size={17} stroke={2.2} aria-hidden />
            </span>
            {pictogramName(code)}
          </li>
        )
      })}
    </ul>
  )

/** Substance as described by its label and data sheet: from the library, or as copied into an assessment. */
export interface Described {
  readonly supplier?: string | null
  readonly form?: string | null
  readonly hazardStatements?: readonly string[] | null
  readonly precautions?: readonly string[] | null
  readonly unclassified?: boolean | null
  readonly pictograms?: readonly string[] | null
  readonly signalWord?: string | null
  readonly routes?: readonly string[] | null
  readonly boilingPoint?: number | null
  readonly limits?: readonly Limit[] | null
  readonly sheet?: unknown
  readonly sheetDate?: string | null
  readonly notes?: string | null
  readonly source?: string | null
}

const labelled = (options: readonly { readonly value: string; readonly label: string }[], value: unknown) =>
  options.find((o) => o.value === value)?.label ?? ''

/** Boiling point, with the resulting volatility of a liquid at room temperature. */
function boils(at: number): string {
  const volatility = volatilityOf(at)
  return `${at} °C: ${volatility ? `${volatility} volatility` : 'a gas'} at room temperature`
}

export function SheetChip({
  of,
  short,
}: {
  readonly of: Pick<Described, 'sheet' | 'sheetDate'>
  readonly short?: boolean
}) {
  const standing = sheetStanding(of, londonToday())
  const words = {
    none: 'No data sheet',
    undated: 'Data sheet without date',
    old: `Data sheet of ${showDay(of.sheetDate ?? '')}: request a newer one`,
    good: `Data sheet of ${showDay(of.sheetDate ?? '')}`,
  }
  const few = {
    none: 'None',
    undated: 'No date',
    old: `Old: ${showDay(of.sheetDate ?? '')}`,
    good: showDay(of.sheetDate ?? ''),
  }
  return <StatusChip meaning={standing === 'good' ? 'safe' : 'attention'}>{(short ? few : words)[standing]}</StatusChip>
}

/** Hazard group of the statements, with a mark if an expert must decide. */
export function GroupChip({ of, short }: { readonly of: Described; readonly short?: boolean }) {
  const { group, skin, expert } = bandingOf({
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
  readonly of: Described
  readonly file?: ReactNode
  /** Shows substances to store separately, even if none of them is in the list. */
  readonly apart?: boolean
}

export function SubstanceCard({ of, file, apart }: CardProps) {
  const facts = [
    ['Supplier', of.supplier],
    ['Physical form', labelled(FORMS, of.form)],
    ['Boiling point', typeof of.boilingPoint === 'number' ? boils(of.boilingPoint) : ''],
    ['Routes of exposure', (of.routes ?? []).map((r) => labelled(ROUTES, r) || r).join(', ')],
    ['Notes', of.notes],
    ['Source', of.source],
  ].flatMap(([label, text]): Fact[] => (label && text ? [[label, text]] : []))
  return (
    <div className={css.card}>
      <div className={css.label}>
        {of.signalWord && <span className={css.signal}>{of.signalWord}</span>}
        <Pictograms codes={of.pictograms ?? []} />
        <GroupChip of={of} />
        <SheetChip of={of} />
        {file}
      </div>
      <Statements
        title="Hazards"
        codes={of.hazardStatements ?? []}
        none={of.unclassified ? 'Not classified as hazardous to health.' : 'No hazard statement: hazard unknown.'}
      />
      {(of.precautions ?? []).length > 0 && <Statements title="Precautions" codes={of.precautions ?? []} />}
      <Facts facts={facts} />
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
          <li key={code}>{statementText(code)}</li>
        ))}
      </ul>
    ) : (
      <p className={css.quiet}>{none}</p>
    )}
  </section>
)

/** Substances to store separately, with the source of each rule. */
function Apart({ of }: { readonly of: Described }) {
  const apart = keptApartFrom(of)
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

const Limits = ({ limits }: { readonly limits: readonly Limit[] }) =>
  limits.length > 0 && (
    <section>
      <h3>Workplace exposure limits</h3>
      <ul className={css.list}>
        {limits.map((limit, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that stands as it is
          <li key={i}>
            <strong>{limit.agent}</strong>. {limitText(limit)}
            {limit.notes ? `. ${limit.notes}` : ''} <span className={css.quiet}>({limitBasis(limit)})</span>
          </li>
        ))}
      </ul>
    </section>
  )
