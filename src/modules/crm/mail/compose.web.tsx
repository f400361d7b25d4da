import { Alert, Button, Checkbox, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { leadNotesQueryOptions } from '../contacts/data.web.ts'
import { MAIL_MERGE_FIELDS, type MailMergeKind } from '../merge-fields/merge.ts'
import {
  EMPTY_EMAIL,
  type EmailInput,
  MailAttachments,
  type MailPreview,
  MailPreviewText,
  useMailTemplates,
} from './draft.web.tsx'
import { mailMessage } from './message.ts'

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
  const stored = useStoredInput(`e-mail to ${to['@id']}`, () => EMPTY_EMAIL)
  const { template, subject, body, values, attachments, answer = false } = stored.input
  const [seen, setSeen] = useState<MailPreview>()
  const all = useMailTemplates(to.kind)
  const whom = to.kind === 'lead' ? { contact: to['@id'] } : { client: to['@id'] }
  const isMarketing = to.kind === 'lead' && (all.find((t) => t['@id'] === template)?.marketing ?? false)
  const marketing = isMarketing || !answer
  const words = { ...whom, subject, body, values, marketing, ...(template ? { template } : {}) }
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
      stored.discard()
      onClose()
    },
  })
  const set = (to: Partial<EmailInput>) => stored.change((now) => ({ ...now, ...to }))
  const write = (to: Partial<EmailInput>) => {
    set(to)
    setSeen(undefined)
  }
  const choose = (iri: string) => {
    const chosen = all.find((t) => t['@id'] === iri)
    write({ template: iri, subject: chosen?.subject ?? '', body: chosen?.body ?? '' })
  }
  const isOpen = (seen?.missing ?? []).some((name) => !values[name]?.trim())
  const failed = send.error ?? look.error
  return (
    <Dialog opened={opened} onClose={onClose} title={`E-mail to ${to.name}`} size={720}>
      <Stack gap="sm">
        <RestoredInputNotice of={stored} />
        {all.length > 0 && (
          <NativeSelect
            label="Template"
            value={template}
            onChange={(e) => choose(e.currentTarget.value)}
            data={[{ value: '', label: 'None' }, ...all.map((t) => ({ value: t['@id'], label: t.name }))]}
          />
        )}
        {to.kind === 'lead' && (
          <Checkbox
            label="The lead asked for this e-mail, or it answers an e-mail from the lead"
            description={
              isMarketing
                ? 'This template is for offers and other marketing.'
                : 'Otherwise it is marketing, which needs consent from sole traders, partnerships and leads of unknown legal form.'
            }
            checked={!marketing}
            disabled={isMarketing}
            onChange={(e) => write({ answer: e.currentTarget.checked })}
          />
        )}
        <TextInput
          label="Subject"
          value={subject}
          onChange={(e) => write({ subject: e.currentTarget.value })}
          maxLength={200}
        />
        <Textarea label="Message" rows={8} value={body} onChange={(e) => write({ body: e.currentTarget.value })} />
        {seen?.missing.map((name) => (
          <TextInput
            key={name}
            label={labels[name] ?? name}
            description="Please enter a value for this field."
            value={values[name] ?? ''}
            onChange={(e) => set({ values: { ...values, [name]: e.currentTarget.value } })}
          />
        ))}
        <MailAttachments
          value={attachments}
          onChange={(next) => set({ attachments: next })}
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
          <Button
            onClick={() => send.mutate()}
            loading={send.isPending}
            disabled={!seen || seen.suppressed || seen.refusal !== '' || isOpen}
          >
            Send
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  )
}
