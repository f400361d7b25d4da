import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord, documentTitleOrUntitled } from '../types/record.web.ts'
import { adviceRequest } from './advice-request.ts'
import { AdviceStatus } from './state.web.tsx'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}
type AdviceRequestRecord = RecordOf<typeof adviceRequest>

/**
 * Questions to the consultant about this revision, with a button to ask a question. Renders nothing for users who can't
 * ask questions about it.
 */
export function DocumentAdvice({ kind, record }: Props) {
  const actor = useActor()
  const [open, setOpen] = useState(false)
  const isOwn = actor.clientId !== PROVIDER_CLIENT_ID && clientIdOf(record) === actor.clientId
  const list = useList(adviceRequest, { document: iriOf(document, record.id), itemsPerPage: 100 }, { enabled: isOwn })
  const asked = list.data?.['hydra:member'] ?? []
  if (!isOwn || !can(actor, 'create', adviceRequest)) return null
  const waits = asked.some((a) => a.state === 'asked' || a.state === 'taken')
  return (
    <section className={page.card} aria-labelledby="advice">
      <h2 id="advice">Your consultant</h2>
      <Stack gap="sm">
        {asked.map((a) => (
          <One key={a.id} of={a} />
        ))}
        {!waits && (
          <Button variant="default" onClick={() => setOpen(true)} style={{ alignSelf: 'start' }}>
            Ask your consultant
          </Button>
        )}
      </Stack>
      <Dialog opened={open} onClose={() => setOpen(false)} title={`About ${documentTitleOrUntitled(kind, record)}`}>
        {open && <Ask id={record.id} onDone={() => setOpen(false)} />}
      </Dialog>
    </section>
  )
}

function One({ of }: { readonly of: AdviceRequestRecord }) {
  const queries = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => callApi('POST', `${of['@id']}/withdraw`, {}),
    onError: (e) => toast.failed(e),
    onSettled: () => queries.invalidateQueries({ queryKey: [adviceRequest.url] }),
  })
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <AdviceStatus of={of} />
        <Text size="sm" c="dimmed">
          {`${of.user.name}, `}
          <DateTimeText at={of.createdAt} />
        </Text>
      </Group>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {of.question}
      </Text>
      {of.answer && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          <strong>{`${of.consultantName}: `}</strong>
          {of.answer}
        </Text>
      )}
      {(of.state === 'asked' || of.state === 'taken') && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate()}
          style={{ alignSelf: 'start' }}
        >
          Withdraw question
        </Button>
      )}
    </Stack>
  )
}

function Ask({ id, onDone }: { readonly id: number; readonly onDone: () => void }) {
  const queries = useQueryClient()
  const stored = useStoredInput(`question about document ${id}`, () => '')
  const question = stored.input
  const [key] = useState(() => crypto.randomUUID())
  const ask = useMutation({
    mutationFn: () =>
      callApi('POST', adviceRequest.url, { document: iriOf(document, id), question }, { idempotencyKey: key }),
    onSuccess: () => {
      stored.discard()
      toast.info('Question sent to your consultant')
      onDone()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [adviceRequest.url] }),
  })
  return (
    <Stack gap="sm">
      <Text size="sm">One of your provider’s consultants will read this document and answer here and by e-mail.</Text>
      <RestoredInputNotice of={stored} />
      <Textarea
        label="Your question"
        required
        autosize
        minRows={4}
        maxLength={2000}
        value={question}
        onChange={(e) => stored.change(e.currentTarget.value)}
      />
      {ask.isError && <FormErrorText>{errorSentence(ask.error)}</FormErrorText>}
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button loading={ask.isPending} disabled={!question.trim()} onClick={() => ask.mutate()}>
          Send question
        </Button>
      </DialogActions>
    </Stack>
  )
}
