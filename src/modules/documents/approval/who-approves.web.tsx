import { Alert, Anchor, Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { author, hasRole } from '#kernel/roles.ts'
import { useActor, useMe } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { LoadingRows } from '#web/ui/states.tsx'
import { APPROVERS } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { clientOf, type DocumentRecord } from '../types/record.web.ts'
import { type Approver, approversOf, nameApprovers, useApprovers, useForbidsSelf } from './approvers.web.ts'
import { SETTINGS } from './settings-nav.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Names the approvers of a draft, and warns if only its author can approve it. */
export function WhoApproves({ kind, record }: Props) {
  const me = useMe()
  const clientId = clientOf(record) ?? me.client.id
  const people = useApprovers(clientId).data?.['hydra:member']
  const forbidden = useForbidsSelf(clientId)
  return (
    <section className={page.card} aria-labelledby="who-approves">
      <h2 id="who-approves">Who approves it</h2>
      {people ? <Said people={people} forbidden={forbidden} kind={kind} record={record} /> : <LoadingRows rows={1} />}
    </section>
  )
}

interface SaidProps extends Props {
  readonly people: readonly Approver[]
  readonly forbidden: boolean
}

function Said({ kind, record, people, forbidden }: SaidProps) {
  const actor = useActor()
  const { username } = author(actor)
  const { others, own } = approversOf(people, { author: record.author, completedBy: username })
  const mine = own.some((p) => p.username === username)
  const settings = hasRole(actor, APPROVERS) && (
    <Anchor component={Link} to={SETTINGS.path}>
      Who approves in your company
    </Anchor>
  )
  if (others.length)
    return (
      <>
        <Text>
          {`${nameApprovers(others)} can approve this ${kind.noun} once it is complete, and sees it on the dashboard.`}
          {mine &&
            (forbidden
              ? ' You can’t: in your company that is another person than whoever wrote or completed it.'
              : ' You can too, though you have written it: the record and every paper then say that its author has approved it.')}
        </Text>
        {settings}
      </>
    )
  return (
    <>
      <Alert color="yellow" icon={<IconUser aria-hidden />} title={titleOf(mine, forbidden)}>
        {mine && !forbidden
          ? 'A second pair of eyes finds what the first has missed. If you approve it all the same, the record and every paper say that its author has approved it.'
          : 'It waits, complete and sealed, until somebody else in your company may approve documents.'}
      </Alert>
      {settings}
    </>
  )
}

const titleOf = (mine: boolean, forbidden: boolean) =>
  mine && !forbidden
    ? 'You would approve what you have written yourself: nobody else here can'
    : 'Nobody can approve this yet'
