import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import { Alert, Anchor, Button, Group, Radio, Text } from '@mantine/core'
import { IconArrowsExchange, IconArrowsJoin2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { type Field, labelOf } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { FieldValue } from '#web/forms/field-value.tsx'
import { useLinkedRecordName } from '#web/forms/use-choices.ts'
import { linkedRecordIri, linkedRecordName } from '#web/forms/values.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import { formatLeadName, type LeadRecord, leadQueryOptions } from '../contacts/data.web.ts'
import { crmNav } from '../nav.ts'
import { formatPersonName } from '../people/person.ts'
import css from './merging.module.css'
import { leadMerge, MERGE_UNDO_DAYS } from './relations.ts'
import {
  findPeopleLeftByMerge,
  hasOtherCompanyNumber,
  isMergeChoiceField,
  MERGE_CHOICE_FIELDS,
  type MergeChoiceField,
} from './values.ts'

interface Preview {
  readonly stays: number
  readonly refusal: string | null
  readonly differs: readonly MergeChoiceField[]
  readonly take: readonly MergeChoiceField[]
  readonly moves: readonly { readonly what: string; readonly count: number }[]
  readonly fingerprint: string
}

const leadPath = (id: number) => `/crm/contact/view/${id}`

const previewOptions = (into: number, from: number) => ({
  queryKey: [contact.url, 'merge', into, from] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callApi<Preview>('GET', `${contact.url}/${into}/merge-preview?other=${from}`, undefined, { signal }),
  // The preview is refetched whenever the screen opens, so that users can merge only what they have seen.
  gcTime: 0,
  placeholderData: keepPreviousData,
})

/** Page that compares two leads and previews the merged lead. */
export default function MergeLeadsPage() {
  const { one, other } = useParams()
  const [a, b] = [parseId(one), parseId(other)]
  if (a === undefined || b === undefined || a === b)
    return (
      <EmptyState title="Please choose two leads">
        You can also start a merge from a lead’s possible duplicates.
      </EmptyState>
    )
  return <Loaded key={`${a} ${b}`} a={a} b={b} />
}

function Loaded({ a, b }: { readonly a: number; readonly b: number }) {
  const [chosen, setChosen] = useState<number>()
  const first = useQuery(previewOptions(a, b))
  const into = chosen ?? first.data?.stays ?? a
  const from = into === a ? b : a
  const preview = useQuery({ ...previewOptions(into, from), enabled: first.data !== undefined })
  const [survivor, gone] = [useQuery(leadQueryOptions(into)), useQuery(leadQueryOptions(from))]
  const failed = [first, preview, survivor, gone].find((q) => q.isError)
  const again = () => void Promise.all([first, preview, survivor, gone].map((q) => q.refetch()))
  if (failed) return <ErrorState error={failed.error} onRetry={again} />
  if (!preview.data || !survivor.data || !gone.data) return <LoadingRows />
  return (
    <Merge
      key={`${into} ${preview.data.fingerprint}`}
      survivor={survivor.data}
      gone={gone.data}
      preview={preview.data}
      onSwap={() => setChosen(from)}
      onAgain={again}
    />
  )
}

interface Props {
  readonly survivor: LeadRecord
  readonly gone: LeadRecord
  readonly preview: Preview
  readonly onSwap: () => void
  readonly onAgain: () => void
}

function Merge({ survivor, gone, preview, onSwap, onAgain }: Props) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [take, setTake] = useState<readonly MergeChoiceField[]>(preview.take)
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const choose = (name: MergeChoiceField, theirs: boolean) =>
    setTake((now) => (theirs ? [...now.filter((n) => n !== name), name] : now.filter((n) => n !== name)))
  const merge = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await callApi('POST', leadMerge.url, {
        survivor: iriOf(contact, survivor.id),
        merged: iriOf(contact, gone.id),
        take,
        fingerprint: preview.fingerprint,
      })
      await queries.invalidateQueries()
      toast.info(
        `The leads have been merged. You can undo the merge within ${MERGE_UNDO_DAYS} days; the button is at the end of the lead’s details.`,
        'safe',
      )
      await navigate(leadPath(survivor.id))
    } catch (e) {
      setFailure(errorSentence(e))
      setBusy(false)
    }
  }
  const separate = async () => {
    try {
      await callApi('POST', '/api/crm/duplicate_pairs/keep-separate', {
        lead: iriOf(contact, survivor.id),
        other: iriOf(contact, gone.id),
      })
      await queries.invalidateQueries()
      toast.info('These two leads will be kept separate and will not be shown as possible duplicates again.', 'safe')
      await navigate(crmNav.duplicates.path)
    } catch (e) {
      toast.failed(e, () => void separate())
    }
  }
  const taken = Object.fromEntries(take.map((name) => [name, gone[name]]))
  const people = findPeopleLeftByMerge([survivor, gone], { ...survivor, ...taken })
  const same = MERGE_CHOICE_FIELDS.filter((name) => !preview.differs.includes(name) && survivor[name])
  return (
    <Page
      title={`Merge ${formatLeadName(gone)} into ${formatLeadName(survivor)}`}
      back={{ label: formatLeadName(survivor), to: leadPath(survivor.id) }}
      about="Choose which values to keep. Notes, calls, sales, quotes, people, files and letters from both leads will belong to the remaining lead."
      actions={
        <Button variant="default" leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={onSwap}>
          Swap
        </Button>
      }
    >
      {preview.refusal && (
        <Alert color="red" role="alert" title="These leads can’t be merged">
          {preview.refusal}
        </Alert>
      )}
      {hasOtherCompanyNumber(survivor, gone) && (
        <Alert color="yellow" role="status" title="The leads have different company numbers">
          {survivor.companyNumber} and {gone.companyNumber} are two companies in the register. Merge them only if one
          number is wrong.
        </Alert>
      )}
      <div className={css.field} aria-hidden>
        <span />
        <Side lead={survivor} says="Remaining lead" />
        <Side lead={gone} says="Lead to be merged" />
      </div>
      <div className={css.fields}>
        {preview.differs.filter(isMergeChoiceField).map((name) => (
          <Choice
            key={name}
            name={name}
            mine={survivor}
            theirs={gone}
            taken={take.includes(name)}
            onChoose={(theirs) => choose(name, theirs)}
          />
        ))}
      </div>
      {same.length > 0 && (
        <Text size="sm" c="dimmed">
          Same in both: {same.map((name) => labelOf(name, contact.fields[name]).toLowerCase()).join(', ')}.
        </Text>
      )}
      <Text size="sm">
        {preview.moves.length
          ? `Also moved: ${preview.moves.map((m) => `${m.count} ${m.what}`).join(', ')}.`
          : 'The merged lead has no other records.'}
      </Text>
      {people.length > 0 && (
        <Text size="sm">
          Saved under the other people of the remaining lead:{' '}
          {people
            .map((p) => [p.name, p.telephone, p.mobile, p.email].filter(Boolean).join(', ') || formatPersonName(p))
            .join('; ')}
          .
        </Text>
      )}
      <Text size="sm" c="dimmed">
        The remaining lead is also found by the merged lead’s company name and number when duplicates are searched for.
      </Text>
      {failure && (
        <Alert color="red" role="alert">
          {failure}{' '}
          <Anchor component="button" type="button" onClick={onAgain}>
            Check preview again
          </Anchor>
        </Alert>
      )}
      <Group>
        <Button
          leftSection={<IconArrowsJoin2 size={16} aria-hidden />}
          loading={busy}
          disabled={preview.refusal !== null}
          onClick={() => void merge()}
        >
          Merge
        </Button>
        <Button variant="default" onClick={() => void separate()}>
          Keep separate
        </Button>
      </Group>
    </Page>
  )
}

const Side = ({ lead, says }: { readonly lead: LeadRecord; readonly says: string }) => (
  <span className={css.value}>
    <Text span size="sm" c="dimmed">
      {says}: lead {lead.id}
    </Text>
    <br />
    <strong>{formatLeadName(lead)}</strong>
  </span>
)

interface FieldProps {
  readonly name: MergeChoiceField
  readonly mine: LeadRecord
  readonly theirs: LeadRecord
  readonly taken: boolean
  readonly onChoose: (theirs: boolean) => void
}

/** One field with the values of both leads. The arrow keys select a value. */
function Choice({ name, mine, theirs, taken, onChoose }: FieldProps) {
  const field = contact.fields[name]
  const label = labelOf(name, field)
  const option = (lead: LeadRecord, isTheirs: boolean) => (
    <Radio
      name={name}
      className={css.value ?? ''}
      checked={taken === isTheirs}
      onChange={() => onChoose(isTheirs)}
      label={<Plain name={name} lead={lead} />}
    />
  )
  return (
    <fieldset className={css.field}>
      <legend hidden>{label}</legend>
      <span className={css.name} aria-hidden>
        {label}
      </span>
      {option(mine, false)}
      {option(theirs, true)}
    </fieldset>
  )
}

/** Value of a lead's field as plain text. Telephone numbers are not shown as call links here. */
function Plain({ name, lead }: { readonly name: MergeChoiceField; readonly lead: LeadRecord }) {
  const field: Field = contact.fields[name]
  const value = lead[name]
  const target = field.kind === 'link' ? field.target?.() : undefined
  const linked = useLinkedRecordName(
    target,
    linkedRecordIri(target && value),
    target && linkedRecordName(target, value),
  )
  if (target && value) return linked ?? '…'
  if (field.kind === 'phone' || field.kind === 'email') return typeof value === 'string' && value ? value : 'Blank'
  return value === null || value === '' ? 'Blank' : <FieldValue field={field} value={value} record={{ ...lead }} />
}
