import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeReasonPrompt as question } from '../../api/changes.ts'
import { useMe } from '../../api/me.ts'
import { allowChanges } from '../../api/signing.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ImpersonationReasonField, REASON_REQUIRED_MESSAGE } from './reason-field.tsx'

/**
 * Dialog to allow changes while working as a client. The user enters a reason, which the client can read. The blocked
 * action then continues.
 */
export default function AllowChangesDialog() {
  const [reason, setReason] = useState(useMe().impersonation?.reason ?? '')
  const [checked, setChecked] = useState(false)
  const allow = useMutation({ mutationFn: allowChanges, onSuccess: () => question.settle(true) })
  const cancel = () => question.settle(false)
  const submit = (e: FormEvent) => {
    e.preventDefault()
    setChecked(true)
    if (reason.trim()) allow.mutate(reason.trim())
  }
  return (
    <Dialog opened above onClose={cancel} title="Allow changes" size="md">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>
            You have read-only access. To continue, enter why a change is needed. Changes are recorded under your own
            name.
          </Text>
          {allow.error && (
            <Alert color="red" role="alert" title="You still have read-only access">
              {allow.error.message}
            </Alert>
          )}
          <ImpersonationReasonField
            label="Reason for the change"
            value={reason}
            onChange={setReason}
            error={checked && !reason.trim() ? REASON_REQUIRED_MESSAGE : undefined}
            first
          />
        </Stack>
        <DialogActions>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={allow.isPending}>
            Allow changes
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
