import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatPounds } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useBillingUrls } from '../billing-urls.web.ts'
import {
  type VatBox,
  type VatReturnFigures,
  type VatRow,
  vatAdjustment,
  vatBadDebt,
  type vatReturn,
} from './vat-return.ts'

export type VatReturnRecord = RecordOf<typeof vatReturn>

interface PartsProps {
  readonly of: VatReturnRecord
  readonly badDebts: VatReturnFigures['badDebts']
  readonly isDraft: boolean
  readonly onChange: (method: 'POST' | 'DELETE', path: string, body?: Record<string, unknown>) => void
}

/** Adjustments and bad-debt relief of a return. */
export function VatReturnParts({ of, badDebts, isDraft, onChange }: PartsProps) {
  const adjustments = useList(vatAdjustment, { vatReturn: of.id, itemsPerPage: 100 }).data?.['hydra:member'] ?? []
  const claims = useList(vatBadDebt, { vatReturn: of.id, itemsPerPage: 100 }).data?.['hydra:member'] ?? []
  const open = badDebts.filter((debt) => !claims.some((claim) => claim.invoice.id === debt.invoice))
  const remove = (iri: string, what: string) =>
    isDraft ? (
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={`Remove ${what}`}
        onClick={() => onChange('DELETE', iri)}
      >
        Remove
      </Button>
    ) : (
      ''
    )
  return (
    <>
      {adjustments.length > 0 && (
        <section className={page.card} aria-labelledby="adjustments">
          <Title order={2} size="h4" id="adjustments">
            Adjustments
          </Title>
          <ResponsiveNumberTable
            label="Adjustments"
            head="Reason"
            columns={['Box', 'Amount', '']}
            rows={adjustments.map((one) => ({
              key: String(one.id),
              name: one.reason,
              cells: [
                String(one.box),
                formatPounds(one.amount),
                remove(one['@id'], `adjustment of ${formatPounds(one.amount)}`),
              ],
            }))}
          />
        </section>
      )}
      {claims.length + open.length > 0 && (
        <section className={page.card} aria-labelledby="bad-debts">
          <Title order={2} size="h4" id="bad-debts">
            Bad-debt relief
          </Title>
          <Text size="sm" c="dimmed">
            VAT on invoices unpaid for six months after the later of due date and supply can be claimed in box 4, once
            they are written off. If the customer pays later, the next return repays it in box 1.
          </Text>
          <ResponsiveNumberTable
            label="Bad-debt relief"
            head="Invoice"
            columns={['VAT', 'Claim']}
            rows={[
              ...claims.map((one) => ({
                key: `claim ${one.id}`,
                name: `${one.invoice.number}, ${one.invoice.company}`,
                cells: [
                  formatPounds(one.amount),
                  <Group key="claim" gap="xs" justify="flex-end">
                    Claimed {remove(one['@id'], `claim for ${one.invoice.number}`)}
                  </Group>,
                ],
              })),
              ...open.map((debt) => ({
                key: `debt ${debt.invoice}`,
                name: `${debt.number}, ${debt.company}, due ${formatIsoDateAsUk(debt.dueOn)}`,
                cells: [
                  formatPounds(debt.amount),
                  debt.reason || (
                    <Button
                      key="claim"
                      size="compact-sm"
                      variant="default"
                      aria-label={`Claim VAT on ${debt.number}`}
                      onClick={() =>
                        onChange('POST', vatBadDebt.url, {
                          vatReturn: of['@id'],
                          invoice: `/api/financial/invoices/${debt.invoice}`,
                        })
                      }
                    >
                      Claim
                    </Button>
                  ),
                ],
              })),
            ]}
          />
        </section>
      )}
    </>
  )
}

/** Rows that make up a box. */
export function VatBoxRows({ of, box }: { readonly of: VatReturnRecord; readonly box: VatBox }) {
  const places = useBillingUrls()
  const url = `${of['@id']}/rows?box=${box}`
  const answer = useQuery({
    queryKey: [url],
    ...urlQueryOptions<{ 'hydra:member': VatRow[] }>(url),
    refetchOnMount: 'always',
  })
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const rows = answer.data?.['hydra:member']
  if (!rows) return <LoadingRows rows={4} />
  if (!rows.length) return <Text size="sm">No rows in this box.</Text>
  return (
    <Stack gap="xs">
      {box === 5 && <Text size="sm">Boxes 1 and 2, less box 4.</Text>}
      {box >= 6 && <Text size="sm">The box leaves off the pence of the sum.</Text>}
      <ResponsiveNumberTable
        label={`Rows of box ${box}`}
        head="Row"
        columns={['Date', 'Amount']}
        rows={rows.map((row, n) => ({
          key: String(n),
          name:
            row.invoice === null ? (
              row.description
            ) : (
              <Anchor component={Link} to={places.invoice(row.invoice)} inherit>
                {row.description}
                {row.company && `, ${row.company}`}
              </Anchor>
            ),
          cells: [formatIsoDateAsUk(row.day), formatPounds(row.amount)],
        }))}
      />
    </Stack>
  )
}

interface FilingProps {
  readonly of: VatReturnRecord
  /** Box 5 in pence. */
  readonly due: number
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Confirmation that a return was filed by hand. */
export function VatFilingForm({ of, due, onDone, onCancel }: FilingProps) {
  const [filedOn, setFiledOn] = useState<string | null>(londonToday())
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const file = async () => {
    setBusy(true)
    try {
      await callApi('POST', `${of['@id']}/file`, { filedOn, netVatDue: due })
      toast.info('VAT return recorded as filed', 'safe')
      onDone()
    } catch (e) {
      setError(e)
    }
    setBusy(false)
  }
  return (
    <>
      <Stack>
        {error !== undefined && <ErrorText>{errorSentence(error)}</ErrorText>}
        <Text size="sm">
          This does not send the return to HMRC. File it with your own software first. Box 5 is {formatPounds(due)}. The
          figures and their rows are then frozen, and the books are closed up to {formatIsoDateAsUk(of.to)}. This can’t
          be undone.
        </Text>
        <DateField label="Filed on" value={filedOn} onChange={setFiledOn} />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button loading={busy} disabled={!filedOn} onClick={() => void file()}>
          Record as filed
        </Button>
      </DialogActions>
    </>
  )
}
