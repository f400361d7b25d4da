import { Button, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { isEmail } from '#kernel/email.ts'
import { ApiError, call } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { idempotencyKeys } from '#web/forms/idempotency.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FailureText } from '#web/ui/error-text.tsx'
import { say, sentence } from '#web/ui/say.ts'
import { useUnsaved } from '#web/ui/unsaved.tsx'
import { DocumentChips } from '../kinds/chips.web.tsx'
import type { DocumentKind } from '../kinds/kind.ts'
import { type DocumentRecord, titleOf, useRefresh } from '../kinds/record.web.ts'
import css from './dialogs.module.css'
import { paperName } from './file-name.ts'
import { letterWords } from './letter-words.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly onClose: () => void
}

const addressesIn = (text: string) =>
  text
    .split(/[,;]/)
    .map((a) => a.trim())
    .filter(Boolean)

/** Sends a document by e-mail, with the PDF as it is now; shows what goes out before it does. */
export default function SendDialog({ kind, record, onClose }: Props) {
  return (
    <Dialog opened onClose={onClose} title={`Send ${record.documentNumber} by e-mail`} size="48rem">
      <SendForm kind={kind} record={record} onClose={onClose} />
    </Dialog>
  )
}

function SendForm({ kind, record, onClose }: Props) {
  const me = useMe()
  const [to, setTo] = useState('')
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<string>()
  const keys = useMemo(() => idempotencyKeys(), [])
  const refresh = useRefresh(kind)
  const send = useMutation({
    mutationFn: (body: { document: string; to: string; message: string }) =>
      call<unknown>('POST', '/api/safety/document/send', body, { idempotencyKey: keys.keyFor(body) }),
    onSuccess: (_, { to: whom }) => {
      keys.forget()
      void refresh()
      say.told(`${record.documentNumber} is on its way to ${whom}`, 'safe')
      onClose()
    },
  })
  const guard = useUnsaved((to !== '' || message !== '') && !send.isSuccess && !send.isPending)
  const title = titleOf(kind, record)
  const submit = () => {
    const all = addressesIn(to)
    const bad = all.find((a) => !isEmail(a))
    if (!all.length) return setWrong('Please enter the e-mail address to send it to')
    if (bad) return setWrong(`“${bad}” is not an e-mail address`)
    setWrong(undefined)
    send.mutate({ document: record['@id'], to: all.join(', '), message })
  }
  const refused =
    send.error instanceof ApiError ? send.error.violations.find((v) => v.propertyPath === 'to') : undefined
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        submit()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="To (Required)"
          description="Several addresses with commas between them"
          inputMode="email"
          autoComplete="email"
          data-autofocus
          value={to}
          onChange={(e) => setTo(e.currentTarget.value)}
          error={wrong ?? refused?.message}
        />
        <Textarea
          label="Message"
          autosize
          minRows={3}
          maxRows={10}
          maxLength={5000}
          value={message}
          onChange={(e) => setMessage(e.currentTarget.value)}
        />
        <Paper withBorder p="md" component="section" aria-label="What is sent">
          <Text size="sm" c="dimmed">
            What is sent
          </Text>
          <Text fw={600}>{`${record.documentNumber} revision ${record.revision}: ${title}`}</Text>
          <Text size="sm" className={css.message}>
            {letterWords({
              sender: me.name,
              company: me.client.company,
              noun: kind.noun,
              title: `${record.documentNumber} ${title}`,
              message: message.trim(),
            })}
          </Text>
          <div className={css.attached}>
            <IconPaperclip size={16} aria-hidden />
            <span>{paperName(record, title)}</span>
            <DocumentChips record={record} />
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => void openPdf(`${record['@id']}/pdf`).catch((e: unknown) => say.failed(e))}
            >
              Look at the PDF
            </Button>
          </div>
          {record.state !== 'current' && (
            <Text size="sm" mt="xs">
              It is not the current revision, and every page of it says so.
            </Text>
          )}
        </Paper>
        {send.isError && !refused && <FailureText>{sentence(send.error)}</FailureText>}
        {guard}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={send.isPending}>
            Send
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
