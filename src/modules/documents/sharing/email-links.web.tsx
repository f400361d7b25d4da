import { Alert, Button, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { composeEmail, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { isEmail } from '#kernel/validate.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useMe } from '#web/api/me.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { useEmailSentToast, usePortalInfo } from '#web/shell/pages/facts.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from '../printing/dialogs.module.css'
import { sharedPackEmail, suggestedPackMessage } from '../sending/letter-words.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, documentTitleOrUntitled } from '../types/record.web.ts'
import { LINK_DAYS, MAX_LINK_TEXT_LENGTHS, MAX_PACK_RECIPIENTS, type PackRecipient, packLink } from './pack-link.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly onClose: () => void
}

interface Row extends PackRecipient {
  readonly key: number
}

type Wrong = Readonly<Record<string, string>>

const emptyRow = (key: number): Row => ({ key, name: '', company: '', email: '' })

/** Returns the errors of the recipients by property path, as the server names them. */
function recipientProblems(rows: readonly Row[]): Wrong {
  const addresses = rows.map(({ email }) => email.trim().toLowerCase())
  return Object.fromEntries(
    rows.flatMap(({ name, email }, i) => [
      ...(name.trim() ? [] : [[`recipients[${i}].name`, 'Please enter the recipient’s name']]),
      ...(isEmail(email.trim())
        ? addresses.indexOf(email.trim().toLowerCase()) < i
          ? [[`recipients[${i}].email`, 'This address is already in the list']]
          : []
        : [[`recipients[${i}].email`, 'Please enter an e-mail address such as name@firm.co.uk']]),
    ]),
  ) as Wrong
}

/** Dialog that e-mails a pack: each recipient gets a link, by which they read the pack and accept or reject it. */
export default function EmailPackDialog({ kind, record, onClose }: Props) {
  const me = useMe()
  const mails = usePortalInfo()?.mail ?? true
  const tell = useEmailSentToast()
  const queries = useQueryClient()
  const [rows, setRows] = useState<readonly Row[]>([emptyRow(0)])
  const [message, setMessage] = useState(suggestedPackMessage(kind.noun))
  const [until, setUntil] = useState<string | null>(
    Temporal.PlainDate.from(londonToday()).add({ days: LINK_DAYS }).toString(),
  )
  const [wrong, setWrong] = useState<Wrong>({})
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const send = useMutation({
    mutationFn: () => {
      const recipients = rows.map(({ name, company, email }) => ({ name, company, email: email.trim() }))
      const body = { recipients, message, until: until ?? '' }
      return callApi('POST', `${iriOf(document, record.id)}/emailed_links`, body, { idempotencyKey: keys.keyFor(body) })
    },
    onSuccess: () => {
      keys.forget()
      void queries.invalidateQueries({ queryKey: [packLink.url] })
      tell(record.documentNumber, rows.map(({ email }) => email.trim()).join(', '))
      onClose()
    },
    onError: (e) => {
      if (e instanceof ApiError) setWrong(Object.fromEntries(e.violations.map((v) => [v.propertyPath, v.message])))
    },
  })
  const guard = useUnsavedChangesGuard(rows.some(({ name, email }) => name || email) && send.isIdle)
  const change = (key: number, more: Partial<PackRecipient>) => {
    setRows(rows.map((row) => (row.key === key ? { ...row, ...more } : row)))
    setWrong({})
  }
  const submit = (e: FormEvent) => {
    e.preventDefault()
    const found = recipientProblems(rows)
    setWrong(found)
    if (!Object.keys(found).length) send.mutate()
  }
  const preview = composeEmail(sharedPackEmail, {
    person: rows[0]?.name.trim() || 'name',
    sender: me.name,
    company: me.client.company,
    noun: kind.noun,
    title: `${record.documentNumber}, revision ${record.revision}: ${documentTitleOrUntitled(kind, record)}`,
    message: message.trim(),
    until: until ?? londonToday(),
  })
  return (
    <Dialog opened onClose={onClose} title={`E-mail ${record.documentNumber}`} size="44rem">
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          {!mails && (
            <Alert color="yellow" title="No e-mail will be sent">
              No mail server is set up. Create a link and send it yourself, or ask an administrator.
            </Alert>
          )}
          {rows.map((row, i) => (
            <fieldset key={row.key} className={css.recipient}>
              <legend>{`Recipient ${i + 1}`}</legend>
              <TextInput
                label="Name"
                maxLength={MAX_LINK_TEXT_LENGTHS.name}
                value={row.name}
                error={wrong[`recipients[${i}].name`]}
                onChange={(e) => change(row.key, { name: e.currentTarget.value })}
                {...(i === 0 ? { 'data-autofocus': true } : {})}
              />
              <TextInput
                label="Company"
                maxLength={MAX_LINK_TEXT_LENGTHS.company}
                value={row.company}
                error={wrong[`recipients[${i}].company`]}
                onChange={(e) => change(row.key, { company: e.currentTarget.value })}
              />
              <TextInput
                label="E-mail"
                type="email"
                inputMode="email"
                maxLength={254}
                value={row.email}
                error={wrong[`recipients[${i}].email`]}
                onChange={(e) => change(row.key, { email: e.currentTarget.value })}
              />
              {rows.length > 1 && (
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-md"
                  aria-label={`Remove recipient ${i + 1}`}
                  onClick={() => setRows(rows.filter(({ key }) => key !== row.key))}
                >
                  Remove
                </Button>
              )}
            </fieldset>
          ))}
          {wrong.recipients && <FormErrorText>{wrong.recipients}</FormErrorText>}
          {rows.length < MAX_PACK_RECIPIENTS && (
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => setRows([...rows, emptyRow(Math.max(...rows.map(({ key }) => key)) + 1)])}
              >
                Add recipient
              </Button>
            </Group>
          )}
          <Textarea
            label="Message"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={message}
            error={wrong.message}
            onChange={(e) => setMessage(e.currentTarget.value)}
          />
          <DateField
            label="Link expires on"
            value={until}
            onChange={setUntil}
            min={londonToday()}
            error={wrong.until}
          />
          <Paper withBorder p="md" component="section" aria-label="Preview of the e-mail">
            <Text size="sm" c="dimmed">
              The e-mail
            </Text>
            <Text fw={600}>{preview.subject}</Text>
            <Text size="sm" className={css.message}>
              {preview.body.replaceAll(SECRET_LINK_PLACEHOLDER, '(the recipient’s personal link)')}
            </Text>
          </Paper>
          {send.isError && !Object.keys(wrong).length && <FormErrorText>{errorSentence(send.error)}</FormErrorText>}
          {guard}
        </Stack>
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={send.isPending}>
            Send
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
