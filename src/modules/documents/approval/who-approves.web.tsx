import { Alert, Anchor, Text } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { iriOf } from '#kernel/resource.ts'
import { author, hasRole } from '#kernel/roles.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor, useMe } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { LoadingRows } from '#web/ui/states.tsx'
import { DOCUMENT_APPROVERS } from '../rights.ts'
import { safetySettings } from '../settings/safety-settings.ts'
import type { DocumentKind } from '../types/kind.ts'
import { clientIdOf, type DocumentRecord } from '../types/record.web.ts'
import { isOwnWork } from '../types/self-approval.ts'
import { SAFETY_SETTINGS_NAV } from './settings-nav.ts'

interface Approver {
  readonly id: number
  readonly name: string
  readonly username: string
}

export const useApprovers = (clientId: number) =>
  useQuery({
    queryKey: [safetySettings.url, 'approvers', clientId],
    queryFn: ({ signal }) =>
      callApi<Collection<Approver>>('GET', `${iriOf(safetySettings, clientId)}/approvers`, undefined, { signal }),
  })

/** True if the company forbids approving one's own documents. */
export const useForbidsSelfApproval = (clientId: number | undefined): boolean =>
  useApiRecord(safetySettings, clientId).data?.forbidSelfApproval === true

const NAMED = 4

/** `Priya Shah or Rhys Ellis`, `A, B, C, D or 3 others` */
function joinApproverNames(people: readonly Pick<Approver, 'name'>[]): string {
  const names = people.map((p) => p.name)
  const more = names.length - NAMED
  const said = more > 1 ? [...names.slice(0, NAMED), `${more} others`] : names
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(said)
}

interface Written {
  readonly author: string | null
  /** Username of the person who completed it or is about to. */
  readonly completedBy: string | null
}

/** Splits the approvers into those not involved in a revision and those who wrote or completed it. */
function splitApprovers<P extends Pick<Approver, 'username'>>(people: readonly P[], written: Written) {
  const own = people.filter((p) => isOwnWork(written, p.username))
  return { others: people.filter((p) => !own.includes(p)), own }
}

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/** Names the approvers of a draft, and warns if only its author can approve it. */
export function WhoApproves({ kind, record }: Props) {
  const me = useMe()
  const clientId = clientIdOf(record) ?? me.client.id
  const people = useApprovers(clientId).data?.['hydra:member']
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
  const { username } = author(actor)
  const { others, own } = splitApprovers(people, { author: record.author, completedBy: username })
  const mine = own.some((p) => p.username === username)
  const settings = hasRole(actor, DOCUMENT_APPROVERS) && (
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
          ? 'A second person often spots what the author missed. If you approve it yourself, the record and every PDF will say so.'
          : 'Once complete, it will wait until another person in your company can approve documents.'}
      </Alert>
      {settings}
    </>
  )
}

const titleOf = (mine: boolean, forbidden: boolean) =>
  mine && !forbidden ? 'You are the only approver' : 'No one can approve this yet'
