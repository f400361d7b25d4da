import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { labelOf, text } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { formatUkDateTime, fromUnixSeconds, now, toUnixSeconds } from '#kernel/time.ts'
import { CompanyLookup } from '#modules/companies/company-lookup.web.tsx'
import { ApiError, isConflictError } from '#web/api/client.ts'
import { InPlaceEditor } from '#web/forms/edit-in-place.tsx'
import { formatFieldLabels, formatFieldValueLines, useQueuedChanges } from '#web/forms/queued-changes.ts'
import { conditionalSaveOptions } from '#web/forms/store/change-if-unchanged.ts'
import { QUEUED_MESSAGE, QUEUED_RESULT, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { contact } from '../contacts/contact.ts'
import {
  formatLeadName,
  type LeadRecord,
  leadNotesQueryOptions,
  leadQueryOptions,
  refreshLeadLists,
  unpaginatedListQueryOptions,
} from '../contacts/data.web.ts'
import { PossibleDuplicates, usePossibleDuplicates } from '../contacts/duplicates.web.tsx'
import { leadSource } from '../contacts/import-batch.ts'
import { refreshLeadPeople } from '../people/data.web.ts'
import { parseCallbackDate, UNREADABLE_DATE_MESSAGE } from './callback-date.web.ts'
import css from './calling.module.css'
import { DoNotCallSwitch } from './do-not-call.web.tsx'
import { LeadSection } from './lead-section.web.tsx'
import { LeadRelatedRecords } from './records.web.tsx'
import { leadViewPath } from './start-calling.web.ts'

type FieldName = keyof typeof contact.fields & keyof LeadRecord

interface Group {
  readonly title: string
  readonly fields: readonly FieldName[]
}

const GROUPS: readonly [Group, ...Group[]] = [
  { title: 'People', fields: ['name', 'jobTitle', 'phone', 'mobile', 'email', 'personNotes'] },
  {
    title: 'Company',
    fields: [
      'companyName',
      'companyNumber',
      'legalForm',
      'businessType',
      'website',
      'employees',
      'subContractors',
      'ir35',
    ],
  },
  { title: 'Address', fields: ['address1', 'address2', 'city', 'county', 'postcode'] },
  { title: 'Lead', fields: ['owner', 'callbackDate', 'expiry', 'cameFrom', 'doNotCall', 'retired'] },
]

/**
 * Parses a typed date in the formats that the callback field accepts, such as `tue 10:00` or `+3`. Returns Unix
 * seconds; null if nothing has been typed. Throws an ApiError if the text can't be parsed.
 */
function momentTyped(typed: unknown): number | null {
  if (typeof typed !== 'string' || !typed) return null
  const at = parseCallbackDate(typed, now())
  if (!at) throw new ApiError(422, UNREADABLE_DATE_MESSAGE)
  return toUnixSeconds(at)
}

interface Props {
  readonly lead: LeadRecord
  /** Whether the user has asked to edit the lead. The first field opens once it has loaded. */
  readonly edit: boolean
  readonly onEdit: () => void
}

/** All fields of a lead, edited in place. Changes are recorded in the timeline. */
export default function LeadDetails({ lead, edit, onEdit }: Props) {
  const queries = useQueryClient()
  const { isLoading } = usePossibleDuplicates(lead, lead.id)
  const [begun, setBegun] = useState(false)
  // Possible duplicates are shown above the other fields. The fields wait for the duplicates to load, so that the
  // layout doesn't shift.
  if (!begun && !isLoading) setBegun(true)
  const sources = useQuery(unpaginatedListQueryOptions(leadSource.url)).data?.['hydra:member']
  const address = `${contact.url}/${lead.id}`
  const kept = useQueuedChanges(address)
  const save = async (changes: Partial<Record<FieldName, unknown>>, over?: Values) => {
    const saved = await sendOrQueue<LeadRecord>('PUT', address, changes, {
      ...conditionalSaveOptions(contact.fields, address, { ...lead, ...over }, changes),
      description: {
        what: `Changed: ${formatFieldLabels(contact.fields, changes)}`,
        of: formatLeadName(lead),
        text: formatFieldValueLines(contact.fields, changes),
        at: leadViewPath(lead.id),
        about: [address],
      },
    }).catch((e: unknown) => {
      if (isConflictError(e)) void refreshLeadPeople(queries, lead.id)
      throw e
    })
    if (saved === QUEUED_RESULT) return saved
    queries.setQueryData(leadQueryOptions(lead.id).queryKey, saved)
    void queries.invalidateQueries({ queryKey: leadNotesQueryOptions(lead.id).queryKey })
    void refreshLeadLists(queries)
    return saved
  }
  const fill = async (changes: Partial<Record<FieldName, unknown>>): Promise<boolean> => {
    try {
      const saved = await save(changes)
      if (saved === QUEUED_RESULT) toast.info(QUEUED_MESSAGE, 'attention')
      else
        toast.saved(
          Object.keys(changes)
            .map((n) => labelOf(n, contact.fields[n as FieldName]))
            .join(', '),
        )
      return true
    } catch (e) {
      toast.failed(e, () => void fill(changes))
      return false
    }
  }
  const shown = (name: FieldName) =>
    name === 'cameFrom' ? (sources?.find((s) => s['@id'] === lead.cameFrom) ?? lead.cameFrom) : lead[name]
  const all = useRef<HTMLDivElement>(null)
  const editFirst = useEffectEvent(() => {
    all.current?.querySelector<HTMLElement>('[data-edit]')?.click()
    onEdit()
  })
  useEffect(() => {
    if (edit) editFirst()
  }, [edit])
  const group = ({ title, fields }: Group) => (
    <LeadSection
      key={title}
      title={title}
      above={title === 'Company' && <CompanyLookup values={{ ...lead }} onFill={fill} />}
    >
      {fields.map((name) =>
        name === 'doNotCall' ? (
          <DoNotCallSwitch key={name} lead={lead} waiting={name in kept} onSave={save} />
        ) : name === 'callbackDate' || name === 'expiry' ? (
          <InPlaceEditor
            key={name}
            name={name}
            field={text({ label: labelOf(name, contact.fields[name]) })}
            value={lead[name] === null ? '' : formatUkDateTime(fromUnixSeconds(lead[name]))}
            waiting={name in kept}
            onSave={async (typed, over) => save({ [name]: momentTyped(typed) }, over)}
          />
        ) : (
          <InPlaceEditor
            key={name}
            name={name}
            field={contact.fields[name]}
            value={shown(name)}
            of={formatLeadName(lead)}
            record={lead}
            waiting={name in kept}
            onSave={(value, over) => save({ [name]: value }, over)}
          />
        ),
      )}
    </LeadSection>
  )
  const [people, ...others] = GROUPS
  return (
    <div ref={all} className={css.details}>
      {group(people)}
      {begun ? (
        // Loads within a separate Suspense boundary, so that text typed in the section above is not lost in the
        // meantime.
        <Suspense fallback={<LoadingRows rows={7} height={56} />}>
          <PossibleDuplicates values={lead} id={lead.id} />
          {others.map(group)}
          <LeadRelatedRecords lead={lead} />
          <Text size="xs" c="dimmed">
            Lead {lead.id}
            {lead.lastEditBy && (
              <>
                , last changed by <PersonName username={lead.lastEditBy} />
              </>
            )}
          </Text>
        </Suspense>
      ) : (
        <LoadingRows rows={7} height={56} />
      )}
    </div>
  )
}
