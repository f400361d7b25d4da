import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/InlineInput.layer.css'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { Collection } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { leadFile } from '../files/lead-file.ts'
import { emailTemplate } from './template.ts'

interface Props {
  /** URLs of the attached files. */
  readonly value: readonly string[]
  readonly onChange: (files: readonly string[]) => void
  /** ID of the lead whose files can be attached. */
  readonly lead?: number
}

/** Field for the attachments of an e-mail, chosen from the lead's files and from the file manager. */
export function MailAttachments({ value, onChange, lead }: Props) {
  const actor = useActor()
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const own = useQuery({
    queryKey: [leadFile.url, 'list', 'for attachment', lead],
    ...urlQueryOptions<Collection<RecordOf<typeof leadFile>>>(
      `${leadFile.url}?contact=${lead}&retired=false&itemsPerPage=50`,
    ),
    enabled: lead !== undefined,
  }).data?.['hydra:member']
  const drop = (iri: string) => onChange(value.filter((one) => one !== iri))
  const others = value.filter((iri) => !own?.some((file) => file['@id'] === iri))
  return (
    <Stack gap="xs" role="group" aria-label="Attachments">
      {own && own.length > 0 && (
        <Checkbox.Group label="This lead’s files" value={[...value]} onChange={onChange}>
          <Stack gap={4} mt={4}>
            {own.map((file) => (
              <Checkbox key={file['@id']} value={file['@id']} label={file.name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {hasRole(actor, uploadedDocument.allow.read ?? 'nobody') && (
        <RemoteSelect
          target={uploadedDocument}
          label="Attach a file from the file manager"
          params={{ retired: false }}
          value={null}
          onChange={() => undefined}
          onChoice={(choice) => {
            if (!choice || value.includes(choice.iri)) return
            setNames({ ...names, [choice.iri]: choice.name })
            onChange([...value, choice.iri])
          }}
        />
      )}
      {others.map((iri) => (
        <Group key={iri} gap="xs" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {names[iri] ?? 'A file'}
          </Text>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => drop(iri)}
            aria-label={`Remove ${names[iri] ?? 'this file'}`}
          >
            Remove
          </Button>
        </Group>
      ))}
    </Stack>
  )
}

/** E-mail as typed, before it is sent. */
export interface EmailInput {
  readonly template: string
  /** True if the recipient requested the e-mail, or if it answers the recipient's own. It is then not marketing. */
  readonly answer?: boolean
  readonly subject: string
  readonly body: string
  /** Values for merge fields that the recipient's record leaves empty. */
  readonly values: Readonly<Record<string, string>>
  readonly attachments: readonly string[]
}

export const EMPTY_EMAIL: EmailInput = { template: '', subject: '', body: '', values: {}, attachments: [] }

/** Returns the templates for e-mails to leads or to clients. */
export function useMailTemplates(kind: 'lead' | 'client' = 'lead'): readonly RecordOf<typeof emailTemplate>[] {
  const found = useQuery({
    queryKey: [emailTemplate.url, 'list', kind],
    ...urlQueryOptions<Collection<RecordOf<typeof emailTemplate>>>(
      `${emailTemplate.url}?kind=${kind}&retired=false&pagination=false`,
    ),
  })
  return found.data?.['hydra:member'] ?? []
}

/** An e-mail merged for its recipient, as returned by the API. */
export interface MailPreview {
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly missing: readonly string[]
  readonly suppressed: boolean
  /** Reason why this marketing e-mail may not be sent; empty if it may. */
  readonly refusal: string
}

/** Preview of an e-mail, with a warning if it can’t be sent to the recipient. */
export function MailPreviewText({ of: seen }: { readonly of: MailPreview }) {
  return (
    <>
      {seen.suppressed && <Alert color="yellow">{seen.recipient} has opted out of e-mails.</Alert>}
      {seen.refusal && <Alert color="yellow">{seen.refusal}.</Alert>}
      <section aria-label="E-mail preview">
        <Text size="sm" fw={650}>
          To {seen.recipient || 'nobody (no e-mail address)'} · {seen.subject}
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {seen.body}
        </Text>
      </section>
    </>
  )
}
