import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { formatLeadName } from '../contacts/data.web.ts'
import { MailBatchProgress, MailBatchResult, useFirstLeadInList, useMailBatch } from '../mail/mail-batch.web.tsx'
import { LetterPicker } from './choose.web.tsx'
import { letterCopy, letterTemplate } from './letter.ts'

interface Props {
  /** URL query that finds the leads. */
  readonly from: string
  readonly count: number
  readonly opened: boolean
  readonly onClose: () => void
}

const leads = (n: number) => `${formatInteger(n)} ${n === 1 ? 'lead' : 'leads'}`

/**
 * Dialog that prints a letter to every lead that was selected or found, as one PDF. Lists the excluded leads with
 * reasons.
 */
export default function PrintLetterBatchDialog({ from, count, opened, onClose }: Props) {
  const [letter, setLetter] = useState('')
  const many = useMailBatch(`${letter}/print`, [letterCopy.url, letterTemplate.url])
  const first = useFirstLeadInList(from, opened)
  const close = () => {
    many.reset()
    onClose()
  }
  const file = many.over?.run.file
  return (
    <Dialog opened={opened} onClose={close} title={`Letter for ${leads(count)}`} size={720}>
      {many.over ? (
        <>
          <MailBatchResult
            over={many.over}
            words={(n) => `${formatInteger(n)} ${n === 1 ? 'letter is' : 'letters are'} ready.`}
          >
            <Group gap="sm">
              {file && (
                <Button
                  leftSection={<IconDownload size={16} aria-hidden />}
                  onClick={() => void downloadFile(file['@id'], file.name).catch((e: unknown) => toast.failed(e))}
                >
                  Save the PDF
                </Button>
              )}
              <Anchor component={Link} to={`/letters/assigned?run=${many.over.run.id}`} inherit>
                View each letter
              </Anchor>
            </Group>
          </MailBatchResult>
          <DialogActions>
            <Button variant="default" onClick={close}>
              Close
            </Button>
          </DialogActions>
        </>
      ) : (
        <Stack gap="sm">
          <LetterPicker
            value={letter}
            onChange={setLetter}
            lead={first?.['@id']}
            about={first && `Preview for ${formatLeadName(first)}:`}
          />
          <Text size="sm">
            All letters are in one PDF. Leads that have no address, have opted out or lack a value are excluded. They
            are listed when the letters are ready.
          </Text>
          {many.run && <MailBatchProgress run={many.run} />}
          {many.failed && (
            <Alert color="red" role="alert">
              {many.failed}
            </Alert>
          )}
          <DialogActions>
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button disabled={!letter} loading={many.busy} onClick={() => void many.start({ from })}>
              Print for {leads(count)}
            </Button>
          </DialogActions>
        </Stack>
      )}
    </Dialog>
  )
}
