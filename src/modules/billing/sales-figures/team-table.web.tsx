import { type ChartCell, FigureLink } from '#web/charts/picture.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import type { SalesFigures, Seller } from './figures.ts'
import css from './overview.module.css'
import {
  acceptedQuotesUrl,
  callCountOf,
  callListUrl,
  countByWeek,
  countCallsToday,
  quoteCountOf,
  quotePenceOf,
  sentQuotesUrl,
} from './pictures.ts'
import { formatPounds } from './sales-pictures.web.tsx'

const COLUMNS = ['Today', 'Calls', 'Last week', 'Quotes sent', 'Accepted', 'Money', 'Value last week']

interface TeamCell extends ChartCell {
  readonly format?: (n: number) => string
  readonly after?: string
}

export function SalesTeamTable({ figures: f }: { readonly figures: SalesFigures }) {
  const phone = useIsPhone()
  const [before = '', week = ''] = f.weeks.slice(-2)
  const cellsOf = (p: Seller): TeamCell[] => {
    const made = countByWeek(f.weeks, f.calls, p.id, callCountOf)
    const earned = countByWeek(f.weeks, f.accepted, p.id, quotePenceOf)
    const now = (all: readonly number[]) => all.at(-1) ?? 0
    const then = (all: readonly number[]) => all.at(-2) ?? 0
    return [
      { value: countCallsToday(f, p.id), to: callListUrl(p.id, 'today'), after: ` of ${p.callsPerDay}` },
      { value: now(made), to: callListUrl(p.id, week) },
      { value: then(made), to: callListUrl(p.id, before) },
      { value: now(countByWeek(f.weeks, f.sent, p.id, quoteCountOf)), to: sentQuotesUrl(p.id, week) },
      { value: now(countByWeek(f.weeks, f.accepted, p.id, quoteCountOf)), to: acceptedQuotesUrl(p.id, week) },
      { value: now(earned), to: acceptedQuotesUrl(p.id, week), format: formatPounds },
      { value: then(earned), to: acceptedQuotesUrl(p.id, before), format: formatPounds },
    ]
  }
  const draw = (p: Seller) =>
    cellsOf(p).map(({ format, after, ...cell }, n) => ({
      label: COLUMNS[n] ?? '',
      shown: (
        <>
          <FigureLink cell={cell} name={`${COLUMNS[n]}, ${p.name}`} {...(format ? { format } : {})} />
          {after}
        </>
      ),
    }))
  return phone ? (
    <ul className={css.people} aria-label="Team">
      {f.people.map((p) => (
        <li key={p.id}>
          <h3>{p.name}</h3>
          <dl>
            {draw(p).map(({ label, shown }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{shown}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  ) : (
    <table className={css.team}>
      <caption>The team this week</caption>
      <thead>
        <tr>
          <th scope="col">Person</th>
          {COLUMNS.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {f.people.map((p) => (
          <tr key={p.id}>
            <th scope="row">{p.name}</th>
            {draw(p).map(({ label, shown }) => (
              <td key={label}>{shown}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
