import { Button, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { composeEmail } from '#kernel/system-email.ts'
import { isEmail } from '#kernel/validate.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useMe } from '#web/api/me.ts'
import { useEmailSentToast } from '#web/shell/pages/facts.ts'
import { DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from '../printing/dialogs.module.css'
import { sharedDocumentEmail } from './letter-words.ts'

/** A document or a pack to share. */
export interface ItemToShare {
  readonly called: string
  /** Noun for the item in the e-mail. */
  readonly noun: string
  readonly title: string
  readonly heading: string
  readonly fileName: string
  readonly look: () => Promise<void>
  readonly body: Readonly<Record<string, unknown>>
  readonly chips?: ReactNode
  readonly warning?: string | undefined
}

interface Props {
  readonly parcel: ItemToShare
  /** Additional options, shown above the file. */
  readonly children?: ReactNode
  readonly onSent?: () => void
  readonly onClose: () => void
}

const addressesIn = (text: string) =>
  text
    .split(/[,;]/)
    .map((a) => a.trim())
    .filter(Boolean)

/** Form to e-mail a document, with the file shown first. */
export function EmailDocumentForm({ parcel, children, onSent, onClose }: Props) {
  const me = useMe()
  const tell = useEmailSentToast()
  const [to, setTo] = useState('')
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<string>()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const send = useMutation({
    mutationFn: (body: { to: string; message: string }) =>
      callApi<unknown>('POST', '/api/safety/document/send', body, { idempotencyKey: keys.keyFor(body) }),
    onSuccess: (_, { to: whom }) => {
      keys.forget()
      onSent?.()
      tell(parcel.called, whom)
      onClose()
    },
  })
  const guard = useUnsavedChangesGuard((to !== '' || message !== '') && !send.isSuccess && !send.isPending)
  const submit = () => {
    const all = addressesIn(to)
    const bad = all.find((a) => !isEmail(a))
    if (!all.length) return setWrong('Please enter at least one e-mail address')
    if (bad) return setWrong(`“${bad}” is not an e-mail address`)
    setWrong(undefined)
    send.mutate({ ...parcel.body, to: all.join(', '), message })
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
          description="Separate several addresses with commas"
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
        {children}
        <Paper withBorder p="md" component="section" aria-label="Attachment">
          <Text size="sm" c="dimmed">
            Attachment
          </Text>
          <Text fw={600}>{parcel.heading}</Text>
          <Text size="sm" className={css.message}>
            {
              composeEmail(sharedDocumentEmail, {
                sender: me.name,
                company: me.client.company,
                noun: parcel.noun,
                title: parcel.title,
                message: message.trim(),
              }).body
            }
          </Text>
          <div className={css.attached}>
            <IconPaperclip size={16} aria-hidden />
            <span>{parcel.fileName}</span>
            {parcel.chips}
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => void parcel.look().catch((e: unknown) => toast.failed(e))}
            >
              View PDF
            </Button>
          </div>
          {parcel.warning && (
            <Text size="sm" mt="xs">
              {parcel.warning}
            </Text>
          )}
        </Paper>
        {send.isError && !refused && <FormErrorText>{errorSentence(send.error)}</FormErrorText>}
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
