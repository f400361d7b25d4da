import { Text } from '@mantine/core'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime, londonToday } from '#web/dates/uk-dates.ts'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { incidentStatementRequest } from './statement-request.ts'

type Request = RecordOf<typeof incidentStatementRequest>

/** Returns true if a witness can still give a statement by the link of a request. */
export const isStatementAwaited = ({ state, until }: Request): boolean => state === 'open' && until >= londonToday()

/** Returns the requests for statements in an incident, oldest first; none for users who may not read them. */
export function useStatementRequests(report: Pick<IncidentRecord, '@id'>): readonly Request[] {
  const actor = useActor()
  const mayRead = can(actor, 'read', incidentStatementRequest)
  const list = useList(incidentStatementRequest, { report: report['@id'], pagination: false }, { enabled: mayRead })
  return list.data?.['hydra:member'] ?? []
}

/** Returns the events of a request as sentences, for example “Statement requested from Sam Reed on 02/03/2026 14:05”. */
function requestSentences(request: Request, name: string): readonly string[] {
  const { createdAt, emailedAt, openedAt, receivedAt, withdrawnAt, until, state } = request
  const time = formatIsoAsUkDateTime
  return [
    `Statement requested from ${name} on ${time(createdAt)}`,
    emailedAt ? `E-mail sent on ${time(emailedAt)}` : `E-mail not sent${state === 'open' ? ' yet' : ''}`,
    ...(openedAt ? [`Link opened on ${time(openedAt)}`] : []),
    ...(receivedAt ? [`Statement received on ${time(receivedAt)}`] : []),
    ...(withdrawnAt ? [`Link withdrawn on ${time(withdrawnAt)}`] : []),
    ...(state === 'open'
      ? [`Link ${isStatementAwaited(request) ? 'is valid until' : 'was valid until'} ${formatIsoAsUkDate(until)}`]
      : []),
  ]
}

/** Events of the requests to a witness, one line for each request. */
export const RequestLines = ({ requests, name }: { readonly requests: readonly Request[]; readonly name: string }) =>
  requests.map((request) => (
    <Text key={request.id} size="sm" c="dimmed">
      {requestSentences(request, name).join('. ')}.
    </Text>
  ))
