import { Alert, Button, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { leadNotesQueryOptions } from '../contacts/data.web.ts'
import { MAIL_MERGE_FIELDS, type MailMergeKind } from '../merge-fields/merge.ts'
import { MailAttachments } from './attachments.web.tsx'
import { mailMessage } from './message.ts'
import { type MailPreview, MailPreviewText } from './preview.web.tsx'
import { useMailTemplates } from './use-templates.web.ts'

/** Recipient of an e-mail: a lead or a client. */
interface To {
  readonly kind: MailMergeKind
  readonly '@id': string
  readonly id: number
  readonly name: string
}

interface Props {
  readonly to: To
  readonly opened: boolean
  readonly onClose: () => void
}

/**
 * Dialog for writing an e-mail to a lead or client, from scratch or from a template. Includes a preview and fields for
 * missing values.
 */
export default function ComposeMailDialog({ to, opened, onClose }: Props) {
  const labels: Readonly<Record<string, string>> = MAIL_MERGE_FIELDS[to.kind]
  const queries = useQueryClient()
  const [template, setTemplate] = useState('')
  const [subject, setSubject] = useState('')
  const [body, setBody] = useState('')
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [seen, setSeen] = useState<MailPreview>()
  const all = useMailTemplates(to.kind)
  const [attachments, setAttachments] = useState<readonly string[]>([])
  const whom = to.kind === 'lead' ? { contact: to['@id'] } : { client: to['@id'] }
  const words = { ...whom, subject, body, values, ...(template ? { template } : {}) }
  const look = useMutation({
    mutationFn: () => callApi<MailPreview>('POST', '/api/email/preview', words),
    onSuccess: setSeen,
  })
  const send = useMutation({
    mutationFn: () => callApi('POST', '/api/email/message', { ...words, attachments }),
    onSuccess: () => {
      toast.info('The e-mail is being sent')
      if (to.kind === 'lead') void queries.invalidateQueries({ queryKey: leadNotesQueryOptions(to.id).queryKey })
      void queries.invalidateQueries({ queryKey: [mailMessage.url] })
      onClose()
    },
  })
  const change = (set: (value: string) => void) => (e: { currentTarget: { value: string } }) => {
    set(e.currentTarget.value)
    setSeen(undefined)
  }
  const choose = (iri: string) => {
    const chosen = all.find((t) => t['@id'] === iri)
    setTemplate(iri)
    setSubject(chosen?.subject ?? '')
    setBody(chosen?.body ?? '')
    setSeen(undefined)
  }
  const isOpen = (seen?.missing ?? []).some((name) => !values[name]?.trim())
  const failed = send.error ?? look.error
  return (
    <Dialog opened={opened} onClose={onClose} title={`E-mail to ${to.name}`} size={720}>
      <Stack gap="sm">
        {all.length > 0 && (
          <NativeSelect
            label="Template"
            value={template}
            onChange={(e) => choose(e.currentTarget.value)}
            data={[{ value: '', label: 'None' }, ...all.map((t) => ({ value: t['@id'], label: t.name }))]}
          />
        )}
        <TextInput label="Subject" value={subject} onChange={change(setSubject)} maxLength={200} />
        <Textarea label="Message" rows={8} value={body} onChange={change(setBody)} />
        {seen?.missing.map((name) => (
          <TextInput
            key={name}
            label={labels[name] ?? name}
            description="Please enter a value for this field."
            value={values[name] ?? ''}
            onChange={(e) => setValues({ ...values, [name]: e.currentTarget.value })}
          />
        ))}
        <MailAttachments
          value={attachments}
          onChange={setAttachments}
          {...(to.kind === 'lead' ? { lead: to.id } : {})}
        />
        {seen && <MailPreviewText of={seen} />}
        {failed && (
          <Alert color="red" role="alert">
            {errorSentence(failed)}
          </Alert>
        )}
        <DialogActions>
          <Button variant="default" onClick={() => look.mutate()} loading={look.isPending}>
            Preview
          </Button>
          <Button onClick={() => send.mutate()} loading={send.isPending} disabled={!seen || seen.suppressed || isOpen}>
            Send
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
