import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, use, useState } from 'react'
import { can } from '#kernel/can.ts'
import { toText } from '#kernel/text.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { invalidateLists } from '#web/api/resources.ts'
import { formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { formFieldLabel } from '#web/forms/labels.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ErrorText } from '#web/ui/error-text.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { incidentEvent } from '../reports/incident-report.ts'
import css from '../reports/incidents.module.css'
import type { IncidentRecord } from '../reports/save-rows.web.ts'
import { PersonContext } from './person-inputs.web.tsx'
import { incidentStatementRequest } from './statement-request.ts'
import { isStatementAwaited, RequestLines, useStatementRequests } from './statement-requests.web.tsx'

type Person = NonNullable<IncidentRecord['personnel']>[number]

/**
 * Statement of a person. Read-only if the witness gave it by link, and while a request to the witness is open.
 */
export function StatementInput({ field, value, onChange, readOnly, error }: CustomFieldProps) {
  const { report, stored } = use(PersonContext) ?? {}
  if (stored?.statementReceivedAt)
    return (
      <div>
        <Text size="sm" fw={650}>{`Given by link on ${formatIsoAsUkDateTime(stored.statementReceivedAt)}`}</Text>
        <p className={css.words}>{stored.statement}</p>
        {error && <ErrorText>{error}</ErrorText>}
      </div>
    )
  const input = (isLocked: boolean) => (
    <Textarea
      label={formFieldLabel(field)}
      description={field.help}
      autosize
      minRows={5}
      value={toText(value)}
      readOnly={readOnly || isLocked}
      error={error}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  )
  if (!report || !stored || stored.recordType !== 'WT') return input(false)
  return (
    <RequestedStatement report={report} person={stored} hasWords={toText(value).trim() !== ''} readOnly={readOnly}>
      {input}
    </RequestedStatement>
  )
}

interface RequestedProps {
  readonly report: IncidentRecord
  readonly person: Person
  readonly hasWords: boolean
  readonly readOnly: boolean
  readonly children: (isLocked: boolean) => ReactNode
}

function RequestedStatement({ report, person, hasWords, readOnly, children }: RequestedProps) {
  const actor = useActor()
  const queries = useQueryClient()
  const all = useStatementRequests(report).filter(({ person: iri }) => iri === person['@id'])
  const awaited = all.find(isStatementAwaited)
  const [email, setEmail] = useState('')
  const post = useMutation({
    mutationFn: ({ url, ...body }: { readonly url: string; readonly person?: string; readonly email?: string }) =>
      callApi('POST', url, body),
    onSuccess: () => setEmail(''),
    onSettled: () => Promise.all([incidentStatementRequest, incidentEvent].map((r) => invalidateLists(queries, r))),
  })
  const mayAsk = !readOnly && report.state !== 'draft' && can(actor, 'create', incidentStatementRequest)
  return (
    <div className={css.list}>
      {children(awaited !== undefined)}
      <RequestLines requests={all} name={person.name ?? ''} />
      {mayAsk && awaited && (
        <Button
          variant="default"
          loading={post.isPending}
          onClick={() => post.mutate({ url: `${awaited['@id']}/withdraw` })}
        >
          Withdraw the link
        </Button>
      )}
      {mayAsk && !awaited && !hasWords && (
        <>
          <TextInput
            type="email"
            label="E-mail address of the witness"
            description="The witness gets a link to a page that shows the place, the day and their own words only. They need no account."
            value={email}
            maxLength={255}
            onChange={(e) => setEmail(e.currentTarget.value)}
          />
          <Button
            variant="default"
            loading={post.isPending}
            disabled={!email.trim()}
            onClick={() =>
              post.mutate({ url: incidentStatementRequest.url, person: person['@id'], email: email.trim() })
            }
          >
            Request a statement
          </Button>
        </>
      )}
      {post.isError && <ErrorText>{errorSentence(post.error)}</ErrorText>}
    </div>
  )
}
