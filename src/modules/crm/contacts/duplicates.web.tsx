import { Alert, Anchor } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCopy } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useShortcuts } from '#web/ui/keys/shortcuts.ts'
import {
  type DuplicateCheckValues,
  duplicatesQueryOptions,
  duplicatesQueryString,
  formatLeadName,
  hasComparableValues,
} from './data.web.ts'

const SAME: Readonly<Record<string, string>> = {
  companyName: 'same company name',
  companyNumber: 'same company number',
  phone: 'same telephone number',
  mobile: 'same mobile number',
  email: 'same e-mail address',
  nearName: 'similar name',
}

const wordsOf = (same: readonly string[]) => [...new Set(same)].map((s) => SAME[s] ?? s).join(', ')

const COLLAPSED_DUPLICATES = 2

/** Returns the path of the screen that compares two leads. */
const mergePath = (one: number, other: number) => `/crm/merge/${one}/${other}`

interface Props {
  /** Values to compare, from a saved lead or from a form that is being filled in. */
  readonly values: DuplicateCheckValues
  /** ID of the lead itself, which is excluded from its possible duplicates. */
  readonly id?: number
}

/** Returns the leads that match at least one of the given values. */
export function usePossibleDuplicates(values: DuplicateCheckValues, id: number | undefined) {
  const [query] = useDebouncedValue(duplicatesQueryString(values, id), 300)
  const any = hasComparableValues(values)
  const { data, isLoading } = useQuery({
    ...duplicatesQueryOptions(query),
    enabled: any,
    placeholderData: id === undefined ? keepPreviousData : undefined,
  })
  return { same: any ? (data?.['hydra:member'] ?? []) : [], elsewhere: any ? (data?.elsewhere ?? []) : [], isLoading }
}

export function PossibleDuplicates({ values, id }: Props) {
  const { same, elsewhere } = usePossibleDuplicates(values, id)
  const [all, setAll] = useState(false)
  const navigate = useNavigate()
  const [first] = same
  useShortcuts(
    id !== undefined && first
      ? [
          {
            keys: 'm',
            label: 'Merge with the most likely duplicate',
            run: () => void navigate(mergePath(id, first.id)),
          },
        ]
      : [],
  )
  return (
    <div role="status">
      {same.length > 0 && (
        <Alert
          role="group"
          color="yellow"
          icon={<IconCopy aria-hidden />}
          title={same.length === 1 ? 'Possible duplicate' : `${same.length} possible duplicates`}
        >
          <ul style={{ margin: 0, paddingInlineStart: '1.1em' }}>
            {same.slice(0, all ? undefined : COLLAPSED_DUPLICATES).map((l) => (
              <li key={l.id}>
                <Anchor component={Link} to={`/crm/contact/view/${l.id}`} size="sm">
                  {formatLeadName(l)}
                </Anchor>
                {l.name && `, ${l.name}`}: {wordsOf(l.same)}
                {l.owner && `; ${l.owner.name}’s`}
                {id !== undefined && (
                  <>
                    {' · '}
                    <Anchor component={Link} to={mergePath(id, l.id)} size="sm">
                      Merge…
                    </Anchor>
                  </>
                )}
              </li>
            ))}
          </ul>
          {same.length > COLLAPSED_DUPLICATES && !all && (
            <Anchor component="button" type="button" size="sm" onClick={() => setAll(true)}>
              and {same.length - COLLAPSED_DUPLICATES} more
            </Anchor>
          )}
        </Alert>
      )}
      {elsewhere.length > 0 && (
        <Alert role="group" color="yellow" icon={<IconCopy aria-hidden />} title="A colleague may have this lead">
          {elsewhere.length === 1 ? 'A lead' : `${elsewhere.length} leads`} assigned to a colleague may match this lead:{' '}
          {wordsOf(elsewhere.flatMap((l) => l.same))}. A lead administrator can tell you who the owner is.
        </Alert>
      )}
    </div>
  )
}
