import { Anchor, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import { creditNote } from '../credits/credit-note.ts'
import type { SubscriptionChangePreview } from './data.web.ts'
import css from './subscription.module.css'

interface Props {
  readonly preview: SubscriptionChangePreview | undefined
  readonly error: Error | null
  readonly isWaiting: boolean
}

/** Amounts of a change, line by line, shown before the user confirms. */
export function SubscriptionChangePreviewTable({ preview, error, isWaiting }: Props) {
  return (
    <section className={css.preview} aria-label="Price of the change" aria-live="polite">
      {isWaiting ? (
        <Text size="sm">Choose the change to see its price here.</Text>
      ) : error ? (
        <Text role="alert">{errorSentence(error)}</Text>
      ) : preview ? (
        <Lines of={preview} />
      ) : (
        <LoadingRows rows={2} />
      )}
    </section>
  )
}

function Lines({ of }: { readonly of: SubscriptionChangePreview }) {
  const money = (pence: number) => formatMoney(pence, of.currency)
  return (
    <>
      <Text fw={600}>{of.sentence}</Text>
      {of.lines.length === 0 ? (
        <Text size="sm">Nothing is charged or credited now.</Text>
      ) : (
        <table className={css.lines}>
          <tbody>
            {of.lines.map((line) => (
              <tr key={line.sentence}>
                <th scope="row">{line.sentence}</th>
                <td>{money(line.net)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">VAT</th>
              <td>{money(of.tax)}</td>
            </tr>
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{of.gross < 0 ? 'Credit' : 'Due now'}</th>
              <td>{money(Math.abs(of.gross))}</td>
            </tr>
          </tfoot>
        </table>
      )}
      {of.perNextPeriod !== of.perPeriod && of.perNextPeriod > 0 && (
        <Text size="sm">
          From {formatIsoDateAsUk(of.nextPeriod)}: {money(of.perNextPeriod)} per period instead of {money(of.perPeriod)}
          , excl. VAT and discounts
        </Text>
      )}
      {of.credited > 0 && (
        <Text size="sm">
          {money(of.credited)} will be credited by credit note
          {of.invoiced > 0 && `, and ${money(of.invoiced)} will be invoiced`}. Amounts include VAT.
        </Text>
      )}
    </>
  )
}

/** Credit notes by number. Each links to the invoice that it credits, where its PDF is. */
export function CreditNoteLinks({ numbers }: { readonly numbers: readonly string[] }) {
  const places = useBillingUrls()
  const notes = useList(creditNote, { 'number[]': numbers, itemsPerPage: numbers.length }).data?.['hydra:member']
  return numbers.map((number, n) => {
    const note = notes?.find((one) => one.number === number)
    return (
      <Fragment key={number}>
        {n > 0 && ', '}
        {note ? (
          <Anchor component={Link} to={`${places.invoice(note.invoice.id)}#credits`} inherit>
            {number}
          </Anchor>
        ) : (
          number
        )}
      </Fragment>
    )
  })
}
