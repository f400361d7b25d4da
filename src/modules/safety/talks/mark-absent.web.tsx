import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import type { ListedAttendee } from './presented-data.web.ts'

interface Props {
  readonly person: Pick<ListedAttendee, 'name'> | undefined
  readonly onClose: () => void
  readonly onAbsent: (why: string) => Promise<unknown>
}

/** Dialog to mark someone as absent and give the reason. The absent person can still sign late. */
export function MarkAbsentDialog({ person, onClose, onAbsent }: Props) {
  const [why, setWhy] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (!why.trim()) return setWrong('Please enter a reason, such as “on holiday”, “off sick” or “on another site”')
    setBusy(true)
    try {
      await onAbsent(why.trim())
      onClose()
    } catch (e) {
      setWrong(errorSentence(e))
      setBusy(false)
    }
  }
  return (
    <Dialog opened={person !== undefined} onClose={onClose} title={`${person?.name ?? ''} is absent`} size="32rem">
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          void submit()
        }}
      >
        <TextInput
          label="Reason (required)"
          maxLength={500}
          data-autofocus
          value={why}
          error={wrong}
          onChange={(e) => setWhy(e.currentTarget.value)}
        />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Mark as absent
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
