import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { ukDay } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { SALE_SOURCES } from '../counted/counted-sale.ts'
import css from '../sales.module.css'
import { commissionRate } from './rate.ts'

type Rate = RecordOf<typeof commissionRate>

const forWhom = (r: Rate) =>
  [r.seller?.name, r.product?.name, SALE_SOURCES.find((s) => s.value === r.source)?.label].filter(Boolean).join(', ') ||
  'All sales'

/** Dialog that lists, adds and changes commission rates. */
export function CommissionRatesDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const rates = useList(commissionRate, { retired: false, itemsPerPage: 100 })
  const [open, setOpen] = useState<Rate | 'new'>()
  const back = () => setOpen(undefined)
  const close = () => {
    back()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title="Commission rates">
      {open ? (
        <ResourceForm
          resource={commissionRate}
          {...(open === 'new' ? {} : { record: open })}
          onCancel={back}
          onSaved={back}
        />
      ) : (
        <Stack>
          {rates.isPending && <LoadingRows rows={3} />}
          {rates.isError && <ErrorState error={rates.error} onRetry={() => void rates.refetch()} />}
          {rates.data?.['hydra:member'].length === 0 && (
            <EmptyState title="No rates yet">No commission is earned without a rate.</EmptyState>
          )}
          {rates.data && rates.data['hydra:member'].length > 0 && (
            <table className={css.table}>
              <thead>
                <tr>
                  <th scope="col">For</th>
                  <th scope="col">Percentage</th>
                  <th scope="col">From</th>
                </tr>
              </thead>
              <tbody>
                {rates.data['hydra:member'].map((rate) => (
                  <tr key={rate.id}>
                    <th scope="row">
                      <Button variant="subtle" onClick={() => setOpen(rate)}>
                        {forWhom(rate)}
                      </Button>
                    </th>
                    <td>{rate.percent}%</td>
                    <td>{ukDay(rate.from)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <Button onClick={() => setOpen('new')}>New rate</Button>
        </Stack>
      )}
    </Dialog>
  )
}
