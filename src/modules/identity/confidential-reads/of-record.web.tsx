import { Anchor, Button, Skeleton } from '@mantine/core'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import type { Iri } from '#kernel/fields.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import page from '#web/ui/page.module.css'
import { SectionError } from '#web/ui/states.tsx'
import { IDENTITY_NAV } from '../nav.ts'
import { confidentialRead, workingAsText } from './confidential-read.ts'
import css from './of-record.module.css'

/** Number of reads shown with the record. */
const LATEST_READS = 10

interface Props {
  /** IRI of the record. Reads of its parts, such as its signatures, are included. */
  readonly record: Iri
}

/**
 * Card with the latest reads of a record's confidential data, for the company's administrators. Renders nothing for
 * other users. Nothing is loaded until the user asks for it.
 */
export function ConfidentialReadsOfRecord({ record }: Props) {
  const actor = useActor()
  const [opened, setOpened] = useState(false)
  const heading = useId()
  if (!can(actor, 'read', confidentialRead)) return null
  return (
    <section className={page.card} aria-labelledby={heading}>
      <h2 id={heading}>Confidential data: who read it</h2>
      {opened ? (
        <LatestReads record={record} />
      ) : (
        <Button variant="default" onClick={() => setOpened(true)}>
          Show
        </Button>
      )}
    </section>
  )
}

function LatestReads({ record }: Props) {
  const list = useList(confidentialRead, { record, itemsPerPage: LATEST_READS })
  const reads = list.data?.['hydra:member']
  if (list.error) return <SectionError error={list.error} onRetry={list.refetch} />
  if (!reads) return <Skeleton h={80} />
  if (!reads.length) return <p className={page.quiet}>No reads yet.</p>
  return (
    <>
      <ol className={css.reads}>
        {reads.map((read) => (
          <li key={read.id}>
            <strong>{`${read.name} (${read.username})`}</strong>
            {read.asUsername && <span>{`Working as ${workingAsText(read)}`}</span>}
            {read.reason && <span>{`Reason given: ${read.reason}`}</span>}
            <span className={page.quiet}>
              {`${(read.data ?? []).join(', ')}, `}
              <DateTimeText at={read.readAt} />
            </span>
          </li>
        ))}
      </ol>
      <Anchor component={Link} to={`${IDENTITY_NAV.confidentialReads.path}?${new URLSearchParams({ record })}`}>
        All reads of this record
      </Anchor>
    </>
  )
}
