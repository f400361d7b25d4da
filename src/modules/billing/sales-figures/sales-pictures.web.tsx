import { formatMoney } from '#kernel/money.ts'
import { WAYS } from '#modules/crm/calls/ways.ts'
import { Pictures } from '#web/charts/numbers.tsx'
import { type Cell, Picture } from '#web/charts/picture.tsx'
import type { Meaning } from '#web/theme/meaning.ts'
import { weekHeads } from './data.web.ts'
import type { Called, Offered, SalesFigures } from './figures.ts'
import { acceptedAt, byWeek, calls, callsAt, MONEY, money, quotes, sentAt, type Whose } from './pictures.ts'

interface Props {
  readonly figures: SalesFigures
  readonly whose: Whose
  /** True if everybody is included, so the links lead to unfiltered lists. */
  readonly isAll: boolean
}

const MEANINGS: Readonly<Record<(typeof WAYS)[number]['way'], Meaning>> = {
  forward: 'safe',
  later: 'attention',
  away: 'plain',
}
export const inPounds = (pence: number): string => formatMoney(pence, MONEY)
/** Whole pounds, as axes and tables have no room for pence. */
const wholePounds = (pence: number): string => `£${Math.round(pence / 100).toLocaleString('en-GB')}`

const last = (all: readonly number[]) => all.at(-1) ?? 0
const sumOf = (all: readonly number[]) => all.reduce((n, one) => n + one, 0)

export function SalesPictures({ figures: f, whose, isAll }: Props) {
  const heads = weekHeads(f)
  const canOpen = isAll || whose !== 'all'
  const cells = <T extends Called | Offered>(
    done: readonly T[],
    of: Whose,
    amount: (one: T) => number,
    at: (of: Whose, week: string) => string,
  ): Cell[] =>
    byWeek(f.weeks, done, of, amount).map((value, n) => ({
      value,
      to: canOpen || of !== 'all' ? at(of, f.weeks[n] ?? '') : undefined,
    }))
  const people = f.people.filter((p) => whose === 'all' || p.id === whose)
  const rows = <T extends Called | Offered>(
    done: readonly T[],
    amount: (one: T) => number,
    at: (of: Whose, week: string) => string,
  ) => {
    const each = people.map((p) => ({ name: p.name, cells: cells(done, p.id, amount, at) }))
    return whose === 'all' ? [...each, { name: 'Total', cells: cells(done, 'all', amount, at) }] : each
  }
  const made = byWeek(f.weeks, f.calls, whose, calls)
  const [sent, accepted] = [byWeek(f.weeks, f.sent, whose, quotes), byWeek(f.weeks, f.accepted, whose, quotes)]
  const earned = byWeek(f.weeks, f.accepted, whose, money)
  return (
    <Pictures>
      <Picture
        title="Calls by week"
        summary={`Calls in nine weeks: ${sumOf(made)}, ${last(made)} of them this week.`}
        columns={heads}
        rowIs="Person"
        rows={rows(f.calls, calls, callsAt)}
        isStacked
        series={WAYS.map(({ way, label }) => ({
          label,
          meaning: MEANINGS[way],
          cells: cells(
            f.calls.filter((c) => c.way === way),
            whose,
            calls,
            (of, week) => callsAt(of, week, way),
          ),
        }))}
      />
      <Picture
        title="Quotes by week"
        summary={`Quotes in nine weeks: ${sumOf(sent)} sent, ${sumOf(accepted)} accepted; this week ${last(sent)} and ${last(accepted)}.`}
        columns={heads}
        rowIs="Person"
        rows={[
          ...rows(f.sent, quotes, sentAt).map((r) => ({ ...r, name: `${r.name}: sent` })),
          ...rows(f.accepted, quotes, acceptedAt).map((r) => ({ ...r, name: `${r.name}: accepted` })),
        ]}
        series={[
          { label: 'Sent', meaning: 'info', cells: cells(f.sent, whose, quotes, sentAt) },
          { label: 'Accepted', meaning: 'safe', cells: cells(f.accepted, whose, quotes, acceptedAt) },
        ]}
      />
      <Picture
        title="Value accepted by week"
        summary={`Accepted in nine weeks: ${inPounds(sumOf(earned))}, ${inPounds(last(earned))} of it this week.`}
        columns={heads}
        rowIs="Person"
        rows={rows(f.accepted, money, acceptedAt)}
        format={wholePounds}
        series={[{ label: 'Accepted', meaning: 'safe', cells: cells(f.accepted, whose, money, acceptedAt) }]}
      />
    </Pictures>
  )
}
