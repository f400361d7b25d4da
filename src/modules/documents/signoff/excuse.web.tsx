import { Button, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { RequestedSignature } from './own-requests.web.ts'
import { useSignatoryAction } from './people.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly people: readonly RequestedSignature[]
  readonly onClose: () => void
}

/** Dialog to enter the reason why people need not sign. */
export default function ExcuseSignatoriesDialog({ kind, people, onClose }: Props) {
  const send = useSignatoryAction(kind)
  const [reason, setReason] = useState('')
  const named = people.length === 1 ? (people[0]?.user?.name ?? '') : `${people.length} people`
  const [failure, setFailure] = useState<string>()
  const excuse = async () => {
    setFailure(undefined)
    try {
      await send.mutateAsync({ path: 'excuse', people, more: { reason } })
      toast.info(`${named} excused`, 'safe')
      onClose()
    } catch (e) {
      setFailure(errorSentence(e))
    }
  }
  return (
    <Dialog opened onClose={onClose} title={`Excuse ${named}`} size="32rem">
      {people.length > 1 && <Text mb="sm">{people.map((p) => p.user?.name).join(', ')}</Text>}
      <Textarea
        label="Reason (Required)"
        description={`Shown beside ${people.length === 1 ? 'the name' : 'their names'}, with your name.`}
        maxLength={500}
        autosize
        minRows={2}
        value={reason}
        error={failure}
        onChange={(e) => setReason(e.currentTarget.value)}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={send.isPending} onClick={() => void excuse()}>
          Excuse
        </Button>
      </DialogActions>
    </Dialog>
  )
}
