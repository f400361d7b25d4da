import { Button, Stack, Text, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { hasRole } from '#kernel/roles.ts'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { InPlaceEditor } from '#web/forms/edit-in-place.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { formatLeadName, type LeadRecord } from '../contacts/data.web.ts'

interface Props {
  readonly lead: LeadRecord
  readonly waiting: boolean
  readonly onSave: (changes: Partial<Record<'doNotCall' | 'callAgainReason', unknown>>) => Promise<unknown>
}

/** The do-not-call switch. An opt-out can be lifted only with a reason, which is recorded in the timeline. */
export function DoNotCallSwitch({ lead, waiting, onSave }: Props) {
  const actor = useActor()
  const [asking, setAsking] = useState(false)
  const settle = useRef<(lifted: boolean) => void>(undefined)
  const close = (lifted: boolean) => {
    setAsking(false)
    settle.current?.(lifted)
    settle.current = undefined
  }
  const lift = async () => {
    setAsking(true)
    const lifted = await new Promise<boolean>((resolve) => {
      settle.current = resolve
    })
    if (!lifted) throw new ApiError(409, 'This lead is still marked as “Do not call”.')
  }
  // Users who may not lift an opt-out see only its status.
  const isFixed = lead.doNotCall && !hasRole(actor, 'ROLE_LEADS_ADMIN')
  return (
    <>
      <InPlaceEditor
        name="doNotCall"
        field={contact.fields.doNotCall}
        value={lead.doNotCall}
        waiting={waiting}
        readOnly={isFixed}
        onSave={(value) => (value ? onSave({ doNotCall: true }) : lift())}
      />
      <Dialog
        opened={asking}
        onClose={() => close(false)}
        title={`Allow calls to ${formatLeadName(lead)} again?`}
        size="32rem"
      >
        <Lift
          onSave={(callAgainReason) => onSave({ doNotCall: false, callAgainReason })}
          onDone={() => close(true)}
          onCancel={() => close(false)}
        />
      </Dialog>
    </>
  )
}

interface LiftProps {
  readonly onSave: (reason: string) => Promise<unknown>
  readonly onDone: () => void
  readonly onCancel: () => void
}

function Lift({ onSave, onDone, onCancel }: LiftProps) {
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const given = reason.trim()
  const submit = async () => {
    setTried(true)
    if (!given || busy) return
    setBusy(true)
    try {
      await onSave(given)
      onDone()
    } catch (e) {
      setFailure(errorSentence(e))
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        void submit()
      }}
    >
      <Stack>
        <Text>
          This lead has asked not to be called. If you allow calls again, every lead with the same numbers can be
          called.
        </Text>
        <Textarea
          label="Why this lead may be called again (Required)"
          description="The reason is recorded in the timeline."
          data-autofocus
          rows={2}
          maxLength={500}
          value={reason}
          error={tried && !given && 'Please explain why this lead may be called again'}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        {failure && <FormErrorText>{failure}</FormErrorText>}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Keep block
        </Button>
        <Button type="submit" loading={busy}>
          Allow calls
        </Button>
      </DialogActions>
    </form>
  )
}
