import { Alert, Button, Checkbox, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInteger } from '#kernel/text.ts'
import { callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { type BatchJobRecord, followBatchJob, requestJobUndo } from '#web/lists/extras/runs.ts'
import { DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, showUndoToast, toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import css from './assign.module.css'
import { ASSIGN_LEADS_URL, type LeadAssignmentPreview } from './assign.ts'

/** Leads to assign: the rows selected in a list, or all leads that the list's query finds. */
export type LeadSelection = { readonly ids: readonly string[] } | { readonly all: true; readonly params: QueryParams }

interface Props {
  readonly which: LeadSelection
  readonly onClose: () => void
}

const leads = (n: number) => `${formatInteger(n)} ${n === 1 ? 'lead' : 'leads'}`

/**
 * Form that assigns leads. The preview shows how many leads each person gets, and updates when a person is deselected.
 */
export default function AssignLeadsForm({ which, onClose }: Props) {
  const queries = useQueryClient()
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const url = `${ASSIGN_LEADS_URL}${'all' in which ? queryString(which.params) : ''}`
  const chosen = 'all' in which ? { all: true } : { ids: which.ids }
  const plan = useQuery({
    queryKey: [ASSIGN_LEADS_URL, url, chosen] as const,
    queryFn: () => callApi<LeadAssignmentPreview>('POST', url, { ...chosen, dryRun: true }),
    gcTime: 0,
  })
  const everybody = plan.data?.people ?? []
  const named = everybody.filter((one) => !without.has(one['@id'])).map((one) => one['@id'])
  const narrowed = useQuery({
    queryKey: [ASSIGN_LEADS_URL, url, chosen, named] as const,
    queryFn: () => callApi<LeadAssignmentPreview>('POST', url, { ...chosen, to: named, dryRun: true }),
    enabled: without.size > 0 && named.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const now = without.size === 0 ? plan.data : named.length ? narrowed.data : undefined
  const given = now?.people.reduce((n, { gets }) => n + gets, 0) ?? 0
  const getsOf = (id: string) => now?.people.find((one) => one['@id'] === id)?.gets ?? 0
  const toggle = (id: string) => {
    const next = new Set(without)
    if (!next.delete(id)) next.add(id)
    setWithout(next)
  }
  const submit = async () => {
    setBusy(true)
    setFailure('')
    try {
      const made = await callApi<{ run: string }>('POST', url, {
        ...chosen,
        ...('all' in which ? { count: plan.data?.found } : {}),
        to: named,
      })
      const follow = (run: BatchJobRecord) => followBatchJob(run, () => {})
      const over = await follow(await callApi<BatchJobRecord>('GET', made.run))
      const refresh = () => queries.invalidateQueries({ queryKey: [contact.url] })
      await refresh()
      const message = `${leads(over.done ?? 0)} assigned`
      if (over.refused)
        toast.info(
          `${message}; ${formatInteger(over.refused)} could not be assigned. “Background jobs” shows the reasons.`,
          'attention',
        )
      else showUndoToast({ message, undo: () => requestJobUndo(over).then(follow).then(refresh) })
      onClose()
    } catch (e) {
      setFailure(errorSentence(e))
    }
    setBusy(false)
  }
  if (plan.isPending) return <LoadingRows rows={4} />
  if (plan.isError) return <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />
  return (
    <Stack gap="md">
      <Text>
        {leads(plan.data.found)}, assigned evenly. No member of staff will get more than the maximum set on their page
        under Staff.
      </Text>
      <ul className={css.people}>
        {everybody.map((one) => (
          <li key={one['@id']}>
            <Checkbox
              label={one.name}
              description={`Open leads: ${formatInteger(one.open)}${one.most === null ? '' : ` of at most ${formatInteger(one.most)}`}`}
              checked={!without.has(one['@id'])}
              onChange={() => toggle(one['@id'])}
            />
            <span className={css.gets}>
              {without.has(one['@id']) ? 'none' : `gets ${formatInteger(getsOf(one['@id']))}`}
            </span>
          </li>
        ))}
      </ul>
      {plan.data.away.length > 0 && (
        <Text size="sm" c="dimmed">
          Staff who are away and will get no leads:{' '}
          {plan.data.away.map(({ name, until }) => `${name} (until ${formatIsoAsUkDate(until)})`).join(', ')}
        </Text>
      )}
      {now && now.left > 0 && (
        <Alert color="yellow">{leads(now.left)} will remain unassigned, because nobody has capacity for them.</Alert>
      )}
      {failure && <FormErrorText>{failure}</FormErrorText>}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} disabled={given === 0} onClick={() => void submit()}>
          {given === 0 ? 'Assign' : `Assign ${leads(given)}`}
        </Button>
      </DialogActions>
    </Stack>
  )
}
