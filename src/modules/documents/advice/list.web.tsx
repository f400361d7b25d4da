import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { documentName } from '../types/kind.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
import { documentPath } from '../types/type-info.ts'
import { adviceRequest } from './advice-request.ts'
import { AdviceStatus } from './state.web.tsx'

const LIST = listUrlSchema({
  state: z.string().max(20).default('asked'),
  client: z.string().max(60).default(''),
})
type AdviceRequestsPage = RecordOf<typeof adviceRequest>

/** Clients' questions to the provider's consultants, with open questions first. */
export function AdviceRequestsPage({ kinds }: { readonly kinds: readonly DocumentTypeInfo[] }) {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<AdviceRequestsPage>()
  const close = () => setOpen(undefined)
  return (
    <Page title="Questions for consultants">
      <DataList
        resource={adviceRequest}
        label="Questions for consultants"
        state={state}
        onState={set}
        filters={['state', 'client']}
        nothing={
          <EmptyState title={state.state === 'asked' ? 'No questions waiting' : 'Nothing found'}>
            Clients can ask a question from a document’s page. Open questions are listed here.
          </EmptyState>
        }
        columns={[
          {
            key: 'document',
            title: 'Document',
            link: true,
            render: (a: AdviceRequestsPage) => documentName(a.document),
          },
          { key: 'client', title: 'Client' },
          { key: 'question', title: 'Question', wide: true },
          { key: 'user', title: 'Asked by', wide: true },
          {
            key: 'createdAt',
            title: 'Asked',
            tight: true,
            render: (a: AdviceRequestsPage) => <DateTimeText at={a.createdAt} />,
          },
          { key: 'state', title: 'Status', tight: true, render: (a: AdviceRequestsPage) => <AdviceStatus of={a} /> },
        ]}
        onOpen={setOpen}
      />
      <Dialog
        opened={open !== undefined}
        onClose={close}
        title={open ? documentName(open.document) : 'Question'}
        size={720}
      >
        {open && <Answer of={open} kinds={kinds} onClose={close} />}
      </Dialog>
    </Page>
  )
}

interface Props {
  readonly of: AdviceRequestsPage
  readonly kinds: readonly DocumentTypeInfo[]
  readonly onClose: () => void
}

function Answer({ of, kinds, onClose }: Props) {
  const queries = useQueryClient()
  const stored = useStoredInput(`answer to ${of['@id']}`, () => '')
  const answer = stored.input
  const act = useMutation({
    mutationFn: ({ path, body }: { path: string; body: object }) => callApi('POST', `${of['@id']}/${path}`, body),
    onSuccess: (_, { path }) => {
      if (path === 'answer') stored.discard()
      toast.saved(documentName(of.document))
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [adviceRequest.url] }),
  })
  const isOpen = of.state === 'asked' || of.state === 'taken'
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <AdviceStatus of={of} />
        <Text size="sm">
          {`${of.user.name}, ${of.client?.company ?? ''} · `}
          <DateTimeText at={of.createdAt} />
        </Text>
      </Group>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{of.question}</Text>
      <Anchor component={Link} to={documentPath(kinds, of.document)}>
        {`Open ${documentName(of.document)}`}
      </Anchor>
      {isOpen && <RestoredInputNotice of={stored} />}
      {isOpen ? (
        <Textarea
          label="Answer"
          autosize
          minRows={5}
          maxLength={5000}
          value={answer}
          onChange={(e) => stored.change(e.currentTarget.value)}
        />
      ) : (
        of.answer && (
          <section aria-label="Answer">
            <Text size="sm" fw={650}>{`${of.consultantName} answered`}</Text>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{of.answer}</Text>
          </section>
        )
      )}
      {act.isError && <FormErrorText>{errorSentence(act.error)}</FormErrorText>}
      {isOpen && (
        <DialogActions>
          {of.state === 'asked' && (
            <Button variant="default" loading={act.isPending} onClick={() => act.mutate({ path: 'take', body: {} })}>
              Start answering
            </Button>
          )}
          <Button
            loading={act.isPending}
            disabled={!answer.trim()}
            onClick={() => act.mutate({ path: 'answer', body: { answer } })}
          >
            Answer by e-mail
          </Button>
        </DialogActions>
      )}
    </Stack>
  )
}
