import { Alert, Anchor, Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { Link } from 'react-router'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { useActor, useMe } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { LoadingRows } from '#web/ui/states.tsx'
import { DOCUMENT_APPROVER_ROLES } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord } from '../types/record.web.ts'
import {
  type Approver,
  joinApproverNames,
  splitApproversByAuthorship,
  useApprovers,
  useForbidsSelfApproval,
} from './approvers.web.ts'
import { SAFETY_SETTINGS_NAV } from './settings-nav.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/**
 * Notice that names the approvers of a draft. Warns if the viewer would be the only approver, or if nobody can approve
 * the draft yet.
 */
export function DraftApprovers({ kind, record }: Props) {
  const me = useMe()
  const clientId = clientIdOf(record) ?? me.client.id
  const people = useApprovers(clientId, kind).data?.['hydra:member']
  const forbidden = useForbidsSelfApproval(clientId)
  return (
    <section className={page.card} aria-labelledby="who-approves">
      <h2 id="who-approves">Approvers</h2>
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
  const { username } = authorOf(actor)
  const { others, own } = splitApproversByAuthorship(people, { author: record.author, completedBy: username })
  const mine = own.some((p) => p.username === username)
  const settings = kind.pack === 'safety' && hasRole(actor, DOCUMENT_APPROVER_ROLES) && (
    <Anchor component={Link} to={SAFETY_SETTINGS_NAV.path}>
      Approvers in your company
    </Anchor>
  )
  if (others.length)
    return (
      <>
        <Text>
          {`${joinApproverNames(others)} will be asked to approve this ${kind.noun} once it is complete.`}
          {mine &&
            (forbidden
              ? ' Your company requires a second person: you can’t approve a document you wrote or completed.'
              : ' You can approve your own document; the record and every PDF will show that you did.')}
        </Text>
        {settings}
      </>
    )
  return (
    <>
      <Alert color="yellow" icon={<IconUser aria-hidden />} title={titleOf(mine, forbidden)}>
        {mine && !forbidden
          ? 'A second person often spots what the author missed. If you approve the document yourself, the record and every PDF will say so.'
          : 'Once complete, this document will wait until another person in your company can approve documents.'}
      </Alert>
      {settings}
    </>
  )
}

const titleOf = (mine: boolean, forbidden: boolean) =>
  mine && !forbidden ? 'You are the only approver' : 'Nobody can approve this document yet'
