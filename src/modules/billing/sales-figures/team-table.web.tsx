import { type Cell, Opens } from '#web/charts/picture.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import type { SalesFigures, Seller } from './figures.ts'
import css from './overview.module.css'
import { acceptedAt, byWeek, calls, callsAt, callsToday, money, quotes, sentAt } from './pictures.ts'
import { inPounds } from './sales-pictures.web.tsx'

const COLUMNS = ['Today', 'Calls', 'Last week', 'Quotes sent', 'Accepted', 'Money', 'Value last week']

interface TeamCell extends Cell {
  readonly format?: (n: number) => string
  readonly after?: string
}

export function TeamTable({ figures: f }: { readonly figures: SalesFigures }) {
  const phone = useIsPhone()
  const [before = '', week = ''] = f.weeks.slice(-2)
  const cellsOf = (p: Seller): TeamCell[] => {
    const made = byWeek(f.weeks, f.calls, p.id, calls)
    const earned = byWeek(f.weeks, f.accepted, p.id, money)
    const now = (all: readonly number[]) => all.at(-1) ?? 0
    const then = (all: readonly number[]) => all.at(-2) ?? 0
    return [
      { value: callsToday(f, p.id), to: callsAt(p.id, 'today'), after: ` of ${p.callsPerDay}` },
      { value: now(made), to: callsAt(p.id, week) },
      { value: then(made), to: callsAt(p.id, before) },
      { value: now(byWeek(f.weeks, f.sent, p.id, quotes)), to: sentAt(p.id, week) },
      { value: now(byWeek(f.weeks, f.accepted, p.id, quotes)), to: acceptedAt(p.id, week) },
      { value: now(earned), to: acceptedAt(p.id, week), format: inPounds },
      { value: then(earned), to: acceptedAt(p.id, before), format: inPounds },
    ]
  }
  const draw = (p: Seller) =>
    cellsOf(p).map(({ format, after, ...cell }, n) => ({
      label: COLUMNS[n] ?? '',
      shown: (
        <>
          <Opens cell={cell} name={`${COLUMNS[n]}, ${p.name}`} {...(format ? { format } : {})} />
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
