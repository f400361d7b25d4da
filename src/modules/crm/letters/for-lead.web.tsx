import { Alert, Button, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { openPdf } from '#web/api/pdf.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { formatLeadName, type LeadRecord, leadNotesQueryOptions } from '../contacts/data.web.ts'
import { LetterPicker } from './choose.web.tsx'
import { letterCopy, letterTemplate } from './letter.ts'

interface Props {
  readonly lead: LeadRecord
  readonly opened: boolean
  readonly onClose: () => void
}

/** Dialog that prints a letter to one lead. */
export default function PrintLetterDialog({ lead, opened, onClose }: Props) {
  const queries = useQueryClient()
  const [letter, setLetter] = useState('')
  const print = useMutation({
    mutationFn: () => callApi<RecordOf<typeof letterCopy>>('POST', `${letter}/print`, { contact: lead['@id'] }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: leadNotesQueryOptions(lead.id).queryKey })
      for (const url of [letterCopy.url, letterTemplate.url]) void queries.invalidateQueries({ queryKey: [url] })
    },
  })
  const made = print.data
  const close = () => {
    print.reset()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={`Letter to ${formatLeadName(lead)}`} size={720}>
      <Stack gap="sm">
        {made ? (
          <Alert color="green" role="status">
            The letter is saved with the lead and ready to print.
          </Alert>
        ) : (
          <LetterPicker value={letter} onChange={setLetter} lead={lead['@id']} />
        )}
        {print.isError && (
          <Alert color="red" role="alert">
            {errorSentence(print.error)}
          </Alert>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={close}>
          Close
        </Button>
        {made ? (
          <Button onClick={() => void openPdf(`${made['@id']}/pdf`).catch((e: unknown) => toast.failed(e))}>
            Open the PDF
          </Button>
        ) : (
          <Button disabled={!letter} loading={print.isPending} onClick={() => print.mutate()}>
            Print
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
