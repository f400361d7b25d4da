import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { CommissionLines } from './lines.web.tsx'
import { commissionLine } from './month.ts'

/** Manual commission adjustments with their reasons. */
export default function CommissionAdjustments() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Page
      title="Adjustments"
      back={{ to: '/cms/commissionreview', label: 'Commission' }}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
          New adjustment
        </Button>
      }
    >
      <CommissionLines params={{ kind: 'adjustment' }} isOwn={false} />
      <Dialog opened={open} onClose={close} title="Adjustment">
        <ResourceForm
          resource={commissionLine}
          fields={['seller', 'amount', 'reason']}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </Page>
  )
}
