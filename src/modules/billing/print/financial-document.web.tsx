import { Text } from '@mantine/core'
import type { FinancialDocument, LabelledValue } from './financial-document.ts'
import css from './paper.module.css'

/** An invoice, credit note or statement on screen, with the same text as the printed document. */
export function FinancialDocumentView({ sheet }: { readonly sheet: FinancialDocument }) {
  const { kind, number, warning, supplier, buyer, facts, rows, sums, totals, notes } = sheet
  const name = [kind, number].filter(Boolean).join(' ')
  return (
    <article className={css.paper} aria-label={name}>
      <header className={css.letterhead}>
        <Party of={supplier} />
        <span>{name}</span>
      </header>
      {warning && <Text fw={700}>{warning}</Text>}
      <dl className={css.facts}>
        <div>
          <dt>To</dt>
          <dd>
            <Party of={buyer} />
          </dd>
        </div>
        {facts.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          No lines yet.
        </Text>
      )}
      {sheet.isTable ? <Table of={sheet} /> : <Lines of={sheet} />}
      <dl className={css.sums} aria-label="Totals">
        {sums.map(pair)}
        {totals.map((p) => pair(p, css.total))}
      </dl>
      {notes.map((note) => (
        <p key={note} className={css.message}>
          {note}
        </p>
      ))}
    </article>
  )
}

const Lines = ({ of: { rows, columns } }: { readonly of: FinancialDocument }) => (
  <ul className={css.lines} aria-label="Lines">
    {rows.map(({ cells, under }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: paper has no other order than that of its lines
      <li key={i}>
        <span className={css.what}>{cells[0] || '—'}</span>
        <span className={css.sum}>{cells.at(-1)}</span>
        <span className={css.small}>
          {[under, ...columns.slice(1, -1).flatMap((c, n) => (cells[n + 1] ? `${c}: ${cells[n + 1]}` : []))]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </li>
    ))}
  </ul>
)

/** The rows in the columns of the printed document. On a phone, each cell below the first has its column's heading. */
const Table = ({ of: { rows, columns } }: { readonly of: FinancialDocument }) => (
  <table className={css.table}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ cells }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paper has no other order than that of its lines
        <tr key={i}>
          {cells.map((cell, n) =>
            n === 0 ? (
              <th key={columns[n]} scope="row">
                {cell}
              </th>
            ) : (
              <td key={columns[n]} data-column={columns[n]}>
                {cell}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
)

const pair = ([what, sum]: LabelledValue, className?: string | number) => (
  <div key={what} {...(typeof className === 'string' ? { className } : {})}>
    <dt>{what}</dt>
    <dd>{sum}</dd>
  </div>
)

function Party({ of }: { readonly of: FinancialDocument['buyer'] }) {
  return (
    <div>
      <strong>{of.name || '—'}</strong>
      {of.lines.map((line) => (
        <span key={line} className={css.small}>
          {line}
        </span>
      ))}
    </div>
  )
}
