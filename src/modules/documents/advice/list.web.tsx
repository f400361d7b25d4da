import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import { Moment } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FailureText } from '#web/ui/error-text.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { sentence, toast } from '#web/ui/toast.ts'
import { pathTo } from '../access-log/named.web.ts'
import { nameOf } from '../types/notice-words.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'
import { adviceRequest } from './advice-request.ts'
import { AdviceState } from './state.web.tsx'

const LIST = listSchema({
  state: z.string().max(20).default('asked'),
  client: z.string().max(60).default(''),
})
type Asked = RecordOf<typeof adviceRequest>

/** Clients' questions to the provider's consultants, open ones first. */
export function Asked({ kinds }: { readonly kinds: readonly DocumentTypeInfo[] }) {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Asked>()
  const close = () => setOpen(undefined)
  return (
    <Page title="Questions to consultants">
      <DataList
        resource={adviceRequest}
        label="Questions to consultants"
        state={state}
        onState={set}
        filters={['state', 'client']}
        nothing={
          <EmptyState title={state.state === 'asked' ? 'No questions waiting' : 'Nothing found'}>
            Clients can ask a question from a document’s page. Open questions are listed here.
          </EmptyState>
        }
        columns={[
          { key: 'document', title: 'Document', link: true, render: (a: Asked) => nameOf(a.document) },
          { key: 'client', title: 'Client' },
          { key: 'question', title: 'Question', wide: true },
          { key: 'user', title: 'Requested by', wide: true },
          { key: 'createdAt', title: 'Asked', tight: true, render: (a: Asked) => <Moment at={a.createdAt} /> },
          { key: 'state', title: 'Status', tight: true, render: (a: Asked) => <AdviceState of={a} /> },
        ]}
        onOpen={setOpen}
      />
      <Dialog opened={open !== undefined} onClose={close} title={open ? nameOf(open.document) : 'Question'} size={720}>
        {open && <Answer of={open} kinds={kinds} onClose={close} />}
      </Dialog>
    </Page>
  )
}

interface Props {
  readonly of: Asked
  readonly kinds: readonly DocumentTypeInfo[]
  readonly onClose: () => void
}

function Answer({ of, kinds, onClose }: Props) {
  const queries = useQueryClient()
  const [answer, setAnswer] = useState('')
  const act = useMutation({
    mutationFn: ({ path, body }: { path: string; body: object }) => call('POST', `${of['@id']}/${path}`, body),
    onSuccess: () => {
      toast.saved(nameOf(of.document))
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [adviceRequest.url] }),
  })
  const isOpen = of.state === 'asked' || of.state === 'taken'
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <AdviceState of={of} />
        <Text size="sm">
          {`${of.user.name}, ${of.client?.company ?? ''} · `}
          <Moment at={of.createdAt} />
        </Text>
      </Group>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{of.question}</Text>
      <Anchor component={Link} to={pathTo(kinds, of.document)}>
        {`Open ${nameOf(of.document)}`}
      </Anchor>
      {isOpen ? (
        <Textarea
          label="Answer"
          autosize
          minRows={5}
          maxLength={5000}
          value={answer}
          onChange={(e) => setAnswer(e.currentTarget.value)}
        />
      ) : (
        of.answer && (
          <section aria-label="Answer">
            <Text size="sm" fw={650}>{`${of.consultantName} answered`}</Text>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{of.answer}</Text>
          </section>
        )
      )}
      {act.isError && <FailureText>{sentence(act.error)}</FailureText>}
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
