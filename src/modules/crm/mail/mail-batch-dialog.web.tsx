import { Alert, Anchor, Button, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import { callApi } from '#web/api/client.ts'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import type { BatchJobRejection } from '#web/lists/extras/runs.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import {
  EMPTY_EMAIL,
  type EmailInput,
  MailAttachments,
  type MailPreview,
  MailPreviewText,
  useMailTemplates,
} from './draft.web.tsx'
import {
  ExcludedLeadList,
  MailBatchProgress,
  MailBatchResult,
  PreviewLeadName,
  useFirstLeadInList,
  useMailBatch,
} from './mail-batch.web.tsx'
import { mailMessage } from './message.ts'

interface Props {
  /** URL query that finds the leads. */
  readonly from: string
  readonly count: number
  readonly opened: boolean
  readonly onClose: () => void
}

/** Result of the check before sending: the numbers of leads found and checked, and the leads that would be excluded. */
interface Looked {
  readonly found: number
  readonly lookedAt: number
  readonly left: readonly BatchJobRejection[]
}

const leads = (n: number) => `${formatInteger(n)} ${n === 1 ? 'lead' : 'leads'}`

/**
 * Dialog that sends an e-mail to every lead that was selected or found, with a preview for one of them. Lists the
 * excluded leads with reasons.
 */
export default function MailBatchDialog({ from, count, opened, onClose }: Props) {
  const stored = useStoredInput('e-mail to leads', () => EMPTY_EMAIL)
  const { template, subject, body, attachments } = stored.input
  const [seen, setSeen] = useState<{ readonly first: MailPreview; readonly all: Looked }>()
  const templates = useMailTemplates()
  const many = useMailBatch('/api/email/message', [mailMessage.url])
  const lead = useFirstLeadInList(from, opened)
  const words = { subject, body, ...(template ? { template } : {}) }
  const look = useMutation({
    mutationFn: async () => {
      const [first, all] = await Promise.all([
        callApi<MailPreview>('POST', '/api/email/preview', { ...words, contact: lead?.['@id'] }),
        callApi<Looked>('POST', '/api/email/recipients', { ...words, from }),
      ])
      return { first, all }
    },
    onSuccess: setSeen,
  })
  const set = (to: Partial<EmailInput>) => stored.change((now) => ({ ...now, ...to }))
  const write = (to: Partial<EmailInput>) => {
    set(to)
    setSeen(undefined)
  }
  const choose = (iri: string) => {
    const chosen = templates.find((t) => t['@id'] === iri)
    write({ template: iri, subject: chosen?.subject ?? '', body: chosen?.body ?? '' })
  }
  const close = () => {
    if (many.over) stored.discard()
    many.reset()
    onClose()
  }
  const failed = many.failed ?? (look.error ? errorSentence(look.error) : undefined)
  return (
    <Dialog opened={opened} onClose={close} title={`E-mail to ${leads(count)}`} size={720}>
      {many.over ? (
        <>
          <MailBatchResult
            over={many.over}
            words={(n) => `${formatInteger(n)} ${n === 1 ? 'e-mail is' : 'e-mails are'} being sent.`}
          >
            <Text size="sm">
              <Anchor component={Link} to={`/email/messages?run=${many.over.run.id}`} inherit>
                View delivery status
              </Anchor>
            </Text>
          </MailBatchResult>
          <DialogActions>
            <Button onClick={close}>Close</Button>
          </DialogActions>
        </>
      ) : (
        <Stack gap="sm">
          <RestoredInputNotice of={stored} />
          {templates.length > 0 && (
            <NativeSelect
              label="Template"
              value={template}
              onChange={(e) => choose(e.currentTarget.value)}
              data={[{ value: '', label: 'None' }, ...templates.map((t) => ({ value: t['@id'], label: t.name }))]}
            />
          )}
          <TextInput
            label="Subject"
            value={subject}
            onChange={(e) => write({ subject: e.currentTarget.value })}
            maxLength={200}
          />
          <Textarea
            label="Message"
            description="Fields such as {{first name}} are filled in for each lead; {{first name|there}} sets a default value."
            rows={8}
            value={body}
            onChange={(e) => write({ body: e.currentTarget.value })}
          />
          <MailAttachments value={attachments} onChange={(next) => set({ attachments: next })} />
          {seen && (
            <>
              <PreviewLeadName lead={lead} />
              <MailPreviewText of={seen.first} />
              <WouldBeLeftOut of={seen.all} />
            </>
          )}
          <Text size="sm">
            Each address gets one e-mail. Leads that have no e-mail address, have opted out, need consent or lack a
            value are excluded. “Preview” lists the excluded leads.
          </Text>
          {many.run && <MailBatchProgress run={many.run} />}
          {failed && (
            <Alert color="red" role="alert">
              {failed}
            </Alert>
          )}
          <DialogActions>
            <Button variant="default" onClick={() => look.mutate()} loading={look.isPending} disabled={!lead}>
              Preview
            </Button>
            <Button
              onClick={() => void many.start({ ...words, from, attachments })}
              loading={many.busy}
              disabled={!seen}
            >
              Send to {leads(count)}
            </Button>
          </DialogActions>
        </Stack>
      )}
    </Dialog>
  )
}

function WouldBeLeftOut({ of: { found, lookedAt, left } }: { readonly of: Looked }) {
  const among = lookedAt < found ? `the first ${leads(lookedAt)}` : leads(found)
  if (!left.length) return <Text size="sm">Of {among}, none would be excluded.</Text>
  return <ExcludedLeadList title={`${formatInteger(left.length)} of ${among} would be excluded`} left={left} />
}
