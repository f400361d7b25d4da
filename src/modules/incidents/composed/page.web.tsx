import { Button, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { longText } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { SAFETY_SETTINGS_NAV } from '#modules/documents/approval/settings-nav.ts'
import { callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { RowsTable } from '#web/lists/rows-table.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../reports/incidents.module.css'
import { referenceConfirmation } from './reference-confirmation.ts'
import type { ComposedEntry, ComposedList, ComposedReference as Response } from './response.ts'

const URL = '/api/safety/composed_references'

const countRows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)

/** Reference data of incidents that we composed, for a competent person to confirm. */
export default function ComposedReference() {
  const found = useQuery({ queryKey: [URL], ...urlQueryOptions<Response>(URL) })
  const lists = found.data?.lists ?? []
  const open = lists.flatMap(({ rows }) => rows).filter(({ confirmedAt }) => confirmedAt === null)
  return (
    <Page
      title="Composed reference"
      back={{ label: SAFETY_SETTINGS_NAV.title, to: SAFETY_SETTINGS_NAV.path }}
      about="HSE publishes no official wording for these lists of the accident book. We composed them, and they are marked “our wording”. Rows whose source is uncertain are listed as well. A competent person at your company checks and confirms them."
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <LoadingRows rows={8} />}
      {found.data && (
        <Text role="status">{open.length ? `${countRows(open.length)} to confirm` : 'All rows are confirmed'}</Text>
      )}
      {lists.map((list) => (
        <ListCard key={list.list} of={list} />
      ))}
    </Page>
  )
}

function ListCard({ of: { list, title, rows } }: { readonly of: ComposedList }) {
  const queries = useQueryClient()
  const [dialog, ask] = useConfirm()
  const [withdrawn, setWithdrawn] = useState<ComposedEntry>()
  const open = rows.filter(({ confirmedAt }) => confirmedAt === null)
  const reload = () => queries.invalidateQueries({ queryKey: [URL] })
  const confirm = async (chosen: readonly ComposedEntry[]) => {
    const yes = await ask({
      title: `Confirm ${countRows(chosen.length)}`,
      question:
        'As a competent person, you confirm that you have checked this wording. Your name and the date are stored.',
      action: 'Confirm',
    })
    if (!yes) return
    const sent = chosen.map(({ id, wording }) => ({ id, wording }))
    await callApi('POST', `${URL}/confirm`, { list, rows: sent }).catch((e: unknown) => toast.failed(e))
    await reload()
  }
  const sorted = [...open, ...rows.filter((row) => !open.includes(row))]
  return (
    <section className={layout.card} aria-label={title}>
      <Title order={2}>{title}</Title>
      <Text size="sm" c="dimmed">
        {`${rows.length - open.length} of ${rows.length} confirmed`}
      </Text>
      <RowsTable
        label={title}
        search
        heads={['Wording', 'Confirmation', 'Actions']}
        empty="No rows"
        actions={
          open.length > 1 && (
            <Button variant="default" onClick={() => void confirm(open)}>
              {`Confirm all ${open.length}`}
            </Button>
          )
        }
        rows={sorted.map((row) => ({
          key: row.id,
          words: row.wording,
          cells: [
            <p key="wording" className={css.words}>
              {row.wording}
            </p>,
            row.confirmedAt === null ? (
              'Not confirmed yet'
            ) : (
              <span key="confirmation">
                {row.confirmedBy}, <DateTimeText at={row.confirmedAt} />
              </span>
            ),
            <Button
              key="action"
              variant="subtle"
              size="sm"
              aria-label={`${row.confirmedAt === null ? 'Confirm' : 'Withdraw the confirmation of'} ${row.wording.split('\n')[0]}`}
              onClick={() => (row.confirmedAt === null ? void confirm([row]) : setWithdrawn(row))}
            >
              {row.confirmedAt === null ? 'Confirm' : 'Withdraw'}
            </Button>,
          ],
        }))}
      />
      {withdrawn && (
        <WithdrawDialog
          list={list}
          row={withdrawn.id}
          onClose={() => setWithdrawn(undefined)}
          onDone={() => {
            setWithdrawn(undefined)
            void reload()
          }}
        />
      )}
      {dialog}
    </section>
  )
}

interface WithdrawProps {
  readonly list: string
  readonly row: number
  readonly onClose: () => void
  readonly onDone: () => void
}

const WITHDRAWAL = {
  ...referenceConfirmation,
  url: `${URL}/withdraw`,
  fields: { reason: longText({ required: 'Please give a reason', max: 1000, label: 'Reason' }) },
} as Resource

const WithdrawDialog = ({ list, row, onClose, onDone }: WithdrawProps) => (
  <Dialog opened onClose={onClose} title="Withdraw the confirmation" size="36rem">
    <Text mb="md">The row is listed as not confirmed again. The earlier confirmation stays stored.</Text>
    <ResourceForm
      resource={WITHDRAWAL}
      fields={['reason']}
      wide={['reason']}
      extra={{ list, row }}
      action="Withdraw"
      decided
      done={() => 'Confirmation withdrawn'}
      onCancel={onClose}
      onSaved={onDone}
    />
  </Dialog>
)
