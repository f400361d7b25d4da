import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import type { InvoiceRecord } from '../invoices/data.web.ts'
import { useDunningMutation } from './data.web.ts'
import type { DunningPlan } from './dunning.ts'

/** Dialog to pause reminders until a date, with a reason. */
export function PauseDunningForm({ of, onDone }: { readonly of: InvoiceRecord; readonly onDone: () => void }) {
  const [until, setUntil] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const pause = useDunningMutation(() =>
    callApi<DunningPlan>('POST', `${of['@id']}/dunning/pause`, { until, reason: reason.trim() }),
  )
  const unsaved = useUnsavedChangesGuard(!pause.isSuccess && (until !== null || reason !== ''))
  const ready = until !== null && reason.trim() !== ''
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (ready) pause.mutate(undefined, { onSuccess: onDone })
      }}
    >
      {unsaved}
      <Stack>
        {pause.error && <ErrorText>{errorSentence(pause.error)}</ErrorText>}
        <Text size="sm">
          Until the end of the day you choose, the card will not be charged, no reminders will be sent and access will
          not be restricted.
        </Text>
        <DateField label="Promised to pay by (Required)" value={until} onChange={setUntil} />
        <TextInput
          label="Reason (required)"
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={pause.isPending} disabled={!ready}>
          Pause reminders
        </Button>
      </DialogActions>
    </form>
  )
}
