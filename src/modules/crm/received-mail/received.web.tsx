import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import type { StoredFile } from '#web/uploads/send.ts'
import { formatFileSize, UploadedFileLink } from '#web/uploads/thumb.tsx'
import type { mailMessage } from '../mail/message.ts'
import css from './received.module.css'
import { type ReceivedMailSummary, receivedKindLabel } from './reports.ts'

/**
 * Contents of a received e-mail other than its text: files, files that were not stored, and the quoted text on request.
 */
export default function ReceivedMailDetails({ mail }: { readonly mail: ReceivedMailSummary }) {
  const [open, setOpen] = useState(false)
  const { files, refused, inlinePictures, remarks } = mail
  return (
    <Stack gap={4} align="flex-start" className={css.details}>
      {files.length > 0 && (
        <ul aria-label="Attachments" className={css.files}>
          {files.map((file) => (
            <li key={file.id}>
              <UploadedFileLink file={file as unknown as StoredFile} />
              <Text size="xs" c="dimmed" component="span">
                {formatFileSize(file.size)}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {refused.map(({ name, reason }) => (
        <Text key={name + reason} size="xs" className={css.words}>
          Attachment not stored: {name}. {reason}
        </Text>
      ))}
      {remarks.map((remark) => (
        <Text key={remark} size="xs" c="dimmed" className={css.words}>
          {remark}
        </Text>
      ))}
      {inlinePictures > 0 && (
        <Text size="xs" c="dimmed">
          {inlinePictures === 1
            ? 'One small picture in the text was'
            : `${inlinePictures} small pictures in the text were`}{' '}
          not stored
        </Text>
      )}
      {mail.quoted && (
        <Button size="compact-xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide quoted text' : 'Show quoted text'}
        </Button>
      )}
      {open && <QuotedText url={mail['@id']} />}
    </Stack>
  )
}

type Message = RecordOf<typeof mailMessage>

function QuotedText({ url }: { readonly url: string }) {
  const found = useQuery({ queryKey: [url, 'quoted'], ...urlQueryOptions<Message>(url) })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingRows rows={2} />
  return (
    <Text size="sm" className={css.quoted}>
      {found.data.quoted}
    </Text>
  )
}

/** A received e-mail with its sender, kind, text and files. */
export function ReceivedMessage({ message, clamp }: { readonly message: Message; readonly clamp?: number }) {
  return (
    <section aria-label={`${receivedKindLabel(message.kind) ?? 'Reply'} from ${message.sender}`}>
      <Group gap="0 8px" align="baseline">
        <Text size="sm" fw={650} className={css.words}>
          {message.sender}
        </Text>
        <Text size="xs" c="dimmed">
          {receivedKindLabel(message.kind)} · <DateTimeText at={message.createdAt} />
        </Text>
      </Group>
      <Text size="sm" className={css.text} {...(clamp ? { lineClamp: clamp } : {})}>
        {message.body || 'No new text'}
      </Text>
      {message.received && <ReceivedMailDetails mail={message.received} />}
    </section>
  )
}
